package check

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

const (
	ownCell   = "bloom/fpr/subject=bloom/n=10"
	theirCell = "bloom/fpr/subject=theirs/n=10"
	module    = "example.org/theirs"
)

// rate is a judgement of a rate that may be 0.09 to 0.11: broken at 0.2, where
// the interval is 0.19 to 0.21, and so on.
func rate(cell string, estimate float64) record.Summary {
	iv := stats.Interval{Lo: estimate - 0.01, Hi: estimate + 0.01}
	band := stats.Between(0.1, 0.09, 0.11)
	_, labels := record.ParseCell(cell)
	return record.Summary{
		Cell: cell, Subject: labels.Value("subject"), Metric: "rate", Trials: 64, Estimate: estimate, Lo: iv.Lo, Hi: iv.Hi,
		Confidence: 0.999, Law: "bloom.law", Predicted: 0.1, AllowedLo: 0.09, AllowedHi: 0.11, Verdict: stats.Judge(iv, band),
	}
}

const (
	holds      = 0.1   // 0.09 to 0.11 lies in the band
	holdsToo   = 0.1   // for readability: the same figure again
	undecided  = 0.105 // 0.095 to 0.115 sticks out
	undecided2 = 0.106 // overlaps undecided's
	low        = 0.085 // 0.075 to 0.095: undecided; disjoint from undecided2's
	broken     = 0.2
	broken2    = 0.3
)

func manifest() record.Manifest {
	return record.Manifest{
		Scale: "ci", Seed: 1, Go: "go1.26.0", Arch: "amd64/v1",
		Modules: map[string]string{module: "v1.0.0"}, Files: map[string]string{},
	}
}

func with(m record.Manifest, rows ...record.Summary) Results { return Results{m, rows} }

var plan = Plan{ownCell: "", theirCell: module + "@v1.0.0"}

func kinds(r Report) []string {
	names := []string{}
	for _, f := range r.Findings {
		names = append(names, f.Kind.String())
	}
	return names
}

// TestOneJudgement tries every pair of states of one judgement, with the same
// versions and with others.
func TestOneJudgement(t *testing.T) {
	for _, c := range []struct {
		before, now float64
		same, other []string // findings under the same versions and under others
	}{
		{holds, holdsToo, nil, nil},
		{holds, undecided, []string{"changed"}, nil},
		{holds, broken, []string{"regressed"}, []string{"regressed"}},
		{undecided, undecided2, []string{"changed"}, nil},
		{low, undecided2, []string{"changed"}, []string{"moved"}},
		{undecided2, low, []string{"changed"}, []string{"moved"}},
		{undecided, broken, []string{"regressed"}, []string{"regressed"}},
		{broken, broken, []string{"known broken"}, []string{"known broken"}},
		{broken, broken2, []string{"changed", "known broken"}, []string{"moved", "known broken"}},
		{broken, holds, []string{"changed", "mended"}, []string{"mended"}},
		{broken, undecided, []string{"changed", "known broken"}, []string{"moved", "known broken"}},
	} {
		t.Run(fmt.Sprintf("%v to %v", c.before, c.now), func(t *testing.T) {
			for name, other := range map[string]func(*record.Manifest, Plan){
				"module":  func(_ *record.Manifest, p Plan) { p[theirCell] = module + "@v1.0.1" },
				"unknown": func(m *record.Manifest, _ Plan) { m.Modules = nil }, // by the baseline
				"go":      func(m *record.Manifest, _ Plan) { m.Go = "go1.26.1" },
				"arch":    func(m *record.Manifest, _ Plan) { m.Arch = "arm64" },
				"seed":    func(m *record.Manifest, _ Plan) { m.Seed = 2 },
			} {
				m, p := manifest(), Plan{theirCell: plan[theirCell]}
				other(&m, p)
				r := Compare(with(m, rate(theirCell, c.before)), with(manifest(), rate(theirCell, c.now)), p)
				if d := cmp.Diff(append([]string{}, c.other...), kinds(r)); d != "" {
					t.Errorf("another %s: %s", name, d)
				}
			}
			for _, cell := range []string{ownCell, theirCell} {
				r := Compare(with(manifest(), rate(cell, c.before)), with(manifest(), rate(cell, c.now)), plan)
				if d := cmp.Diff(append([]string{}, c.same...), kinds(r)); d != "" {
					t.Errorf("%s: %s", cell, d)
				}
			}
		})
	}
}

func TestOtherVersionOfOneModuleLeavesTheRestExact(t *testing.T) {
	p := Plan{ownCell: "", theirCell: module + "@v2.0.0"}
	r := Compare(
		with(manifest(), rate(ownCell, undecided), rate(theirCell, undecided)),
		with(manifest(), rate(ownCell, undecided2), rate(theirCell, undecided2)), p)
	if len(r.Findings) != 1 || r.Findings[0].Kind != Changed || r.Findings[0].Now.Cell != ownCell {
		t.Errorf("findings %v, want one changed figure of %s", kinds(r), ownCell)
	}
}

// TestAnyFieldIsAFigure changes the fields one at a time, each by less than any
// verdict could see, and by more than is printed.
func TestAnyFieldIsAFigure(t *testing.T) {
	for name, change := range map[string]func(*record.Summary){
		"subject":    func(s *record.Summary) { s.Subject = "else" },
		"trials":     func(s *record.Summary) { s.Trials++ },
		"estimate":   func(s *record.Summary) { s.Estimate += 1e-9 },
		"lo":         func(s *record.Summary) { s.Lo += 1e-9 },
		"hi":         func(s *record.Summary) { s.Hi += 1e-9 },
		"confidence": func(s *record.Summary) { s.Confidence += 1e-9 },
		"predicted":  func(s *record.Summary) { s.Predicted += 1e-9 },
		"allowed_lo": func(s *record.Summary) { s.AllowedLo = math.Inf(-1) },
		"allowed_hi": func(s *record.Summary) { s.AllowedHi = math.NaN() },
		"verdict":    func(s *record.Summary) { s.Verdict = stats.Undecided },
	} {
		now := rate(ownCell, holds)
		change(&now)
		r := Compare(with(manifest(), rate(ownCell, holds)), with(manifest(), now), plan)
		if d := cmp.Diff([]string{"changed"}, kinds(r)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	now := rate(ownCell, holds)
	now.Estimate += 1e-13 // ten digits are printed
	if r := Compare(with(manifest(), rate(ownCell, holds)), with(manifest(), now), plan); len(r.Findings) > 0 {
		t.Errorf("a digit beyond the printed ones: %v", kinds(r))
	}
}

func TestMissingFiguresEqualThemselves(t *testing.T) {
	s := rate(ownCell, holds)
	s.Estimate, s.Lo, s.Hi, s.AllowedLo = math.NaN(), math.Inf(-1), math.Inf(1), math.NaN()
	if r := Compare(with(manifest(), s), with(manifest(), s), plan); len(r.Findings) > 0 {
		t.Errorf("not a number differs from itself: %v", kinds(r))
	}
	other := manifest()
	other.Go = "go1.27"
	s.Lo, s.Hi = math.NaN(), math.NaN()
	if r := Compare(with(other, rate(ownCell, holds)), with(manifest(), s), plan); len(r.Findings) > 0 {
		t.Errorf("an interval that is none was compared: %v", kinds(r))
	}
}

// TestUnjudged: a reading that no law speaks about is a figure, never broken.
func TestUnjudged(t *testing.T) {
	s := rate(ownCell, holds)
	s.Law, s.Verdict = "", stats.Broken
	now := s
	now.Estimate = 0.3
	r := Compare(with(manifest(), s), with(manifest(), now, rate(ownCell, holds)), plan)
	if d := cmp.Diff([]string{"changed", "new"}, kinds(r)); d != "" {
		t.Error(d)
	}
}

func TestNewAndMissing(t *testing.T) {
	fault := rate(theirCell, broken)
	fault.Metric, fault.Law = "faults/trial", record.FaultLaw
	smoke, part := manifest(), manifest()
	smoke.Scale = "smoke"
	part.Only = []string{"x"}
	shard := manifest()
	shard.Shard = "1/2"
	own, theirs := rate(ownCell, holds), rate(theirCell, holds)
	verdictAlone := own
	verdictAlone.Verdict = stats.Broken
	for name, c := range map[string]struct {
		base, now Results
		plan      Plan
		want      []string
		fails     bool
	}{
		"new":                                {with(manifest(), own), with(manifest(), own, theirs), plan, []string{"new"}, false},
		"new and broken":                     {with(manifest(), own), with(manifest(), own, rate(theirCell, broken)), plan, []string{"regressed"}, true},
		"new and undecided":                  {with(manifest(), own), with(manifest(), own, rate(theirCell, undecided)), plan, []string{"new"}, false},
		"missing, though planned":            {with(manifest(), own, theirs), with(part, own), plan, []string{"missing"}, true},
		"beyond a smaller scale":             {with(manifest(), own, theirs), with(smoke, own), Plan{ownCell: ""}, []string{}, false},
		"beyond a selection":                 {with(manifest(), own, theirs), with(part, own), Plan{ownCell: ""}, []string{}, false},
		"gone from the plan":                 {with(manifest(), own, theirs), with(manifest(), own), Plan{ownCell: ""}, []string{"missing"}, true},
		"a new fault":                        {with(manifest(), theirs), with(manifest(), theirs, fault), plan, []string{"regressed"}, true},
		"a fault that is gone":               {with(manifest(), theirs, fault), with(manifest(), theirs), plan, []string{"mended"}, false},
		"a fault that is gone with its cell": {with(manifest(), own, fault), with(manifest(), own), plan, []string{"missing"}, true},
		"a known fault":                      {with(manifest(), fault), with(manifest(), fault), plan, []string{"known broken"}, false},
		"nothing at all, and no baseline":    {with(manifest()), with(manifest()), plan, []string{}, false},
		"beyond a shard":                     {with(manifest(), own, theirs), with(shard, own), Plan{ownCell: ""}, []string{}, false},
		"a law that is dropped":              {with(manifest(), own, relawed(own, "bloom.other")), with(manifest(), own), plan, []string{"missing"}, true},
		"mended by the verdict alone":        {with(manifest(), verdictAlone), with(manifest(), own), plan, []string{"mended"}, false},
		"another law on the same metric is new": {
			with(manifest(), own), with(manifest(), own, relawed(own, "bloom.other")), plan, []string{"new"}, false,
		},
	} {
		r := Compare(c.base, c.now, c.plan)
		if d := cmp.Diff(c.want, kinds(r)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if r.Failed() != c.fails {
			t.Errorf("%s: failed is %v, want %v", name, r.Failed(), c.fails)
		}
	}
}

func relawed(s record.Summary, law string) record.Summary {
	s.Law = law
	return s
}

// TestWhatFails is the promise of exit code 1.
func TestWhatFails(t *testing.T) {
	want := map[Kind]bool{Regressed: true, Missing: true, Changed: true, Moved: true, Mended: false, New: false, KnownBroken: false}
	for _, k := range Kinds {
		if got := (Report{Findings: []Finding{{Kind: k}}}).Failed(); got != want[k] {
			t.Errorf("%v fails: %v, want %v", k, got, want[k])
		}
	}
	if len(Kinds) != len(want) {
		t.Errorf("%d kinds, want %d", len(Kinds), len(want))
	}
}
