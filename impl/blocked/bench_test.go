package blocked

import (
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// overSizes runs a benchmark at 1 % on a filled filter of each kind and size.
func overSizes(b *testing.B, run func(b *testing.B, f *Filter, n uint64)) {
	for _, kind := range Kinds() {
		for _, n := range []uint64{10_000, 1_000_000} {
			b.Run(fmt.Sprintf("kind=%v/n=%d", kind, n), func(b *testing.B) {
				f, err := ForRate(n, 0.01, kind, hashing.XX3(1))
				if err != nil {
					b.Fatal(err)
				}
				for i := uint64(0); i < n; i += 1000 {
					_, _ = f.AddHashBatch(hashes(i, 1000))
				}
				b.ResetTimer()
				run(b, f, n)
			})
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	overSizes(b, func(b *testing.B, f *Filter, _ uint64) {
		for i := range uint64(b.N) {
			_ = f.AddHash(hashOf(i))
		}
	})
}

func BenchmarkHit(b *testing.B) {
	overSizes(b, func(b *testing.B, f *Filter, n uint64) {
		found := 0
		for i := range uint64(b.N) {
			if f.ContainsHash(hashOf(hashing.Reduce(hashOf(i), n))) {
				found++
			}
		}
		if found != b.N {
			b.Fatalf("%d of %d found", found, b.N)
		}
	})
}

func BenchmarkMiss(b *testing.B) {
	overSizes(b, func(b *testing.B, f *Filter, _ uint64) {
		found := 0
		for i := range uint64(b.N) {
			if f.ContainsHash(hashOf(1<<40 + i)) {
				found++
			}
		}
		b.ReportMetric(float64(found)/float64(b.N), "false-positives/absent")
	})
}

func BenchmarkCountBatch(b *testing.B) {
	buffer := make([]uint64, 1024)
	overSizes(b, func(b *testing.B, f *Filter, _ uint64) {
		found := 0
		for i := 0; i < b.N; i += len(buffer) {
			for j := range buffer {
				buffer[j] = hashOf(1<<40 + uint64(i+j))
			}
			found += f.CountHashBatch(buffer)
		}
		b.ReportMetric(float64(found)/float64(b.N), "false-positives/absent")
	})
}

func BenchmarkSize(b *testing.B) {
	for _, kind := range Kinds() {
		b.Run(fmt.Sprintf("kind=%v", kind), func(b *testing.B) {
			for b.Loop() {
				if _, err := Size(1_000_000, 1e-4, kind); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
