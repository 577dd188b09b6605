package sketchtest

import (
	"fmt"
	"runtime"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// memoryChecks: what the heap grew by is what the filter says that it holds.
func memoryChecks(s sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec], e Effort) []Case {
	t := filterTrialOf(s)
	usages := []usage{{"filled", (*history).fillUp}}
	if t.adds {
		usages = append(usages, usage{"built", func(*history, []key) error { return nil }})
	}
	if t.removes {
		usages = append(usages, usage{"emptied", (*history).emptyOut})
	}
	var cases []Case
	for _, u := range usages {
		cases = append(cases, t.memoryCase(u, 20000))
	}
	if e >= Long {
		cases = append(cases, t.memoryCase(usages[0], 1_000_000))
	}
	return cases
}

// A usage is what is done to a filter before it is weighed.
type usage struct {
	name string
	do   func(*history, []key) error
}

func (h *history) fillUp(list []key) error {
	for _, k := range list {
		if err := k.addTo(h.l.f); err != nil && h.l.refused == 0 {
			h.l.refused++ // it is full: capacity is another check's matter
		}
	}
	return nil
}

func (h *history) emptyOut(list []key) error {
	if err := h.fillUp(list); err != nil {
		return err
	}
	for _, k := range list {
		_ = remove(h.l.f, k) // what was refused cannot be removed
	}
	return nil
}

// The heap may hold twice what a filter tells, or half, and memorySlack besides: the
// header, what an allocator rounds up, and what others in the process did meanwhile.
const memorySlack = 8 << 10

// memoryCase weighs a filter by the growth of the heap. Others may allocate too, so
// that the closest of three counts.
func (t filterTrial) memoryCase(u usage, n int) Case {
	return Case{
		Labels: record.L("check", "memory", "state", u.name, "n", n), Of: sketchproof.Memory, Metric: "untrue/filter", Method: stats.Invariant,
		Law: "size-told", Source: "what the heap grew by is half to twice SizeBytes, and 8 KiB", Trials: 2, Operations: 6 * n,
		Run: func(seed uint64) (Reading, error) {
			r := Reading{Den: 1, Num: 1, Band: never}
			for again := range 3 {
				told, grown, err := t.weigh(u, part(seed, again), n)
				if err != nil {
					return r, err
				}
				if grown <= 2*told+memorySlack && told <= 2*grown+memorySlack {
					return Reading{Den: 1, Band: never}, nil
				}
				// How much exactly would differ from run to run.
				by := "less than half of that"
				if grown > told {
					by = "more than twice that"
				}
				r.Input = fmt.Sprintf("built for %d random keys at %g, %s: SizeBytes tells %d, the heap grew by %s", n, usualRate, u.name, told, by)
			}
			return r, nil
		},
	}
}

// weigh builds and uses a filter, and returns what it tells and what the heap grew by.
func (t filterTrial) weigh(u usage, seed uint64, n int) (told, grown int64, err error) {
	spec := sketchproof.FilterSpec{Capacity: n, Epsilon: usualRate, Seed: part(seed, 1)}
	list := randomShape.keys(seed, n, inOrder)
	if !t.adds {
		spec = withKeys(spec, list)
	}
	words := func() string { return fmt.Sprintf("built for %d random keys at %g, %s", n, usualRate, u.name) }
	err = guard(words, func() error {
		before := heap()
		f, err := t.Build(spec)
		if err != nil {
			return err
		}
		if t.adds {
			if err := u.do(&history{t: t, l: loaded{f: f}}, list); err != nil {
				return err
			}
		}
		grown = heap() - before
		told = int64(f.SizeBytes())
		runtime.KeepAlive(spec.Keys)
		runtime.KeepAlive(list)
		return nil
	})
	return told, grown, err
}

// heap is what is allocated and in use, once the garbage is collected.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
