package sketchtest

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
)

// membershipChecks: a key that was accepted is found, whatever the number of keys,
// their shape, and what was offered besides.
func membershipChecks(s sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec], e Effort) []Case {
	if s.Forgets {
		return nil
	}
	t := filterTrialOf(s)
	var cases []Case
	for _, shape := range t.membershipShapes(e) {
		cases = append(cases, t.sizesCase(shape, "small", smallSizes))
	}
	cases = append(cases, t.switchCase("64-to-1024", 64, 1024), t.duplicatesCase())
	if t.bytes {
		cases = append(cases, t.lengthsCase())
	}
	if t.adds {
		cases = append(cases, t.pastCapacityCase(64), t.pastCapacityCase(1000))
	}
	if e >= Usual {
		cases = append(cases, t.switchCase("10000-to-13000", 10000, 13000), t.gridCase(),
			t.sizesCase(randomShape, "to-8193", aroundPowers(2048, 8192)))
	}
	if e >= Long {
		cases = append(cases, t.sizesCase(randomShape, "million", []int{1_000_000, 4_000_000}))
	}
	return cases
}

// membershipShapes are random keys, and keys that are alike.
func (t filterTrial) membershipShapes(e Effort) []shape {
	shapes := numberShapes[:2]
	if e >= Usual {
		shapes = numberShapes
	}
	if t.bytes {
		shapes = append(slices.Clone(shapes), textShapes[0])
		if e >= Usual {
			shapes = append(shapes, textShapes[1:]...)
		}
	}
	return shapes
}

// smallSizes are no key, few, and what lies about the powers of two.
var smallSizes = append([]int{0, 1, 2, 3}, aroundPowers(4, 1024)...)

// aroundPowers are the powers of two in a range, and what is one beside them.
func aroundPowers(from, to int) []int {
	var sizes []int
	for n := from; n <= to; n *= 2 {
		sizes = append(sizes, n-1, n, n+1)
	}
	return sizes
}

// membership is a case of keys that must be found.
func membership(labels record.Labels, operations int, run func(k keys, f *finding) error) Case {
	return invariant(sketchproof.Membership, sketchproof.MetricFalseNeg, "no-false-negatives", "Bloom 1970: an added key is always found",
		operations, append(record.L("check", "membership"), labels...), run)
}

// spec is that of a filter for n keys in a trial.
func (t filterTrial) spec(k keys, n int) sketchproof.FilterSpec {
	return sketchproof.FilterSpec{Capacity: n, Epsilon: usualRate, Seed: k.seed()}
}

// sizesCase builds a filter of each size.
func (t filterTrial) sizesCase(s shape, name string, sizes []int) Case {
	sum := 0
	for _, n := range sizes {
		sum += 2 * n
	}
	return membership(record.L("shape", s.name, "n", name), sum, func(k keys, f *finding) error {
		for i, n := range sizes {
			if err := t.found(f, t.spec(k, n), s.keys(part(uint64(k), i), n, held)); err != nil {
				return err
			}
		}
		return nil
	})
}

// found builds a filter of keys, and asks for those that it accepted.
func (t filterTrial) found(f *finding, spec sketchproof.FilterSpec, list []key) error {
	l, err := t.load(spec, list)
	if err != nil {
		return err
	}
	f.asked += int64(len(l.accepted))
	if lost := l.lost(); len(lost) > 0 {
		f.wrong += int64(len(lost))
		if f.input == "" {
			f.input = t.smallestLoss(spec, list)
		}
	}
	return nil
}

// shrinkOperations bounds the additions that are spent on making an input smaller.
const shrinkOperations = 100_000

// smallestLoss makes a list of offered keys smaller, of which one is lost, and says
// what is left. A filter for fewer keys comes first, then fewer keys.
func (t filterTrial) smallestLoss(spec sketchproof.FilterSpec, list []key) string {
	what := fmt.Sprintf("%s: a key is lost, but not when it was built once more", described(spec, list))
	loses := func(spec sketchproof.FilterSpec, list []key) bool {
		const again = 3 // what draws at random loses now and then
		for range again {
			l, err := t.load(spec, list)
			if err != nil {
				return false
			}
			if lost := l.lost(); len(lost) > 0 {
				what = fmt.Sprintf("%s: %d accepted, %d refused; %s %s lost",
					described(spec, list), len(l.accepted), l.refused, listed(lost), isOrAre(len(lost)))
				return true
			}
		}
		return false
	}
	for half := spec; half.Capacity > 1 && len(list) > 1; {
		half.Capacity /= 2
		if !loses(half, list[:(len(list)+1)/2]) {
			break
		}
		spec, list = half, list[:(len(list)+1)/2]
	}
	if !t.adds {
		spec.Capacity = 0 // a static filter is built for its keys
	}
	shrink(list, shrinkOperations/max(100, len(list)), func(list []key) bool { return loses(spec, list) })
	return what
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// sizeOf is the size of a filter built for n keys, and of n where it is static.
func (t filterTrial) sizeOf(k keys, n int) (size int, err error) {
	var list []key
	if !t.adds {
		list = randomShape.keys(uint64(k), n, held)
	}
	l, err := t.load(t.spec(k, n), list)
	if err != nil {
		return 0, err
	}
	return l.f.SizeBytes(), nil
}

// jump finds the n in (from, to] at which the size grows most in comparison with n:
// where the mode of an implementation changes. It halves the range that grows more.
func (t filterTrial) jump(k keys, from, to int) (int, error) {
	var fault error
	size := func(n int) float64 {
		bytes, err := t.sizeOf(k, n)
		if err != nil {
			fault = err
		}
		return float64(bytes)
	}
	below, above := size(from), size(to)
	for to-from > 1 && fault == nil {
		middle := from + (to-from)/2
		between := size(middle)
		if between-below >= above-between {
			to, above = middle, between
		} else {
			from, below = middle, between
		}
	}
	return to, fault
}

// switchCase looks for the sizes where the memory jumps, between two, and builds
// filters just below and above.
func (t filterTrial) switchCase(name string, low, high int) Case {
	return membership(record.L("n", "switch-"+name), 20*high, func(k keys, f *finding) error {
		from := low + int(uint64(k)%uint64(low)/2)
		n, err := t.jump(k, from, min(2*from, high))
		if err != nil {
			return err
		}
		for i, n := range []int{n - 1, n, n + 1} {
			if err := t.found(f, t.spec(k, n), randomShape.keys(part(uint64(k), i), n, held)); err != nil {
				return err
			}
		}
		return nil
	})
}

// gridCase takes sizes of all octaves, and some where the segments of a binary fuse
// filter begin to matter, about 11 500 keys; each trial others.
func (t filterTrial) gridCase() Case {
	return membership(record.L("n", "grid"), 2*(11500*4+16000), func(k keys, f *finding) error {
		var sizes []int
		for octave := 1; octave <= 8192; octave *= 2 {
			sizes = append(sizes, octave+int(k.at(octave)%uint64(octave)))
		}
		for i := range 4 {
			sizes = append(sizes, 11250+125*i+int(k.at(i)%125))
		}
		sort.Ints(sizes)
		for i, n := range sizes {
			if err := t.found(f, t.spec(k, n), randomShape.keys(part(uint64(k), i), n, held)); err != nil {
				return err
			}
		}
		return nil
	})
}

// duplicatesCase gives keys more than once. A filter may refuse to be built of such
// keys, but not lose one without a word.
func (t filterTrial) duplicatesCase() Case {
	return membership(record.L("keys", "repeated"), 20000, func(k keys, f *finding) error {
		for _, n := range []int{1, 2, 100, 1000} {
			list := randomShape.keys(uint64(k), n, inOrder)
			at := int(part(uint64(k), n) % uint64(n))
			for _, repeated := range [][]key{
				slices.Insert(slices.Clone(list), at, list[n-1]), // one of them twice
				slices.Concat(list, list, list),
				slices.Repeat(list[:1], min(n, 100)),
			} {
				if err := t.foundOrRefused(f, t.spec(k, len(repeated)), repeated); err != nil {
					return err
				}
			}
		}
		return f.also(func(f *finding) error {
			ends := endKeys()
			for i := range ends {
				if err := t.found(f, t.spec(k, 1), ends[i:i+1]); err != nil {
					return err
				}
			}
			return t.found(f, t.spec(k, len(ends)), ends)
		})
	})
}

// endKeys are numbers at the ends of 32 and 64 bits: the first and the last stand
// for an empty place in many a table.
func endKeys() []key {
	var list []key
	for _, number := range []uint64{0, math.MaxUint64, 1, math.MaxUint64 - 1, 1 << 63, 1<<63 - 1, math.MaxUint32, 1 << 32} {
		list = append(list, key{number: number})
	}
	return list
}

// foundOrRefused is found where a static filter may refuse to be built. What panics
// does not refuse.
func (t filterTrial) foundOrRefused(f *finding, spec sketchproof.FilterSpec, list []key) error {
	if !t.adds {
		refused := false
		err := guard(func() string { return described(spec, list) }, func() error {
			_, err := t.Build(withKeys(spec, list))
			refused = err != nil
			return nil
		})
		if err != nil || refused {
			f.asked++
			return err
		}
	}
	return t.found(f, spec, list)
}

const mebibyte = 1 << 20

// lengthsCase has byte strings of all lengths: none, few, and a mebibyte.
func (t filterTrial) lengthsCase() Case {
	return membership(record.L("keys", "lengths"), 4000, func(k keys, f *finding) error {
		long := make([]byte, mebibyte)
		long[part(uint64(k), 1)%mebibyte] = 1
		longer := append(slices.Clone(long), 0)
		list := []key{{isText: true, text: []byte{}}, {isText: true, text: long}, {isText: true, text: longer}}
		for n := 1; n <= 256; n++ { // each is the beginning of the next
			list = append(list, key{isText: true, text: long[:n:n]})
		}
		if err := t.found(f, t.spec(k, 1), list[:1]); err != nil {
			return err
		}
		return t.found(f, t.spec(k, len(list)), list)
	})
}

// pastCapacityCase offers twice the capacity: all that was accepted is asked for
// when the first key is refused, and at the end.
func (t filterTrial) pastCapacityCase(capacity int) Case {
	return membership(record.L("n", "past-capacity", "capacity", capacity), 6*capacity, func(k keys, f *finding) error {
		spec := t.spec(k, capacity)
		list := randomShape.keys(uint64(k), 2*capacity, inOrder)
		l, err := t.load(spec, list)
		if err != nil {
			return err
		}
		if l.refused > 0 { // up to the first refusal, and it
			if err := t.found(f, spec, list[:l.first+1]); err != nil {
				return err
			}
		}
		return t.found(f, spec, list)
	})
}
