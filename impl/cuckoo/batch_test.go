package cuckoo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Batches are single calls in their order, in every form and across the limits
// of the buffer, up to a refusal.
func TestBatchesAreSingleCalls(t *testing.T) {
	for _, p := range []Params{
		{Buckets: 256, Slots: 4, FingerprintBits: 8},  // octets
		{Buckets: 251, Slots: 4, FingerprintBits: 8},  // octets, any number of buckets
		{Buckets: 250, Slots: 4, FingerprintBits: 12}, // window
		{Buckets: 130, Slots: 8, FingerprintBits: 13}, // chunks
		{Buckets: 250, Slots: 4, FingerprintBits: 9, SemiSorted: true},
	} {
		p.Hash = hashing.XX(3)
		numbers := make([]uint64, 1100) // more than there are slots
		texts := make([][]byte, len(numbers))
		for i := range numbers {
			numbers[i] = uint64(i)
			texts[i] = binary.LittleEndian.AppendUint64(nil, uint64(i)<<1)
		}
		for name, c := range map[string]struct {
			add      func(f *Filter) (int, error)
			one      func(f *Filter, i int) error
			contains func(f *Filter, found []bool)
			is       func(f *Filter, i int) bool
			count    func(f *Filter) int
		}{
			"numbers": {
				func(f *Filter) (int, error) { return f.AddBatch(numbers) },
				func(f *Filter, i int) error { return f.Add(numbers[i]) },
				func(f *Filter, found []bool) { f.ContainsBatch(numbers, found) },
				func(f *Filter, i int) bool { return f.Contains(numbers[i]) },
				func(f *Filter) int { return f.CountBatch(numbers) },
			},
			"texts": {
				func(f *Filter) (int, error) { return f.AddBytesBatch(texts) },
				func(f *Filter, i int) error { return f.AddBytes(texts[i]) },
				func(f *Filter, found []bool) { f.ContainsBytesBatch(texts, found) },
				func(f *Filter, i int) bool { return f.ContainsBytes(texts[i]) },
				func(f *Filter) int { return f.CountBytesBatch(texts) },
			},
		} {
			f, err := New(p)
			if err != nil {
				t.Fatal(err)
			}
			g := f.Clone()
			added, refused := c.add(f)
			for i := range added {
				if err := c.one(g, i); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.one(g, added); !errors.Is(refused, sketchproof.ErrFull) || !errors.Is(err, refused) || !bytes.Equal(stored(t, f), stored(t, g)) {
				t.Errorf("%+v, %s: after %d: %v, one by one %v", p, name, added, refused, err)
			}
			found := make([]bool, len(numbers)+1)
			found[len(numbers)] = true
			c.contains(f, found)
			count := 0
			for i := range numbers {
				if found[i] != c.is(f, i) || i < added && !found[i] {
					t.Fatalf("%+v, %s: key %d: %v", p, name, i, found[i])
				}
				if found[i] {
					count++
				}
			}
			if got := c.count(f); got != count || !found[len(numbers)] {
				t.Errorf("%+v, %s: counted %d, want %d", p, name, got, count)
			}
		}
	}
}
