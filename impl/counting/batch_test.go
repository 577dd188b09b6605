package counting

import (
	"encoding/binary"
	"testing"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Cells that are not 0 are the bits of a Bloom filter, so the answers are too.
func TestCellsAreThoseOfBloom(t *testing.T) {
	const n = 500
	for _, bits := range []int{4, 8, 16} {
		for k := range uint64(11) {
			k++
			b, err := bloom.New(bloom.Params{M: 4001, K: k, Hash: hashing.XX(5)})
			if err != nil {
				t.Fatal(err)
			}
			f := mustNew(t, Params{Cells: 4001, Hashes: int(k), CellBits: bits, Hash: hashing.XX(5)})
			for key := range uint64(n) {
				_, _ = f.Add(key), b.Add(key)
			}
			sum := 0
			for i, c := range cells(f) {
				sum += c
				if (c > 0) != b.Bit(uint64(i)) {
					t.Fatalf("k=%d: cell %d is %d, the bit is %t", k, i, c, b.Bit(uint64(i)))
				}
			}
			if sum+int(f.Overflows()) != n*int(k) {
				t.Errorf("k=%d: the cells count %d, want %d", k, sum, n*k)
			}
			for key := range uint64(20 * n) {
				if f.Contains(key) != b.Contains(key) {
					t.Fatalf("%d bits, k=%d: key %d found: %t", bits, k, key, f.Contains(key))
				}
			}
		}
	}
}

// Batches are the single calls, for lengths around that of the hash buffer.
func TestBatchesAreSingleCalls(t *testing.T) {
	for _, scheme := range []Scheme{Derived, Independent} {
		for _, n := range []int{0, 1, 255, 256, 257, 700} {
			p := Params{Cells: 3000, Hashes: 4, CellBits: 4, Scheme: scheme, Hash: hashing.XX(9)}
			keys, texts := make([]uint64, 2*n), make([][]byte, 2*n)
			for i := range keys {
				keys[i] = uint64(i)
				texts[i] = binary.BigEndian.AppendUint32(nil, uint32(i))
			}
			one, many := mustNew(t, p), mustNew(t, p)
			for i := range n {
				_, _, _ = one.Add(keys[i]), one.AddBytes(texts[i]), one.AddHash(keys[i])
			}
			for _, add := range []func() (int, error){
				func() (int, error) { return many.AddBatch(keys[:n]) },
				func() (int, error) { return many.AddBytesBatch(texts[:n]) },
				func() (int, error) { return many.AddHashBatch(keys[:n]) },
			} {
				if added, err := add(); added != n || err != nil {
					t.Errorf("%d of %d added, %v", added, n, err)
				}
			}
			if !one.Equal(many) {
				t.Fatalf("%v, n=%d: the cells differ", scheme, n)
			}
			for name, c := range map[string]struct {
				batch  func(found []bool)
				count  int
				single func(i int) bool
			}{
				"keys":   {func(f []bool) { many.ContainsBatch(keys, f) }, many.CountBatch(keys), func(i int) bool { return one.Contains(keys[i]) }},
				"bytes":  {func(f []bool) { many.ContainsBytesBatch(texts, f) }, many.CountBytesBatch(texts), func(i int) bool { return one.ContainsBytes(texts[i]) }},
				"hashes": {func(f []bool) { many.ContainsHashBatch(keys, f) }, many.CountHashBatch(keys), func(i int) bool { return one.ContainsHash(keys[i]) }},
			} {
				found := make([]bool, 2*n+1)
				found[2*n] = true
				c.batch(found)
				count := 0
				for i := range 2 * n {
					if found[i] != c.single(i) {
						t.Errorf("%v %s: key %d found: %t", scheme, name, i, found[i])
					}
					if found[i] {
						count++
					}
				}
				if !found[2*n] || count != c.count {
					t.Errorf("%v %s: %d counted, %d found", scheme, name, c.count, count)
				}
			}
		}
	}
}
