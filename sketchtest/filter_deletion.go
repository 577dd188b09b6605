package sketchtest

import (
	"errors"
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
)

// deletionChecks: a removal takes away one addition of its key, and nothing else.
func deletionChecks(s sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec], e Effort) []Case {
	t := filterTrialOf(s)
	if !t.removes || s.Forgets {
		return nil
	}
	cases := []Case{t.multiplesCase(), t.repeatedCase(40), t.strangersCase(), t.emptiedCase(), t.churnCase(200)}
	if e >= Usual {
		cases = append(cases, t.repeatedCase(300), t.repeatedCase(70000), t.churnCase(5000))
	}
	return cases
}

func deletion(metric, law, source string, operations int, labels record.Labels, run func(k keys, f *finding) error) Case {
	return invariant(sketchproof.Deletion, metric, law, source, operations, append(record.L("check", "deletion"), labels...), run)
}

// others is a case of keys that nobody removed.
func others(labels record.Labels, operations int, run func(k keys, f *finding) error) Case {
	return deletion("lost/other", "others-stay", "a removal is of one addition of its key", operations, labels, run)
}

func remove(f sketchproof.Filter, k key) error { return f.(sketchproof.Remover).Remove(k.number) }

// A history is what is done to a filter: keys added, and keys removed.
type history struct {
	t    filterTrial
	spec sketchproof.FilterSpec
	l    loaded
	// copies are how often each key is held: once in an exact set, which need not
	// count, since it mistakes no key for another.
	copies map[uint64]int
	// kept is the number of removals that were refused otherwise than as not found.
	kept int
	// missed is the first key that was held, but could not be removed.
	missed *key
}

func (t filterTrial) history(spec sketchproof.FilterSpec) (*history, error) {
	l, err := t.load(spec, nil)
	return &history{t: t, spec: spec, l: l, copies: map[uint64]int{}}, err
}

// add adds a key, and reports whether it was accepted.
func (h *history) add(k key) (bool, error) {
	refused := h.l.refused
	if err := guard(func() string { return h.doing("adding", k) }, func() error { return h.l.offer(k) }); err != nil {
		return false, err
	}
	if h.l.refused > refused {
		return false, nil
	}
	if h.copies[k.number]++; h.t.exact {
		h.copies[k.number] = 1
	}
	return true, nil
}

// doing says in words what fails.
func (h *history) doing(what string, k key) string {
	return fmt.Sprintf("built for %d keys at %g, seed %#x, and %d added: %s %v", h.spec.Capacity, h.spec.Epsilon, h.spec.Seed, len(h.l.accepted), what, k)
}

// remove removes a key. A removal that is refused leaves it.
func (h *history) remove(k key) error {
	held := h.copies[k.number] > 0
	return guard(func() string { return h.doing("removing", k) }, func() error {
		err := remove(h.l.f, k)
		switch {
		case err == nil:
			h.copies[k.number]--
		case !errors.Is(err, sketchproof.ErrNotFound):
			h.kept++
		case held && h.missed == nil:
			h.missed = &k
		}
		return nil
	})
}

// judge asks for all keys that are held; done says in words what was done.
//
// A refusal ends the matter: the harm that it does is no deed of a removal.
func (h *history) judge(f *finding, list []key, done string) {
	if h.l.refused > 0 {
		f.asked++
		return
	}
	var gone []key
	for _, k := range list {
		if h.copies[k.number] <= 0 {
			continue
		}
		f.asked++
		if !k.in(h.l.f) {
			gone = append(gone, k)
		}
	}
	size := fmt.Sprintf("built for %d keys at %g, seed %#x", h.spec.Capacity, h.spec.Epsilon, h.spec.Seed)
	if len(gone) > 0 {
		f.fail("%s: %s; %d of %d others are lost, %v first", size, done, len(gone), f.asked, gone[0])
		f.wrong += int64(len(gone) - 1)
	}
	if h.missed != nil {
		f.asked++
		f.fail("%s: %s; key %v is held, and its removal says that it is not", size, done, *h.missed)
	}
}

// multiplesCase adds keys once, twice and three times, and removes some once, some
// as often as they were added.
func (t filterTrial) multiplesCase() Case {
	const n = 1000
	return others(record.L("of", "multiples"), 6*n, func(k keys, f *finding) error {
		for _, size := range []int{4, n / 10, n} {
			h, err := t.history(t.spec(k, 4*size))
			if err != nil {
				return err
			}
			list := randomShape.keys(part(uint64(k), size), size, inOrder)
			for i, key := range list {
				for range i%3 + 1 {
					if _, err := h.add(key); err != nil {
						return err
					}
				}
			}
			for i, key := range list {
				for range i % 4 {
					if h.copies[key.number] > 0 {
						if err := h.remove(key); err != nil {
							return err
						}
					}
				}
			}
			h.judge(f, list, fmt.Sprintf("key number i of %d, from %v, is added i%%3+1 times and removed i%%4 times if it is there", size, list[0]))
		}
		return nil
	})
}

// repeatedCase adds one key many times and removes it as often, in a filter of
// others: what counts it may come to its maximum.
func (t filterTrial) repeatedCase(times int) Case {
	const n = 2000
	return others(record.L("of", "one-key", "times", times), 3*n+2*times, func(k keys, f *finding) error {
		for _, size := range []int{20, n} {
			h, err := t.history(t.spec(k, 2*size))
			if err != nil {
				return err
			}
			list := randomShape.keys(part(uint64(k), size), size+1, inOrder)
			one, rest := list[size], list[:size]
			for _, key := range rest {
				if _, err := h.add(key); err != nil {
					return err
				}
			}
			accepted := 0
			for range times {
				ok, err := h.add(one)
				if err != nil {
					return err
				}
				if !ok {
					break
				}
				accepted++
				// What doubles for each few copies would soon take all there is.
				if accepted%16 == 0 && h.l.f.SizeBytes() > mebibyte+accepted*1024 {
					return fmt.Errorf("%s: it takes %d bytes once it was added %d times", h.doing("adding", one), h.l.f.SizeBytes(), accepted)
				}
			}
			for range accepted {
				if err := h.remove(one); err != nil {
					return err
				}
			}
			// A counter that stays at its maximum may keep the key, and lose nothing.
			h.copies[one.number] = 0
			h.judge(f, rest, fmt.Sprintf("%d keys from %v are added, then %v %d times, and that is removed %d times",
				size, list[0], one, accepted, accepted))
		}
		return nil
	})
}

// strangersCase removes what the filter says is certainly absent.
func (t filterTrial) strangersCase() Case {
	const n = 500
	return deletion("removed/stranger", "not-found", "what is certainly absent cannot be removed", 8*n, record.L("of", "strangers"), func(k keys, f *finding) error {
		h, err := t.history(t.spec(k, 2*n))
		if err != nil {
			return err
		}
		list := randomShape.keys(uint64(k), n, held)
		for _, key := range list {
			if _, err := h.add(key); err != nil {
				return err
			}
		}
		strangers := randomShape.keys(uint64(k), 2*n, absent(n))
		for _, s := range strangers {
			if s.in(h.l.f) {
				continue
			}
			f.asked++
			if remove(h.l.f, s) == nil {
				f.fail("built for %d keys: %s are added; the removal of %v, which is not found, is no error", 2*n, listed(list), s)
			}
		}
		for _, s := range strangers {
			if s.in(h.l.f) {
				continue
			}
			f.asked++
			if h.l.f.Contains(s.number) {
				f.fail("built for %d keys: %v is found once its removal was refused", 2*n, s)
			}
		}
		h.judge(f, list, fmt.Sprintf("%s are added, and %d strangers removed", listed(list), len(strangers)))
		return nil
	})
}

// emptiedCase removes all that was added: the filter is then an empty one.
func (t filterTrial) emptiedCase() Case {
	const n, asked = 500, 4000
	return deletion("found/absent", "empty", "nothing is left of what was removed", 2*n+2*asked, record.L("of", "all"), func(k keys, f *finding) error {
		h, err := t.history(t.spec(k, 2*n))
		if err != nil {
			return err
		}
		fresh := make([]bool, asked)
		list := randomShape.keys(uint64(k), asked, inOrder)
		for i, key := range list {
			fresh[i] = key.in(h.l.f)
		}
		for _, key := range list[:n] {
			if _, err := h.add(key); err != nil {
				return err
			}
		}
		for _, key := range list[:n] {
			if h.copies[key.number] > 0 {
				if err := h.remove(key); err != nil {
					return err
				}
			}
		}
		if h.kept > 0 { // it says itself that not all can go
			f.asked++
			return nil
		}
		left := 0
		for i, key := range list {
			f.asked++
			if key.in(h.l.f) && !fresh[i] {
				left++
			}
		}
		if left > 0 {
			f.fail("built for %d keys: %s are added, and all removed: %d of %d keys are found", 2*n, listed(list[:n]), left, f.asked)
			f.wrong += int64(left - 1)
		}
		if h.missed != nil {
			f.fail("built for %d keys: %s are added; the removal of %v says that it is not there", 2*n, listed(list[:n]), *h.missed)
		}
		return nil
	})
}

// churnCase keeps a filter at nine tenths of its capacity while keys come and go.
func (t filterTrial) churnCase(n int) Case {
	return others(record.L("of", "churn", "n", n), 12*n, func(k keys, f *finding) error {
		h, err := t.history(t.spec(k, n))
		if err != nil {
			return err
		}
		live, turns := n*9/10, 4*n
		list := randomShape.keys(uint64(k), live+turns, inOrder)
		for i, key := range list {
			if i >= live {
				if old := list[i-live]; h.copies[old.number] > 0 {
					if err := h.remove(old); err != nil {
						return err
					}
				}
			}
			if _, err := h.add(key); err != nil {
				return err
			}
		}
		h.judge(f, list, fmt.Sprintf("%d keys from %v are added one by one, and each is removed when %d more have come", len(list), list[0], live))
		return nil
	})
}
