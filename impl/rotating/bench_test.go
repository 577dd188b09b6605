package rotating

import (
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// hashOf makes the i-th key's hash by counting, so that no two probes of a run
// are the same and the branch predictor learns nothing.
func hashOf(i uint64) uint64 { return hashing.Mix(i * hashing.Gamma) }

// lately is a filter of the latest 10^6 keys at 1 %, after 1.5 * 10^6.
func lately(b *testing.B) (f *Filter, held uint64) {
	f, err := ForRate(1_000_000, 0.01, hashing.XX(1))
	if err != nil {
		b.Fatal(err)
	}
	for ; held < 1_500_000; held++ {
		_ = f.AddHash(hashOf(held))
	}
	b.ResetTimer()
	return f, held
}

// BenchmarkAdd has a rotation every million additions in its mean.
func BenchmarkAdd(b *testing.B) {
	f, held := lately(b)
	for i := range uint64(b.N) {
		_ = f.AddHash(hashOf(held + i))
	}
}

func BenchmarkHit(b *testing.B) {
	f, held := lately(b)
	found := 0
	for i := range uint64(b.N) {
		if f.ContainsHash(hashOf(held - 1 - i%1_000_000)) {
			found++
		}
	}
	if found != b.N {
		b.Fatalf("%d of %d found", found, b.N)
	}
}

func BenchmarkMiss(b *testing.B) {
	f, _ := lately(b)
	found := 0
	for i := range uint64(b.N) {
		if f.ContainsHash(hashOf(1<<40 + i)) {
			found++
		}
	}
	b.ReportMetric(float64(found)/float64(b.N), "false-positives/absent")
}

// BenchmarkParallel is one addition to seven look-ups, on all processors.
func BenchmarkParallel(b *testing.B) {
	f, _ := lately(b)
	b.RunParallel(func(pb *testing.PB) {
		for i := uint64(1); pb.Next(); i++ {
			if i%8 == 0 {
				_ = f.AddHash(hashOf(i))
			} else {
				f.ContainsHash(hashOf(i))
			}
		}
	})
}
