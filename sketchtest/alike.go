package sketchtest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// alikeTrials is the number of trials of what must never happen: it hardly depends
// on the keys, but for the few that collide.
const alikeTrials = 4

// alike are the checks that all kinds share.
func (p probe[S]) alike() []Case {
	return slices.Concat(p.formCases(), p.mergeCases(), p.concurrentCases(), p.isolationCases())
}

// A finding collects what a trial of an invariant sees, and the first input that
// shows it: sizes are tried from the smallest.
type finding struct {
	wrong, asked int64
	input        string
}

// fail counts a counterexample; the first is named.
func (f *finding) fail(format string, args ...any) {
	f.wrong++
	if f.input == "" {
		f.input = fmt.Sprintf(format, args...)
	}
}

// also looks at more where nothing was wrong so far. It counts where it finds
// something, and not among what was asked.
func (f *finding) also(look func(f *finding) error) error {
	if f.wrong > 0 {
		return nil
	}
	var more finding
	err := look(&more)
	f.wrong += more.wrong
	if f.input == "" {
		f.input = more.input
	}
	return err
}

func (f *finding) reading() Reading {
	return Reading{Num: f.wrong, Den: max(f.asked, f.wrong), Band: never, Input: f.input}
}

// compare asks whether answers are what they should be. what says what was done.
func (p probe[S]) compare(f *finding, k keys, want, got []uint64, same func(want, got uint64) bool, what string) {
	f.asked += int64(max(len(want), len(got)))
	if len(want) != len(got) {
		f.fail("%s: %d answers, not %d", what, len(got), len(want))
		return
	}
	wrong, first := 0, 0
	for i := range want {
		if !same(want[i], got[i]) {
			if wrong == 0 {
				first = i
			}
			wrong++
		}
	}
	if wrong > 0 {
		f.fail("%s: %s answers %s, not %s; %d of %d answers are wrong", what, p.about(k, first), p.word(got[first]), p.word(want[first]), wrong, len(want))
		f.wrong += int64(wrong - 1)
	}
}

func equal(want, got uint64) bool { return want == got }

// asked is how many keys the answers are about, of a structure that holds n.
func asked(n int) int { return 2*n + 100 }

// invariant is a case of what must never happen.
func invariant(of sketchproof.Property, metric, law, source string, operations int, labels record.Labels, run func(k keys, f *finding) error) Case {
	return Case{
		Labels: labels, Of: of, Metric: metric, Method: stats.Invariant, Law: law, Source: source, Trials: alikeTrials, Operations: operations,
		Run: func(seed uint64) (Reading, error) {
			var f finding
			err := run(keys(seed), &f)
			return f.reading(), err
		},
	}
}

// operations is about how many operations building and asking for all sizes takes.
func (p probe[S]) operations() int {
	sum := 0
	for _, n := range p.sizes {
		sum += n + asked(n)
	}
	return sum
}

// isolationCases: nothing but additions changes a structure.
func (p probe[S]) isolationCases() []Case {
	cases := []Case{
		invariant(sketchproof.Isolation, "changed/answers", "no-trace", "the call is a question", 12*p.operations(), record.L("check", "observers"), func(k keys, f *finding) error {
			twins := p.repeats(k)
			for _, n := range p.sizes {
				if err := p.observed(f, k, n, twins); err != nil {
					return err
				}
			}
			return nil
		}),
		invariant(sketchproof.Isolation, "changed/answers", "apart", "two structures are two", 4*p.operations(), record.L("check", "shared-state"), func(k keys, f *finding) error {
			for _, n := range p.sizes {
				if err := p.apart(f, k, n); err != nil {
					return err
				}
			}
			return f.also(func(f *finding) error {
				for _, n := range p.sizes {
					if err := errors.Join(p.cloned(f, k, n), p.lent(f, k, n)); err != nil {
						return err
					}
				}
				return nil
			})
		}),
	}
	if p.bytes != nil && !p.random {
		cases = append(cases, invariant(sketchproof.Isolation, "changed/answers", "no-alias", "the caller's buffer is the caller's", 2*p.operations(), record.L("check", "buffers"), func(k keys, f *finding) error {
			twins := p.repeats(k)
			if !twins && p.traits == nil {
				return nil // two of other hash functions estimate apart
			}
			for _, n := range p.sizes {
				want, err := p.bytes(k, n, false)
				if err != nil {
					return err
				}
				got, err := p.bytes(k, n, true)
				if err != nil {
					return err
				}
				if !twins { // two of other hash functions share no more than the keys they hold
					want, got = want[:min(n, len(want))], got[:min(n, len(got))]
				}
				p.compare(f, k, want, got, equal, fmt.Sprintf("%d byte keys, each added from a buffer that is then overwritten", n))
			}
			return nil
		}))
	}
	return cases
}

// observed asks for everything, and then for the answers again. A twin that nobody
// asks gets the same keys, where there are twins: what was left behind by a question
// may show later.
func (p probe[S]) observed(f *finding, k keys, n int, twins bool) error {
	s, err := p.hold(n, k, 0, n)
	if err != nil {
		return err
	}
	before := p.answers(s, k, asked(n))
	for _, o := range p.observers {
		for range 3 {
			o.ask(s)
		}
		p.compare(f, k, before, p.answers(s, k, asked(n)), equal, fmt.Sprintf("%d keys, then %s", n, o.name))
	}
	p.compare(f, k, before, p.answers(s, k, asked(n)), equal, fmt.Sprintf("%d keys, then the same questions again", n))
	if p.add == nil || !twins {
		return nil
	}
	twin, err := p.hold(n, k, 0, n)
	if err != nil {
		return err
	}
	for i := n; i < n+n/4; i++ {
		if i%8 == 0 { // an answer that is remembered must not outlive the addition of its key
			p.answers(s, k, i+1)
		}
		if err := p.add(s, k.at(i)); err != nil {
			return err
		}
		if err := p.add(twin, k.at(i)); err != nil {
			return err
		}
	}
	p.compare(f, k, p.answers(twin, k, asked(n)), p.answers(s, k, asked(n)), equal,
		fmt.Sprintf("%d keys, questions, %d keys more with a question before each eighth", n, n/4))
	return nil
}

// repeats reports whether the same keys and seed make the same structure again:
// what draws its hash functions from elsewhere has no twin.
func (p probe[S]) repeats(k keys) bool {
	if p.random {
		return false
	}
	traits := p.traits
	if traits == nil {
		traits = func(k keys) ([]uint64, error) {
			var all []uint64
			for _, n := range p.sizes {
				s, err := p.hold(n, k, 0, n)
				if err != nil {
					return nil, err
				}
				all = append(all, p.answers(s, k, asked(n))...)
			}
			return all, nil
		}
	}
	a, errA := traits(k)
	b, errB := traits(k)
	return errA == nil && errB == nil && slices.Equal(a, b)
}

// apart fills a second structure beside the first.
func (p probe[S]) apart(f *finding, k keys, n int) error {
	a, err := p.hold(n, k, 0, n)
	if err != nil {
		return err
	}
	before := p.answers(a, k, asked(n))
	b, err := p.hold(n, k, n, 2*n)
	if err != nil {
		return err
	}
	beside := p.answers(b, k, asked(n))
	p.compare(f, k, before, p.answers(a, k, asked(n)), equal, fmt.Sprintf("%d keys, then a second structure of %d others", n, n))
	if p.add == nil {
		return nil
	}
	for i := 2 * n; i < 2*n+n/4; i++ {
		if err := p.add(a, k.at(i)); err != nil {
			return err
		}
	}
	p.compare(f, k, beside, p.answers(b, k, asked(n)), equal, fmt.Sprintf("%d keys in each of two structures, then %d more in the first", n, n/4))
	return nil
}

// cloned adds to a structure and to its clone in turn, where it has a method Clone
// that returns its own kind: each leaves the other as it was.
func (p probe[S]) cloned(f *finding, k keys, n int) error {
	s, err := p.hold(n, k, 0, n)
	if err != nil {
		return err
	}
	cloner, ok := any(s).(interface{ Clone() S })
	if !ok {
		return nil
	}
	clone := cloner.Clone()
	before := p.answers(s, k, asked(n))
	p.compare(f, k, before, p.answers(clone, k, asked(n)), equal, fmt.Sprintf("the clone of one of %d keys", n))
	if p.add == nil {
		return nil
	}
	few := max(1, n/4)
	for i := n; i < n+few; i++ {
		if err := p.add(clone, k.at(i)); err != nil {
			return err
		}
	}
	p.compare(f, k, before, p.answers(s, k, asked(n)), equal, fmt.Sprintf("%d keys, then %d more in the clone", n, few))
	before = p.answers(clone, k, asked(n))
	for i := n + few; i < n+2*few; i++ {
		if err := p.add(s, k.at(i)); err != nil {
			return err
		}
	}
	p.compare(f, k, before, p.answers(clone, k, asked(n)), equal, fmt.Sprintf("the clone of one of %d keys, then %d more in that", n, few))
	return nil
}

// concurrentCases: readers side by side get the answers of one alone. Under the
// race detector it finds reads that write.
func (p probe[S]) concurrentCases() []Case {
	if len(p.promises) > 0 && !slices.ContainsFunc(p.promises, func(q sketchproof.Promise) bool { return q.Of == sketchproof.Concurrency }) {
		return nil // a library that says nothing of readers promises none
	}
	const readers = 4
	return []Case{invariant(
		sketchproof.Concurrency, "changed/answers", "readers", "reading changes nothing", (1+readers)*p.operations(), record.L("check", "concurrent-reads"),
		func(k keys, f *finding) error {
			for _, n := range p.sizes {
				s, err := p.hold(n, k, 0, n)
				if err != nil {
					return err
				}
				want := p.answers(s, k, asked(n))
				got, err := sideBySide(readers, func() (got []uint64) {
					for range 4 { // else one may be done before the next has begun
						if got = p.answers(s, k, asked(n)); !slices.Equal(got, want) {
							break
						}
					}
					return got
				})
				if err != nil {
					return err
				}
				for _, g := range got {
					p.compare(f, k, want, g, equal, fmt.Sprintf("%d keys, %d readers", n, readers))
				}
			}
			return nil
		},
	)}
}

// sideBySide asks the same in several goroutines, which begin together. A panic of
// one is an error.
func sideBySide(n int, ask func() []uint64) ([][]uint64, error) {
	got := make([][]uint64, n)
	faults := make(chan error, n)
	begin := make(chan struct{})
	for i := range n {
		go func() {
			defer func() {
				if r := recover(); r != nil {
					faults <- fmt.Errorf("panic in a reader: %v", r)
					return
				}
				faults <- nil
			}()
			<-begin
			got[i] = ask()
		}()
	}
	close(begin)
	var first error
	for range n {
		if err := <-faults; err != nil && first == nil {
			first = err
		}
	}
	return got, first
}
