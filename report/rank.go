package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// A tally counts verdicts.
type tally struct{ holds, broken, undecided int }

func tallyOf(rows []record.Summary) tally {
	var t tally
	for _, r := range rows {
		switch {
		case !r.Judged():
		case r.Verdict == stats.Holds:
			t.holds++
		case r.Verdict == stats.Broken:
			t.broken++
		default:
			t.undecided++
		}
	}
	return t
}

func (t tally) sum() int { return t.holds + t.broken + t.undecided }

// verdict is that of a claim about all the cells together: broken by one that
// breaks it, holding only if all hold.
func (t tally) verdict() string {
	switch {
	case t.broken > 0:
		return "**" + stats.Broken.String() + "**"
	case t.undecided > 0:
		return stats.Undecided.String()
	case t.holds > 0:
		return stats.Holds.String()
	default:
		return "not tried"
	}
}

// counts prints what is not zero: 41 of 42 hold, 1 broken.
func (t tally) counts() string {
	parts := []string{fmt.Sprintf("%d of %d hold", t.holds, t.sum())}
	if t.broken > 0 {
		parts = append(parts, fmt.Sprintf("%d broken", t.broken))
	}
	if t.undecided > 0 {
		parts = append(parts, fmt.Sprintf("%d undecided", t.undecided))
	}
	return strings.Join(parts, ", ")
}

// rank orders verdicts from the worst.
func rank(v stats.Verdict) int {
	switch v {
	case stats.Broken:
		return 2
	case stats.Undecided:
		return 1
	default:
		return 0
	}
}

// strain says how far the estimate goes towards the bounds of its law: 0 in
// the middle of the band, 1 at its edge, more outside. It only orders rows.
func strain(s record.Summary) float64 {
	x, lo, hi := s.Estimate, s.AllowedLo, s.AllowedHi
	switch {
	case math.IsNaN(x):
		return math.Inf(1) // what cannot be read is the first thing to look at
	case finite(lo) && finite(hi) && hi > lo:
		return math.Abs(x-(lo+hi)/2) / ((hi - lo) / 2)
	case finite(lo) && finite(hi): // one value is allowed
		return beyond(math.Abs(x-lo), math.Abs(lo))
	case finite(hi) && hi > 0 && x >= 0:
		return x / hi
	case finite(lo) && lo > 0 && x > 0:
		return lo / x
	case finite(hi):
		return beyond(x-hi, math.Abs(hi))
	case finite(lo):
		return beyond(lo-x, math.Abs(lo))
	default:
		return 0
	}
}

// beyond measures how far something lies outside a bound, in units of the
// bound if it has a size; then everything outside counts above 1.
func beyond(distance, bound float64) float64 {
	switch {
	case distance <= 0:
		return 0
	case bound > 0:
		return 1 + distance/bound
	default:
		return 1 + distance
	}
}

// worse orders rows from the worst; equals stay in the order of the plan.
func worse(a, b record.Summary) int {
	return cmp.Or(cmp.Compare(rank(b.Verdict), rank(a.Verdict)), cmp.Compare(strain(b), strain(a)))
}

// worst is the row that a reader should see if there is room for one.
func worst(rows []record.Summary) record.Summary {
	return slices.MinFunc(rows, worse)
}

// A group is rows that belong together, under a key.
type group[K comparable] struct {
	key  K
	rows []record.Summary
}

// groupBy gathers rows by key, in the order in which the keys first appear.
func groupBy[K comparable](rows []record.Summary, key func(record.Summary) K) []group[K] {
	index := map[K]int{}
	var groups []group[K]
	for _, r := range rows {
		k := key(r)
		i, ok := index[k]
		if !ok {
			i = len(groups)
			index[k] = i
			groups = append(groups, group[K]{key: k})
		}
		groups[i].rows = append(groups[i].rows, r)
	}
	return groups
}

func bySubject(s record.Summary) string    { return s.Subject }
func byExperiment(s record.Summary) string { e, _ := record.ParseCell(s.Cell); return e }

// A lawKey is a law and the metric that it speaks about.
type lawKey struct{ metric, law string }

func byLaw(s record.Summary) lawKey { return lawKey{s.Metric, s.Law} }

// keep returns the rows that a test lets through.
func keep(rows []record.Summary, test func(record.Summary) bool) []record.Summary {
	var kept []record.Summary
	for _, r := range rows {
		if test(r) {
			kept = append(kept, r)
		}
	}
	return kept
}

// place names a cell within its experiment and subject: n=10000 eps=0.01.
func place(s record.Summary) string {
	_, labels := record.ParseCell(s.Cell)
	var parts []string
	for _, l := range labels {
		if l.Key != "subject" {
			parts = append(parts, l.Key+"="+l.Value)
		}
	}
	return strings.Join(parts, " ")
}
