package bloom

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Batches of every scheme, number of probes modulo three and length around the
// block give the bits and the answers of single calls.
func TestBatchesAreSingleCalls(t *testing.T) {
	for _, s := range Schemes() {
		for k := uint64(1); k <= 8; k++ {
			for _, n := range []int{0, 1, 63, 64, 65, 300} {
				p := Params{M: 100 * k, K: k, Scheme: s, Hash: hashing.XX(k)}
				one, many := must(t, p), must(t, p)
				var keys, hashes []uint64
				var texts [][]byte
				for i := range n {
					keys = append(keys, uint64(i))
					hashes = append(hashes, hashOf(uint64(i)))
					texts = append(texts, binary.AppendUvarint([]byte("text"), uint64(i)))
				}
				for i := range n / 2 {
					add(t, one, keys[i])
					_, _ = one.AddHash(hashes[i]), one.AddBytes(texts[i])
				}
				a, _ := many.AddBatch(keys[:n/2])
				b, _ := many.AddHashBatch(hashes[:n/2])
				c, _ := many.AddBytesBatch(texts[:n/2])
				if a != n/2 || b != n/2 || c != n/2 || !many.Equal(one) {
					t.Fatalf("%v k=%d n=%d: %d, %d and %d added, or other bits", s, k, n, a, b, c)
				}
				same := func(what string, batch func(found []bool), count int, single func(i int) bool) {
					got, want, positives := make([]bool, n+1), make([]bool, n+1), 0
					got[n], want[n] = true, true // what lies beyond stays
					for i := range n {
						if got[i] = i%2 == 0; single(i) {
							want[i] = true
							positives++
						}
					}
					if batch(got); !slices.Equal(got, want) || count != positives {
						t.Errorf("%v k=%d n=%d %s: %v counted %d, want %v", s, k, n, what, got, count, want)
					}
				}
				same("keys", func(f []bool) { one.ContainsBatch(keys, f) }, one.CountBatch(keys), func(i int) bool { return one.Contains(keys[i]) })
				same("hashes", func(f []bool) { one.ContainsHashBatch(hashes, f) }, one.CountHashBatch(hashes), func(i int) bool { return one.ContainsHash(hashes[i]) })
				same("texts", func(f []bool) { one.ContainsBytesBatch(texts, f) }, one.CountBytesBatch(texts), func(i int) bool { return one.ContainsBytes(texts[i]) })
			}
		}
	}
}

// Both ways see the same keys of the same filter, each key once.
func BenchmarkBatch(b *testing.B) {
	for _, n := range []uint64{10_000, 1_000_000, 10_000_000} {
		f, err := ForRate(n, 0.01, Nearest, hashing.XX(1))
		if err != nil {
			b.Fatal(err)
		}
		const length = 1024
		hashes, found := make([]uint64, length), make([]bool, length)
		fill := func(from uint64) {
			for i := range hashes {
				hashes[i] = hashOf(from + uint64(i))
			}
		}
		for i := uint64(0); i < n; i += length {
			fill(i)
			_, _ = f.AddHashBatch(hashes)
		}
		for _, probe := range []struct {
			name       string
			from, span uint64
		}{{"hit", 0, n &^ (length - 1)}, {"miss", 1 << 40, 1 << 40}} {
			over := func(how string, run func()) {
				b.Run(fmt.Sprintf("n=%d/%s/%s", n, probe.name, how), func(b *testing.B) {
					for i := uint64(0); i < uint64(b.N); i += length {
						fill(probe.from + i%probe.span)
						run()
					}
				})
			}
			over("single", func() {
				for i, h := range hashes {
					found[i] = f.ContainsHash(h)
				}
			})
			over("batch", func() { f.ContainsHashBatch(hashes, found) })
			over("count", func() { f.CountHashBatch(hashes) })
		}
		g := f.Clone()
		for how, run := range map[string]func(){
			"single": func() {
				for _, h := range hashes {
					_ = g.AddHash(h)
				}
			},
			"batch": func() { _, _ = g.AddHashBatch(hashes) },
		} {
			b.Run(fmt.Sprintf("n=%d/add/%s", n, how), func(b *testing.B) {
				for i := uint64(0); i < uint64(b.N); i += length {
					fill(1<<41 + i)
					run()
				}
			})
		}
	}
}
