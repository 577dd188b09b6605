package check

import (
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof/record"
)

// A Kind says what became of a judgement.
type Kind int

const (
	// Regressed: broken now, and not before. A law that is broken where there
	// was no judgement before counts too.
	Regressed Kind = iota
	// Missing: judged before and planned, yet not judged now.
	Missing
	// Changed: a figure differs though seed, versions, Go and processor are the
	// same.
	Changed
	// Moved: under other versions the two intervals have no point in common.
	Moved
	// Mended: broken before, holds now.
	Mended
	// New: not judged before, and not broken.
	New
	// KnownBroken: broken before and now.
	KnownBroken
)

// Kinds are all kinds, in the order of a report: those that fail come first.
var Kinds = []Kind{Regressed, Missing, Changed, Moved, Mended, New, KnownBroken}

// String is the kind as every format names it.
func (k Kind) String() string {
	return [...]string{"regressed", "missing", "changed", "moved", "mended", "new", "known broken"}[k]
}

// Fails reports whether a finding of this kind fails the check.
func (k Kind) Fails() bool { return k <= Moved }

// A Finding is one thing to say about one judgement.
type Finding struct {
	Kind Kind
	// Now is the judgement of this run. For Missing it is that of the baseline,
	// and so it is for a Mended fault, which leaves no row when it is gone.
	Now record.Summary
	// Before is the baseline's, nil where there is none.
	Before *record.Summary
	// Module and ModuleBefore are the subject's module as path@version, "" for
	// our own.
	Module, ModuleBefore string
}

// Message says in one line what was found, without the cell.
func (f Finding) Message() string {
	switch f.Kind {
	case Regressed:
		if f.Before == nil {
			return "broken, and not in the baseline: " + f.measured()
		}
		return "newly broken: " + f.measured() + "; " + f.before()
	case Missing:
		return "planned and in the baseline, but not in this run: " + f.before()
	case Changed:
		return "a figure changed under the same versions: " + f.differences()
	case Moved:
		return fmt.Sprintf("%s is %s; before %s%s", f.Now.Metric, estimate(f.Now), estimate(*f.Before), f.versions())
	case Mended:
		if f.absent() { // its row is written only where a trial failed
			return "no trial failed; " + f.before()
		}
		return "holds now: " + f.measured() + "; " + f.before()
	case New:
		return f.measured() + verdict(f.Now)
	default:
		return "broken as before: " + f.measured()
	}
}

// absent reports whether this run has no such judgement: Now is the baseline's.
func (f Finding) absent() bool { return f.Kind == Missing || f.Kind == Mended && isBroken(f.Now) }

func (f Finding) measured() string {
	if !f.Now.Judged() {
		return f.Now.Metric + " is " + estimate(f.Now)
	}
	return fmt.Sprintf("%s is %s, allowed %s", f.Now.Metric, estimate(f.Now), allowed(f.Now))
}

func (f Finding) before() string { return "before " + estimate(*f.Before) + verdict(*f.Before) }

func (f Finding) versions() string {
	if f.Module == f.ModuleBefore {
		return ""
	}
	return fmt.Sprintf(" (%s, before %s)", orUnknown(f.Module), orUnknown(f.ModuleBefore))
}

func orUnknown(module string) string {
	if module == "" {
		return "unknown"
	}
	return module
}

// mostDifferences keeps the line of a changed judgement short: the fields that
// follow mostly follow from the first.
const mostDifferences = 3

// differences names the fields that differ, as they are printed in summary.csv.
func (f Finding) differences() string {
	now, before := f.Now.Strings(), f.Before.Strings()
	text, n := "", 0
	for i, name := range record.SummaryHeader {
		if now[i] == before[i] {
			continue
		}
		if n++; n > mostDifferences {
			continue
		}
		if n > 1 {
			text += ", "
		}
		text += fmt.Sprintf("%s %s (was %s)", name, orNone(now[i]), orNone(before[i]))
	}
	if n > mostDifferences {
		text += fmt.Sprintf(" and %d more", n-mostDifferences)
	}
	return text
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func estimate(s record.Summary) string {
	return fmt.Sprintf("%.5g (%.5g to %.5g)", s.Estimate, s.Lo, s.Hi)
}

func verdict(s record.Summary) string {
	if !s.Judged() {
		return ""
	}
	return ", " + s.Verdict.String()
}

// allowed says a band in words. An infinite or missing bound prints as "" in a
// row, see record.Float.
func allowed(s record.Summary) string {
	lo, hi := record.Float(s.AllowedLo) != "", record.Float(s.AllowedHi) != ""
	switch {
	case lo && hi && s.AllowedLo == s.AllowedHi:
		return fmt.Sprintf("%.5g", s.AllowedLo)
	case lo && hi:
		return fmt.Sprintf("%.5g to %.5g", s.AllowedLo, s.AllowedHi)
	case lo:
		return fmt.Sprintf("at least %.5g", s.AllowedLo)
	case hi:
		return fmt.Sprintf("at most %.5g", s.AllowedHi)
	default:
		return "anything"
	}
}

// A Report is all that a comparison found.
type Report struct {
	// Baseline says in words what was compared with. Compare leaves it to its
	// caller.
	Baseline string
	// Apart says why nothing could be compared digit by digit, "" if it could.
	Apart string
	// Judgements are those of this run.
	Judgements []record.Summary
	// Findings come in the order of Kinds, then in that of the rows.
	Findings []Finding
}

// Count is the number of findings of a kind.
func (r Report) Count(k Kind) int {
	n := 0
	for _, f := range r.Findings {
		if f.Kind == k {
			n++
		}
	}
	return n
}

// Failed reports whether any finding fails the check.
func (r Report) Failed() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Kind.Fails() })
}

// of returns the findings of a kind.
func (r Report) of(k Kind) []Finding {
	var found []Finding
	for _, f := range r.Findings {
		if f.Kind == k {
			found = append(found, f)
		}
	}
	return found
}
