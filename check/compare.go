package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// A Plan holds the cells that the run was to carry out: from a cell's name to
// its subject's module as path@version, "" for our own.
type Plan map[string]string

// Compare holds the judgements of a run against a baseline. Rows of the baseline
// outside the plan are ignored, unless both runs are whole and of one scale: then
// a cell that left the plan is Missing.
//
// Our own structures have no version of their own: any changed figure of theirs
// is a finding, that of a mended law too. A judgement has two findings where a
// known broken law also Changed or Moved, or a mended one Changed.
func Compare(base, now Results, plan Plan) Report {
	c := comparison{base: base.Manifest, plan: plan, apart: apart(base.Manifest, now.Manifest), ran: map[string]bool{}}
	before := make(map[key]record.Summary, len(base.Rows))
	for _, row := range base.Rows {
		before[keyOf(row)] = row
	}
	for _, row := range now.Rows {
		c.ran[row.Cell] = true
		if was, ok := before[keyOf(row)]; ok {
			c.both(row, was)
		} else {
			c.alone(row)
		}
		delete(before, keyOf(row))
	}
	all := sameWhole(base.Manifest, now.Manifest)
	for _, row := range base.Rows {
		_, unmatched := before[keyOf(row)]
		_, planned := plan[row.Cell]
		if unmatched && (planned || all) {
			c.gone(row)
		}
	}
	slices.SortStableFunc(c.findings, func(a, b Finding) int { return int(a.Kind) - int(b.Kind) })
	return Report{Apart: c.apart, Judgements: now.Rows, Findings: c.findings}
}

// apart says what keeps two runs from being the same to the last digit, whatever
// the subject.
func apart(base, now record.Manifest) string {
	var why []string
	for _, d := range [][3]string{
		{"seed", fmt.Sprint(base.Seed), fmt.Sprint(now.Seed)},
		{"Go", base.Go, now.Go},
		{"processor", base.Arch, now.Arch},
	} {
		if d[1] != d[2] {
			why = append(why, fmt.Sprintf("%s %s, before %s", d[0], d[2], d[1]))
		}
	}
	return strings.Join(why, "; ")
}

func sameWhole(base, now record.Manifest) bool {
	whole := func(m record.Manifest) bool { return len(m.Only) == 0 && m.Shard == "" && m.Trace == nil }
	return base.Scale == now.Scale && whole(base) && whole(now)
}

type comparison struct {
	base     record.Manifest
	plan     Plan
	apart    string
	ran      map[string]bool // cells that have a judgement now
	findings []Finding
}

func (c *comparison) find(k Kind, now record.Summary, before *record.Summary) {
	c.findings = append(c.findings, Finding{k, now, before, c.plan[now.Cell], c.moduleBefore(now.Cell)})
}

// moduleBefore is the module of a cell's subject in the baseline, "" where the
// baseline does not name it.
func (c *comparison) moduleBefore(cell string) string {
	path, _, _ := strings.Cut(c.plan[cell], "@")
	version, ok := c.base.Modules[path]
	if !ok {
		return ""
	}
	return path + "@" + version
}

// both compares a judgement with the same one of the baseline.
func (c *comparison) both(now, was record.Summary) {
	same := c.apart == "" && !now.Unseeded && c.plan[now.Cell] == c.moduleBefore(now.Cell)
	broken, wasBroken := isBroken(now), isBroken(was)
	if broken && !wasBroken {
		c.find(Regressed, now, &was) // that its figures changed goes without saying
		return
	}
	mended := wasBroken && now.Verdict == stats.Holds
	figures := was
	switch {
	case mended:
		c.find(Mended, now, &was)
		figures.Verdict = now.Verdict // said already
	case wasBroken: // still, or no longer decided
		c.find(KnownBroken, now, &was)
	}
	switch {
	case same && !slices.Equal(now.Strings(), figures.Strings()):
		c.find(Changed, now, &was)
	case !same && !mended && disjoint(now, was): // to be mended is to move
		c.find(Moved, now, &was)
	}
}

func isBroken(s record.Summary) bool { return s.Judged() && s.Verdict == stats.Broken }

// disjoint reports whether two intervals have no point in common. A bound that is
// not a number is none.
func disjoint(a, b record.Summary) bool { return a.Lo > b.Hi || a.Hi < b.Lo }

// alone is a judgement that the baseline does not hold.
func (c *comparison) alone(now record.Summary) {
	if isBroken(now) {
		c.find(Regressed, now, nil)
	} else {
		c.find(New, now, nil)
	}
}

// gone is a judgement of the baseline that this run does not hold.
func (c *comparison) gone(was record.Summary) {
	if was.Law == record.FaultLaw && c.ran[was.Cell] {
		c.find(Mended, was, &was)
	} else {
		c.find(Missing, was, &was)
	}
}
