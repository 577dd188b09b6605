package adapters

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func TestFiltersRefuseImpossibleRates(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		promises := slices.ContainsFunc(s.Laws, func(l filterLaw) bool { return l.Name == PromiseLaw })
		if !promises && (!native(s) || exactSet(s)) {
			t.Skip("its rate is not chosen")
		}
		for _, eps := range []float64{0, 1, -1, 2, math.NaN(), math.Inf(1), math.Inf(-1)} {
			if _, err := s.Build(sketchproof.FilterSpec{Keys: numbers(0, 10), Capacity: 10, Epsilon: eps}); err == nil {
				t.Errorf("rate %v was taken", eps)
			}
		}
		for _, eps := range []float64{math.SmallestNonzeroFloat64, 1e-300, 1e-18, 1e-9, 0.3, 0.999, 1 - 1e-16} {
			f, err := s.Build(sketchproof.FilterSpec{Keys: numbers(0, 10), Epsilon: eps})
			if err == nil {
				allFound(t, "odd rate", f, numbers(0, 10))
			}
		}
	})
}

func TestFiltersOfFewKeys(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		for n := range 12 {
			keys := numbers(0, n)
			f := built(t, s, sketchproof.FilterSpec{Keys: keys, Epsilon: 0.01, Seed: 1})
			allFound(t, "few", f, keys)
			if f.SizeBytes() < 0 || n > 0 && f.SizeBytes() == 0 {
				t.Errorf("%d keys in %d bytes", n, f.SizeBytes())
			}
			// Of 1000 absent keys a rate of 1 % lets 32 through once in ten million.
			if wrong := bytes.Count(answers(f, n, n+1000), []byte{1}); native(s) && wrong > 32 {
				t.Errorf("%d keys: %d of 1000 absent keys found", n, wrong)
			}
		}
	})
}

// A set has no repeats, whatever the list that it was made from.
func TestFiltersOfRepeatedKeys(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		keys := slices.Concat(numbers(0, held/2), numbers(0, held/2))
		f, err := s.Build(sketchproof.FilterSpec{Keys: keys, Epsilon: 0.01, Seed: 1})
		if err != nil {
			if native(s) || !errors.Is(err, sketchproof.ErrFull) {
				t.Fatal(err)
			}
			t.Skip(err)
		}
		allFound(t, "repeated", f, keys)
		if _, ok := f.(sketchproof.Adder); !ok {
			once := filled(t, s, numbers(0, held/2))
			if again := filled(t, s, slices.Concat(keys, keys)); native(s) && again.SizeBytes() > 2*once.SizeBytes() {
				t.Errorf("%d bytes of keys once, %d of keys four times", once.SizeBytes(), again.SizeBytes())
			}
		}
	})
}

// A build from a list is a function of the set, and leaves the list alone.
func TestStaticFiltersDoNotMindTheOrder(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		keys := numbers(0, held)
		f := filled(t, s, keys)
		if !slices.Equal(keys, numbers(0, held)) {
			t.Fatal("the caller's keys were moved")
		}
		if _, ok := f.(sketchproof.Adder); ok {
			t.Skip("it takes keys later")
		}
		slices.Reverse(keys)
		g := filled(t, s, keys)
		clear(keys)
		allFound(t, "cleared", g, numbers(0, held))
		if !bytes.Equal(state(t, s, f), state(t, s, g)) {
			t.Error("another order made another filter")
		}
	})
}

func TestCapacitiesOutOfRange(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		if !native(s) {
			t.Skip("a library's")
		}
		for _, capacity := range []int{0, -1, math.MinInt, math.MaxInt, math.MaxInt - 1, 1 << (62 * (math.MaxInt >> 62 & 1))} {
			f, err := s.Build(sketchproof.FilterSpec{Capacity: capacity, Epsilon: 0.01})
			if err != nil {
				continue
			}
			if a, ok := f.(sketchproof.Adder); ok {
				if err := a.Add(1); err == nil && !f.Contains(1) || err != nil && !errors.Is(err, sketchproof.ErrFull) {
					t.Errorf("capacity %d: key 1 is lost, or %v", capacity, err)
				}
			}
		}
	})
}

// Byte strings are found, the empty one and long ones too, and are not kept.
func TestByteStringsAreNotKept(t *testing.T) {
	keys := append(texts(0, held-2), []byte{}, make([]byte, 5000))
	absent := texts(held, held+5000)
	eachFilter(t, func(t *testing.T, s Filter) {
		given := make([][]byte, len(keys))
		for i, key := range keys {
			given[i] = bytes.Clone(key)
		}
		f := filledBytes(t, s, given)
		if f == nil {
			t.Skip("it takes no byte strings")
		}
		for i := range given {
			if !bytes.Equal(given[i], keys[i]) {
				t.Fatal("the caller's keys were changed")
			}
			for j := range given[i] {
				given[i][j] ^= 0xff
			}
		}
		clear(given)
		for i, key := range keys {
			if !f.ContainsBytes(key) {
				t.Fatalf("byte string %d went with its buffer", i)
			}
		}
		wrong := 0
		for _, key := range absent {
			if f.ContainsBytes(key) {
				wrong++
			}
		}
		if wrong > 5000/20 {
			t.Errorf("%d of 5000 absent byte strings found", wrong)
		}
	})
}

// Many may read at once: the race detector watches.
func TestReadersDoNotDisturbEachOther(t *testing.T) {
	keys := numbers(0, 600)
	eachFilter(t, func(t *testing.T, s Filter) {
		f, words := filled(t, s, keys[:held]), filledBytes(t, s, texts(0, 10))
		want := answers(f, 0, 600)
		var readers sync.WaitGroup
		for range 3 {
			readers.Go(func() {
				if !bytes.Equal(answers(f, 0, 600), want) {
					t.Error("answers differ")
				}
				if b, ok := f.(sketchproof.BatchFilter); ok {
					if got := b.CountBatch(keys); got != bytes.Count(want, []byte{1}) {
						t.Errorf("%d counted", got)
					}
				}
				if words != nil && !words.ContainsBytes(texts(3, 4)[0]) {
					t.Error("a byte string is lost")
				}
				if s.Encode != nil {
					if _, err := s.Encode(f); err != nil {
						t.Error(err)
					}
				}
			})
		}
		readers.Wait()
	})
}

// SizeBytes is what the heap holds, within a tenth and the allocator's rounding.
func TestSizeIsTheHeaps(t *testing.T) {
	keys := numbers(0, 20000)
	eachFilter(t, func(t *testing.T, s Filter) {
		spec := sketchproof.FilterSpec{Keys: keys, Epsilon: 0.01, Seed: 1}
		f := weighed(t, s, spec, 10)
		size := f.SizeBytes()
		if s.Encode == nil || !native(s) {
			return
		}
		if data := state(t, s, f); len(data) > size+1024 {
			t.Errorf("%d bytes are written of %d", len(data), size)
		}
	})
}

// weighed is a filter that tells what the heap grew by, give or take one part in so
// many and the allocator's rounding. The process allocates for itself now and then:
// the best of three counts.
func weighed(t *testing.T, s Filter, spec sketchproof.FilterSpec, part int) sketchproof.Filter {
	t.Helper()
	built(t, s, spec) // what is computed once a process is
	for try := 1; ; try++ {
		before := live()
		f := built(t, s, spec)
		grown, size := int(live())-int(before), f.SizeBytes()
		runtime.KeepAlive(f)
		if slack := size/part + 8<<10; grown <= size+slack && grown >= size-slack {
			return f
		}
		if try == 3 {
			t.Fatalf("the heap grew by %d bytes, SizeBytes is %d", grown, size)
		}
	}
}

// live is the heap in use after a collection, and a second one: what lies in a
// sync.Pool survives the first.
func live() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A keyed subject hashes under its secret: its keys are found, and another secret
// makes another filter.
func TestKeyedFiltersHashUnderTheSecret(t *testing.T) {
	for _, s := range Filters {
		if !s.Keyed {
			continue
		}
		spec := sketchproof.FilterSpec{Keys: numbers(0, held), Epsilon: 0.01, Secret: [16]byte{1, 15: 2}}
		f := built(t, s, spec)
		allFound(t, "keyed", f, spec.Keys)
		if h, ok := f.(hashed); ok && h.Hash() != hashing.Keyed(spec.Secret) {
			t.Errorf("%s hashes by %v", s.Name, h.Hash())
		}
		one := answers(f, held, 20000)
		spec.Secret[3] = 1
		other := answers(built(t, s, spec), held, 20000)
		// Filters of long fingerprints have no false positive here to differ by.
		if bytes.Contains(one, []byte{1}) && bytes.Equal(one, other) {
			t.Errorf("%s: two secrets make one filter", s.Name)
		}
	}
}
