package sketchtest

import (
	"errors"
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
)

// mergeCases: a merger answers for what both held, in any order, and leaves its
// source alone.
func (p probe[S]) mergeCases() []Case {
	if p.merge == nil {
		return nil
	}
	each := func(try func(f *finding, k keys, n int) error) func(keys, *finding) error {
		return func(k keys, f *finding) error {
			for _, n := range p.sizes {
				if err := try(f, k, n); err != nil {
					return fmt.Errorf("%d keys: %w", n, err)
				}
			}
			return nil
		}
	}
	cases := []Case{invariant(sketchproof.Merging, "changed/answers", "source-unchanged", "merging reads its source", 4*p.operations(),
		record.L("check", "merge", "of", "source"), func(k keys, f *finding) error {
			half := func(f *finding, k keys, n int) error { return p.mergeSource(f, k, n, n/2) }
			all := func(f *finding, k keys, n int) error { return p.mergeSource(f, k, n, 0) }
			return errors.Join(each(half)(k, f), f.also(func(f *finding) error { return each(all)(k, f) }))
		})}
	if p.joined != nil {
		cases = append(cases,
			invariant(sketchproof.Merging, "wrong/answers", "union", "the merger stands for the union", 3*p.operations(),
				record.L("check", "merge", "of", "union"), each(p.mergeUnion)),
			invariant(sketchproof.Merging, "wrong/answers", "any-order", "a union has no order", 8*p.operations(),
				record.L("check", "merge", "of", "order"), each(p.mergeOrder)))
	}
	return cases
}

// parts builds structures of the keys number 0 to n-1, cut at the given places.
func (p probe[S]) parts(k keys, n int, cuts ...int) ([]S, error) {
	var list []S
	from := 0
	for _, to := range append(cuts, n) {
		s, err := p.hold(n, k, from, to)
		if err != nil {
			return nil, err
		}
		list, from = append(list, s), to
	}
	return list, nil
}

// mergeSource merges what lies before a cut with what lies behind it, then adds to
// the source and to the merger in turn: each leaves the other as it was, also where
// the one that merges was empty and could have taken what the source holds.
func (p probe[S]) mergeSource(f *finding, k keys, n, cut int) error {
	s, err := p.parts(k, n, cut)
	if err != nil {
		return err
	}
	into, source := s[0], s[1]
	before := p.answers(source, k, asked(n))
	if err := p.merge(into, source); err != nil {
		return err
	}
	p.compare(f, k, before, p.answers(source, k, asked(n)), equal, fmt.Sprintf("the source of %d keys, once merged", n-cut))
	if p.add == nil {
		return nil
	}
	merged := p.answers(into, k, asked(n))
	for i := n; i < n+n/4; i++ {
		if err := p.add(source, k.at(i)); err != nil {
			return err
		}
	}
	p.compare(f, k, merged, p.answers(into, k, asked(n)), equal, fmt.Sprintf("the merger of %d keys, %d more added to its source", n, n/4))
	before = p.answers(source, k, asked(n))
	for i := n + n/4; i < n+n/2; i++ {
		if err := p.add(into, k.at(i)); err != nil {
			return err
		}
	}
	p.compare(f, k, before, p.answers(source, k, asked(n)), equal, fmt.Sprintf("the source, %d keys added to the merger of %d", n/4, n))
	return nil
}

// mergeUnion compares the merger with one structure of all keys; some are in both.
func (p probe[S]) mergeUnion(f *finding, k keys, n int) error {
	direct, err := p.hold(n, k, 0, n)
	if err != nil {
		return err
	}
	for _, cut := range []int{0, 1, n / 2, n} {
		if cut > n {
			continue
		}
		s, err := p.parts(k, n, cut)
		if err != nil {
			return err
		}
		if err := p.merge(s[0], s[1]); err != nil {
			return err
		}
		p.compare(f, k, p.answers(direct, k, n), p.answers(s[0], k, n), p.joined, fmt.Sprintf("%d keys merged with %d others, beside all at once", cut, n-cut))
	}
	return nil
}

// mergeOrder merges three parts in all six orders.
func (p probe[S]) mergeOrder(f *finding, k keys, n int) error {
	direct, err := p.hold(n, k, 0, n)
	if err != nil {
		return err
	}
	want := p.answers(direct, k, n)
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		s, err := p.parts(k, n, n/5, n/2)
		if err != nil {
			return err
		}
		into := s[order[0]]
		for _, i := range order[1:] {
			if err := p.merge(into, s[i]); err != nil {
				return err
			}
		}
		p.compare(f, k, want, p.answers(into, k, n), p.joined, fmt.Sprintf("three parts of %d keys merged in the order %v", n, order))
	}
	return nil
}
