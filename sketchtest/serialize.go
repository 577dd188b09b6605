package sketchtest

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
)

// formCases: what was written is read again as it was, and damaged bytes are
// refused, or read without harm.
func (p probe[S]) formCases() []Case {
	var cases []Case
	for _, form := range p.forms {
		of := func(check string) record.Labels { return record.L("check", check, "form", form.Name) }
		damage := func(k keys, f *finding) error {
			// Bytes that say they are longer than they are ask for what no machine has.
			defer limitMemory(1 << 30)()
			return errors.Join(p.cutOff(f, form, k), p.damaged(f, form, k))
		}
		cases = append(cases,
			invariant(sketchproof.Serialization, "wrong/answers", "round-trip", "what was written is read again", 3*p.operations(), of("round-trip"),
				func(k keys, f *finding) error {
					return errors.Join(p.roundTrips(f, form, k), f.also(func(f *finding) error { return p.readsOver(f, form, k) }))
				}),
			fatal(invariant(sketchproof.Robustness, "faults/damages", "damaged", "reading bytes may fail, and must not panic, nor lose keys unsaid", 20*p.operations(), of("damaged"),
				damage)))
	}
	return cases
}

// roundTrips writes and reads structures of all sizes, and adds to what was read.
// The writer's bytes and the reader's are overwritten: neither may be kept.
func (p probe[S]) roundTrips(f *finding, form sketchproof.Form[S], k keys) error {
	for _, n := range p.sizes {
		s, err := p.hold(n, k, 0, n)
		if err != nil {
			return err
		}
		want := p.answers(s, k, asked(n))
		data, err := form.Encode(s)
		if err != nil {
			f.asked++
			f.fail("%d keys are not written: %v", n, err)
			continue
		}
		input := bytes.Clone(data)
		clear(data)
		p.compare(f, k, want, p.answers(s, k, asked(n)), equal, fmt.Sprintf("%d keys, written, and the bytes overwritten", n))
		read, fault, err := decode(form, input)
		if err != nil {
			fault = err.Error()
		}
		if fault != "" {
			f.asked++
			f.fail("%d keys are written and not read again: %s", n, fault)
			continue
		}
		p.compare(f, k, want, p.answers(read, k, asked(n)), equal, fmt.Sprintf("%d keys, written and read again", n))
		clear(input)
		p.compare(f, k, want, p.answers(read, k, asked(n)), equal, fmt.Sprintf("%d keys, written and read again, and the bytes overwritten", n))
		if p.add == nil || p.random {
			continue
		}
		for i := n; i < n+n/4; i++ {
			if err := p.add(s, k.at(i)); err != nil {
				return err
			}
			if err := p.add(read, k.at(i)); err != nil {
				f.asked++
				f.fail("%d keys, written and read again: one more is refused: %v", n, err)
				break
			}
		}
		p.compare(f, k, p.answers(s, k, asked(n)), p.answers(read, k, asked(n)), equal, fmt.Sprintf("%d keys, written and read again, and %d added", n, n/4))
	}
	return nil
}

// readsOver reads into structures that hold other keys. They may refuse it, but not
// keep anything of what they were.
func (p probe[S]) readsOver(f *finding, form sketchproof.Form[S], k keys) error {
	if form.Into == nil {
		return nil
	}
	for _, n := range p.sizes {
		s, err := p.hold(n, k, 0, n)
		if err != nil {
			return err
		}
		used, err := p.hold(n, k, n, 2*n+1)
		if err != nil {
			return err
		}
		data, err := form.Encode(s)
		if err != nil {
			continue // another check's matter
		}
		var refusal error
		if fault := guarded(func() { refusal = form.Into(used, data) }); fault != "" {
			f.fail("%d keys, read into one of %d others: %s", n, n+1, fault)
		} else if refusal == nil {
			p.compare(f, k, p.answers(s, k, asked(n)), p.answers(used, k, asked(n)), equal, fmt.Sprintf("%d keys, written and read into one of %d others", n, n+1))
		}
	}
	return nil
}

// written is a structure of a hundred keys, and its bytes.
func (p probe[S]) written(form sketchproof.Form[S], k keys) (want []uint64, data []byte, err error) {
	const n = 100
	s, err := p.hold(n, k, 0, n)
	if err != nil {
		return nil, nil, err
	}
	data, err = form.Encode(s)
	return p.answers(s, k, n), bytes.Clone(data), err
}

// places are some of the indices of n bytes: the first sixteen, where heads are,
// and others evenly apart to the last.
func places(n int) []int {
	var list []int
	for at := 0; at < n; at += 1 + at/16*max(1, n/400) {
		list = append(list, at)
	}
	if n > 0 {
		list = append(list, n-1)
	}
	return list
}

// cutOff reads the bytes without their end. They may be taken only if nothing is
// lost by that, as where the end says nothing.
func (p probe[S]) cutOff(f *finding, form sketchproof.Form[S], k keys) error {
	want, data, err := p.written(form, k)
	if err != nil {
		return err
	}
	for _, at := range places(len(data)) {
		f.asked++
		read, fault, err := decode(form, data[:at])
		if fault != "" {
			f.fail("the first %d of %d bytes of %d keys: %s", at, len(data), len(want), fault)
			continue
		}
		if err != nil {
			continue
		}
		for i, got := range p.answers(read, k, len(want)) {
			if i < len(want) && got != want[i] {
				f.fail("the first %d of %d bytes are read without an error, and %s answers %s, not %s", at, len(data), p.about(k, i), p.word(got), p.word(want[i]))
				break
			}
		}
	}
	return nil
}

// hanging is how long bytes of a hundred keys may take, which take microseconds.
// Beyond, as where a number of hash functions was damaged, nothing but the end of
// the process ends it.
const hanging = 5 * time.Second

// damaged flips one bit of the bytes. It may be seen or not: without a checksum
// nobody can. To read must not panic, nor take memory that the bytes cannot fill,
// and what was read must answer.
func (p probe[S]) damaged(f *finding, form sketchproof.Form[S], k keys) error {
	want, data, err := p.written(form, k)
	if err != nil {
		return err
	}
	for _, at := range places(len(data)) {
		for _, bit := range []int{0, 6, 7} {
			f.asked++
			watch := time.AfterFunc(hanging, func() {
				panic(fmt.Sprintf("damaged bytes are read, or answered from, for more than %v", hanging))
			})
			bad := bytes.Clone(data)
			bad[at] ^= 1 << bit
			read, fault, err := decode(form, bad)
			if err == nil && fault == "" {
				fault = guarded(func() { p.answers(read, k, len(want)) })
			}
			if fault != "" {
				f.fail("%d keys, bit %d of byte %d of %d flipped: %s", len(want), bit, at, len(data), fault)
			}
			watch.Stop()
		}
	}
	return nil
}

// decode reads bytes. A fault is a panic, or memory beyond what they could hold.
func decode[S any](form sketchproof.Form[S], data []byte) (s S, fault string, err error) {
	const few, each = 64 << 20, 1 << 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fault = guarded(func() { s, err = form.Decode(data) })
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; fault == "" && took > few+each*uint64(len(data)) {
		fault = fmt.Sprintf("reading %d bytes takes more than %d MiB", len(data), few>>20) // how much exactly differs from run to run
		runtime.GC()                                                                       // the next one must not die of it
	}
	return s, fault, err
}

// guarded runs f and returns what it panicked with, "" if it did not.
func guarded(f func()) (fault string) {
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Sprintf("panic: %v", r)
		}
	}()
	f()
	return ""
}

// fatal marks a case whose trials may end their process. One is enough: each bit is
// flipped whatever the keys.
func fatal(c Case) Case {
	c.Fatal, c.Trials = true, 1
	return c
}
