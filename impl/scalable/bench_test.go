package scalable

import (
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// hashOf makes the i-th key's hash by counting, so that no two probes of a run
// are the same and the branch predictor learns nothing.
func hashOf(i uint64) uint64 { return hashing.Mix(i * hashing.Gamma) }

// overGrowth runs a benchmark on a chain of 10^6 keys that started at 10^6, and
// one that started at 10^4.
func overGrowth(b *testing.B, run func(b *testing.B, f *Filter, n uint64)) {
	const n = 1_000_000
	for _, capacity := range []uint64{n, n / 100} {
		b.Run(fmt.Sprintf("capacity=%d", capacity), func(b *testing.B) {
			f := mustNew(b, Params{Capacity: capacity, Rate: 0.01, Hash: hashing.XX(1)})
			for i := range uint64(n) {
				_ = f.AddHash(hashOf(i))
			}
			b.ResetTimer()
			run(b, f, n)
			b.ReportMetric(float64(len(f.links)), "links")
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	f := mustNew(b, Params{Capacity: 10_000, Rate: 0.01, Hash: hashing.XX(1)})
	for i := range uint64(b.N) {
		if i%1_000_000 == 0 {
			f.Reset()
		}
		_ = f.AddHash(hashOf(i))
	}
}

func BenchmarkHit(b *testing.B) {
	overGrowth(b, func(b *testing.B, f *Filter, n uint64) {
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
	overGrowth(b, func(b *testing.B, f *Filter, n uint64) {
		found := 0
		for i := range uint64(b.N) {
			if f.ContainsHash(hashOf(1<<40 + i)) {
				found++
			}
		}
		b.ReportMetric(float64(found)/float64(b.N), "false-positives/absent")
	})
}
