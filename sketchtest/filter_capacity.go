package sketchtest

import (
	"fmt"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// mayRefuse is the share of filters that may refuse one of the keys that they were
// built for: a cuckoo filter cannot be sure of its last ones.
const mayRefuse = 0.1

// capacityChecks: a filter takes the keys that it was built for. The numbers are
// those that memory is rounded at: a power of two, and the last before it jumps.
func capacityChecks(s sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec], e Effort) []Case {
	t := filterTrialOf(s)
	if !t.adds {
		return nil
	}
	constant := func(n int) func() (int, error) { return func() (int, error) { return n, nil } }
	cases := []Case{
		t.capacityCase("1024", 1024, constant(1024)),
		t.capacityCase("before-a-jump", 1000, sync.OnceValues(func() (int, error) {
			n, err := t.jump(keys(1), 500, 1100)
			return n - 1, err
		})),
		t.capacityCase("1", 1, constant(1)), t.capacityCase("7", 7, constant(7)),
	}
	if e >= Usual {
		cases = append(cases, t.capacityCase("100", 100, constant(100)), t.capacityCase("1000", 1000, constant(1000)))
	}
	if e >= Long {
		cases = append(cases, t.capacityCase("16384", 16384, constant(16384)), t.capacityCase("1000000", 1_000_000, constant(1_000_000)))
	}
	return cases
}

// capacityCase counts the filters for n keys that refuse one of them.
func (t filterTrial) capacityCase(name string, about int, n func() (int, error)) Case {
	return Case{
		Labels: record.L("check", "capacity", "n", name), Of: sketchproof.Capacity, Metric: "refusing/filter", Method: stats.Share,
		Law: "room", Source: "it was built for as many keys; a tenth of all filters may refuse one",
		// Share shows no bound below 20/trials.
		Trials: 512, Operations: about,
		Run: func(seed uint64) (Reading, error) {
			r := Reading{Den: 1, Band: stats.AtMost(mayRefuse)}
			n, err := n()
			if err != nil {
				return r, err
			}
			replay(seed)
			k := keys(seed)
			list := randomShape.keys(seed, n, inOrder)
			l, err := t.load(t.spec(k, n), list)
			if err != nil {
				return r, err
			}
			if l.refused > 0 {
				r.Num = 1
				r.Input = fmt.Sprintf("%s: key %d is refused, and %d in all", described(t.spec(k, n), list), l.first+1, l.refused)
			}
			return r, nil
		},
	}
}
