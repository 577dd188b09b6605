package infini

import (
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// filled holds n keys: 943 718 fill 2^20 slots to nine tenths. It has doubled g
// times.
func filled(b *testing.B, n uint64, g int) *Filter {
	p, err := Size(n>>g, 0.01)
	if err != nil {
		b.Fatal(err)
	}
	f := must(b, p)
	for i := range n {
		if err := f.AddHash(hashOf(1, i)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(8*float64(f.SizeBytes())/float64(n), "bits/key")
	return f
}

func BenchmarkLookup(b *testing.B) {
	for _, n := range []uint64{14_745, 943_718} {
		for _, g := range []int{0, 6} {
			f := filled(b, n, g)
			const length = 1024
			hashes, found := make([]uint64, length), make([]bool, length)
			for name, from := range map[string]uint64{"hit": 0, "miss": 1 << 31} {
				over := func(how string, run func()) {
					b.Run(fmt.Sprintf("n=%d/doublings=%d/%s/%s", n, g, name, how), func(b *testing.B) {
						for i := 0; i < b.N; i += length {
							for j := range hashes {
								hashes[j] = hashOf(1, from+hashing.Mix(uint64(i+j))%n)
							}
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
			}
		}
	}
}

// Adding, doublings included, to a million keys.
func BenchmarkAdd(b *testing.B) {
	for _, g := range []int{0, 6} {
		b.Run(fmt.Sprintf("n=943718/doublings=%d", g), func(b *testing.B) {
			for i := 0; i < b.N; i += 943_718 {
				filled(b, 943_718, g)
			}
		})
	}
}
