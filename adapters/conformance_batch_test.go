package adapters

import (
	"bytes"
	"errors"
	"testing"

	"github.com/sketchproof/sketchproof"
)

// batchLengths are at and about the ends of a buffer of 256, and beyond some.
var batchLengths = []int{0, 1, 7, 255, 256, 257, 1000}

func TestBatchesAnswerAsSingleCalls(t *testing.T) {
	// Half of those asked for are in, in no order.
	ask := func(i int) int { return i * 7 % 1000 * 2 * held / 1000 }
	keys, words := make([]uint64, 1000), make([][]byte, 1000)
	pool := texts(0, 2*held)
	for i := range keys {
		keys[i], words[i] = key(ask(i)), pool[ask(i)]
	}
	eachFilter(t, func(t *testing.T, s Filter) {
		f := filled(t, s, numbers(0, held))
		if b, ok := f.(sketchproof.BatchFilter); ok {
			sameAnswers(t, "numbers", keys, f.Contains, b.ContainsBatch, b.CountBatch)
		}
		if b, ok := f.(sketchproof.HashBatchFilter); ok {
			hashes := bytesOf(keys, func(k uint64) uint64 { return k })
			if h, tells := f.(hashed); tells {
				hashes = bytesOf(keys, h.Hash().Uint64)
			}
			sameAnswers(t, "hashes", hashes, f.(sketchproof.HashFilter).ContainsHash, b.ContainsHashBatch, b.CountHashBatch)
		}
		g := filledBytes(t, s, texts(0, held))
		if b, ok := g.(sketchproof.BytesBatchFilter); ok {
			sameAnswers(t, "byte strings", words, g.ContainsBytes, b.ContainsBytesBatch, b.CountBytesBatch)
		}
	})
}

// bytesOf maps a list.
func bytesOf(list []uint64, f func(uint64) uint64) []uint64 {
	mapped := make([]uint64, len(list))
	for i, x := range list {
		mapped[i] = f(x)
	}
	return mapped
}

// sameAnswers holds the batches against the single call.
func sameAnswers[K any](t *testing.T, kind string, keys []K, one func(K) bool, batch func([]K, []bool), count func([]K) int) {
	t.Helper()
	for _, n := range batchLengths {
		found, want := make([]bool, n+3), 0
		for i := range found {
			found[i] = i%2 == 0 // what is not written shows, and the tail must stay
		}
		batch(keys[:n], found)
		for i, key := range keys[:n] {
			answer := one(key)
			if found[i] != answer {
				t.Fatalf("%d %s: number %d is found %v, alone %v", n, kind, i, found[i], answer)
			}
			if answer {
				want++
			}
		}
		for i, kept := range found[n:] {
			if kept != ((n+i)%2 == 0) {
				t.Errorf("%d %s: the answer beyond them was written", n, kind)
			}
		}
		if got := count(keys[:n]); got != want {
			t.Errorf("%d %s: %d counted, %d found", n, kind, got, want)
		}
		if n > 0 && !panics(func() { batch(keys[:n], make([]bool, n-1)) }) {
			t.Errorf("%d %s: %d answers were room enough", n, kind, n-1)
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// A batch makes the filter that single calls make, up to the key that is refused.
func TestBatchesAddAsSingleCalls(t *testing.T) {
	keys, words := numbers(0, 1000), texts(0, 1000)
	eachFilter(t, func(t *testing.T, s Filter) {
		if _, ok := filled(t, s, nil).(sketchproof.Adder); !ok {
			t.Skip("it takes no keys later")
		}
		for _, n := range batchLengths {
			for _, capacity := range []int{1000, 100} {
				a := additions{t, s, capacity, n}
				sameAdditions(a, "numbers", keys, sketchproof.Adder.Add, sketchproof.BatchAdder.AddBatch)
				sameAdditions(a, "hashes", keys, sketchproof.HashAdder.AddHash, sketchproof.HashBatchAdder.AddHashBatch)
				sameAdditions(a, "byte strings", words, sketchproof.BytesAdder.AddBytes, sketchproof.BytesBatchAdder.AddBytesBatch)
			}
		}
	})
}

// additions are how many keys to add to which filter.
type additions struct {
	t           *testing.T
	s           Filter
	capacity, n int
}

func sameAdditions[One, Batch, K any](a additions, kind string, keys []K, one func(One, K) error, batch func(Batch, []K) (int, error)) {
	a.t.Helper()
	fresh := func() sketchproof.Filter {
		return built(a.t, a.s, sketchproof.FilterSpec{Capacity: a.capacity, Epsilon: 0.01, Seed: 1})
	}
	f, g := fresh(), fresh()
	adder, ok := any(g).(Batch)
	if !ok {
		return
	}
	want, err := 0, error(nil)
	for ; want < a.n && err == nil; want++ {
		if err = one(any(f).(One), keys[want]); err != nil {
			want--
		}
	}
	added, batchErr := batch(adder, keys[:a.n])
	if added != want || !errors.Is(batchErr, err) {
		a.t.Fatalf("%d %s for %d: %d added, %v; alone %d, %v", a.n, kind, a.capacity, added, batchErr, want, err)
	}
	if err != nil && !errors.Is(err, sketchproof.ErrFull) {
		a.t.Errorf("%d %s for %d: refused with %v", a.n, kind, a.capacity, err)
	}
	if !bytes.Equal(state(a.t, a.s, f), state(a.t, a.s, g)) {
		a.t.Errorf("%d %s for %d: the batch made another filter", a.n, kind, a.capacity)
	}
}
