package counting

import (
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// hashOf makes the i-th key's hash by counting, so that no two probes of a run
// are the same and the branch predictor learns nothing.
func hashOf(i uint64) uint64 { return hashing.Mix(i * hashing.Gamma) }

// overWidths runs a benchmark on a filter of 10^6 keys at 1 % for each width.
func overWidths(b *testing.B, run func(b *testing.B, f *Filter, n uint64)) {
	const n, m, k = 1_000_000, 9_585_065, 7 // bloom.Size(n, 0.01, bloom.Exact)
	for _, bits := range []int{4, 8, 16} {
		b.Run(fmt.Sprintf("bits=%d", bits), func(b *testing.B) {
			f, err := New(Params{Cells: m, Hashes: k, CellBits: bits, Hash: hashing.XX(1)})
			if err != nil {
				b.Fatal(err)
			}
			for i := range uint64(n) {
				_ = f.AddHash(hashOf(i))
			}
			b.ResetTimer()
			run(b, f, n)
		})
	}
}

// BenchmarkAddRemove replaces a key: one addition and one removal.
func BenchmarkAddRemove(b *testing.B) {
	overWidths(b, func(b *testing.B, f *Filter, n uint64) {
		for i := range uint64(b.N) {
			_ = f.AddHash(hashOf(n + i))
			if err := f.RemoveHash(hashOf(i)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkHit(b *testing.B) {
	overWidths(b, func(b *testing.B, f *Filter, n uint64) {
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
	overWidths(b, func(b *testing.B, f *Filter, n uint64) {
		found := 0
		for i := range uint64(b.N) {
			if f.ContainsHash(hashOf(1<<40 + i)) {
				found++
			}
		}
		b.ReportMetric(float64(found)/float64(b.N), "false-positives/absent")
	})
}

func BenchmarkMerge(b *testing.B) {
	overWidths(b, func(b *testing.B, f *Filter, n uint64) {
		for range b.N {
			other := f.Clone()
			if err := other.Merge(f); err != nil {
				b.Fatal(err)
			}
		}
	})
}
