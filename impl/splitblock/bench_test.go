package splitblock

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// overSizes runs a benchmark at 1 % on a filled filter of each size.
func overSizes(b *testing.B, run func(b *testing.B, f *Filter, n uint64)) {
	for _, n := range []uint64{10_000, 1_000_000, 10_000_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			f, err := ForRate(n, 0.01, hashing.XX3(1))
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

// inBatches calls run with fresh hashes made by counting, 1024 at a time.
func inBatches(b *testing.B, run func(hashes []uint64) int) {
	buffer := make([]uint64, 1024)
	found := 0
	for i := 0; i < b.N; i += len(buffer) {
		for j := range buffer {
			buffer[j] = hashOf(1<<40 + uint64(i+j))
		}
		found += run(buffer)
	}
	b.ReportMetric(float64(found)/float64(b.N), "found/op")
}

func BenchmarkAddHash(b *testing.B) {
	overSizes(b, func(b *testing.B, f *Filter, n uint64) {
		for i := range uint64(b.N) {
			_ = f.AddHash(hashOf(i))
		}
	})
}

func BenchmarkAddHashBatch(b *testing.B) {
	overSizes(b, func(b *testing.B, f *Filter, n uint64) {
		inBatches(b, func(hashes []uint64) int {
			_, _ = f.AddHashBatch(hashes)
			return 0
		})
	})
}

func BenchmarkHashMiss(b *testing.B) {
	overSizes(b, func(b *testing.B, f *Filter, n uint64) {
		found := 0
		for i := range uint64(b.N) {
			if f.ContainsHash(hashOf(1<<40 + i)) {
				found++
			}
		}
		b.ReportMetric(float64(found)/float64(b.N), "found/op")
	})
}

func BenchmarkHashHit(b *testing.B) {
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

// Keys of 16 bytes, one call each.
func BenchmarkBytesMiss(b *testing.B) {
	overSizes(b, func(b *testing.B, f *Filter, n uint64) {
		key := make([]byte, 16)
		found := 0
		for i := range uint64(b.N) {
			binary.LittleEndian.PutUint64(key, i)
			if f.ContainsBytes(key) {
				found++
			}
		}
		b.ReportMetric(float64(found)/float64(b.N), "found/op")
	})
}

func BenchmarkContainsHashBatch(b *testing.B) {
	answers := make([]bool, 1024)
	overSizes(b, func(b *testing.B, f *Filter, n uint64) {
		inBatches(b, func(hashes []uint64) int {
			f.ContainsHashBatch(hashes, answers)
			found := 0
			for _, answer := range answers {
				if answer {
					found++
				}
			}
			return found
		})
	})
}

func BenchmarkCountHashBatch(b *testing.B) {
	overSizes(b, func(b *testing.B, f *Filter, n uint64) {
		inBatches(b, f.CountHashBatch)
	})
}

// BenchmarkPortable is BenchmarkHashMiss and BenchmarkCountHashBatch without
// assembly.
func BenchmarkPortable(b *testing.B) {
	withoutAVX2(func() {
		b.Run("single", BenchmarkHashMiss)
		b.Run("count", BenchmarkCountHashBatch)
	})
}

// BenchmarkVerification is one trial of a rate: build a filter of a million keys at
// 1 % and look up ten million absent ones. The hashes are made by counting.
func BenchmarkVerification(b *testing.B) {
	const n, absent = 1_000_000, 10_000_000
	state := uint64(0) // of splitmix64
	found := 0
	for range b.N {
		f, err := ForRate(n, 0.01, hashing.XX(0))
		if err != nil {
			b.Fatal(err)
		}
		var some [1000]uint64
		for range n / len(some) {
			state = stream(some[:], state)
			_, _ = f.AddHashBatch(some[:])
		}
		for range absent / len(some) {
			state = stream(some[:], state)
			found += f.CountHashBatch(some[:])
		}
	}
	b.ReportMetric(float64(found)/absent/float64(b.N), "false-positives/absent")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "trials/s")
}

// stream fills some with the next of splitmix64, and returns its state.
func stream(some []uint64, state uint64) uint64 {
	for i := range some {
		state += hashing.Gamma
		some[i] = hashing.Mix(state)
	}
	return state
}
