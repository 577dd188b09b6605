package bloom

import (
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// hashOf makes the i-th key's hash by counting, so that no two probes of a run
// are the same and the branch predictor learns nothing.
func hashOf(i uint64) uint64 { return hashing.Mix(i * hashing.Gamma) }

// overSizes runs a benchmark at 1 % on a filled filter of each size.
func overSizes(b *testing.B, run func(b *testing.B, f *Filter, n uint64)) {
	for _, n := range []uint64{10_000, 1_000_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			f, err := ForRate(n, 0.01, Nearest, hashing.XX(1))
			if err != nil {
				b.Fatal(err)
			}
			for i := range n {
				_ = f.AddHash(hashOf(i))
			}
			b.ResetTimer()
			run(b, f, n)
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	overSizes(b, func(b *testing.B, f *Filter, n uint64) {
		for i := range uint64(b.N) {
			_ = f.AddHash(hashOf(i))
		}
	})
}

func BenchmarkHit(b *testing.B) {
	overSizes(b, func(b *testing.B, f *Filter, n uint64) {
		found := 0
		for i := range uint64(b.N) {
			if f.ContainsHash(hashOf(i % n)) {
				found++
			}
		}
		if found != b.N {
			b.Fatalf("%d of %d found", found, b.N)
		}
	})
}

func BenchmarkMiss(b *testing.B) {
	overSizes(b, func(b *testing.B, f *Filter, n uint64) {
		found := 0
		for i := range uint64(b.N) {
			if f.ContainsHash(hashOf(1<<40 + i)) {
				found++
			}
		}
		b.ReportMetric(float64(found)/float64(b.N), "false-positives/absent")
	})
}

func BenchmarkScheme(b *testing.B) {
	for _, s := range Schemes() {
		b.Run(s.String(), func(b *testing.B) {
			f, err := New(Params{M: 9_585_058, K: 7, Scheme: s, Hash: hashing.XX(1)})
			if err != nil {
				b.Fatal(err)
			}
			for i := range uint64(1_000_000) {
				_ = f.Add(i)
			}
			b.ResetTimer()
			found := 0
			for i := range uint64(b.N) {
				if f.Contains(1<<40 + i) {
					found++
				}
			}
			b.ReportMetric(float64(found)/float64(b.N), "false-positives/absent")
		})
	}
}
