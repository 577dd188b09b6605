package xor

import (
	"fmt"
	"os"
	"runtime"
	"testing"
)

// sizes are those of tables in the second cache, at its border and beyond it;
// 10^8 keys (2 GiB while they are built) only where SKETCHPROOF_HUGE is set.
func sizes() []int {
	s := []int{10_000, 1_000_000, 10_000_000}
	if os.Getenv("SKETCHPROOF_HUGE") != "" {
		s = append(s, 100_000_000)
	}
	return s
}

func overSizes(b *testing.B, run func(b *testing.B, n int)) {
	for _, n := range sizes() {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) { run(b, n) })
	}
}

// BenchmarkBuild also counts the bytes that a build allocates for each key,
// which without a retry is its peak and the table.
func BenchmarkBuild(b *testing.B) {
	overSizes(b, func(b *testing.B, n int) {
		set := hashes(0, n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		attempts := 0
		for b.Loop() {
			attempts += build8(b, set).Attempts()
		}
		runtime.ReadMemStats(&after)
		keys := float64(b.N) * float64(n)
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/keys, "ns/key")
		b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/keys, "bytes/key")
		b.ReportMetric(float64(attempts)/float64(b.N), "attempts/build")
	})
}

func BenchmarkMiss(b *testing.B) {
	overSizes(b, func(b *testing.B, n int) {
		f := build8(b, hashes(0, n))
		i, found := n, 0
		for b.Loop() {
			if f.ContainsHash(hashOf(i)) {
				found++
			}
			i++
		}
		b.ReportMetric(float64(found)/float64(i-n), "false-positives/absent")
	})
}

func BenchmarkHit(b *testing.B) {
	overSizes(b, func(b *testing.B, n int) {
		f := build8(b, hashes(0, n))
		i := 0
		for b.Loop() {
			if !f.ContainsHash(hashOf(i)) {
				b.Fatal("a key is lost")
			}
			if i++; i == n {
				i = 0
			}
		}
	})
}

// BenchmarkMissBatch times batches of 1024 hashes; ns/key is to be compared with
// BenchmarkMiss.
func BenchmarkMissBatch(b *testing.B) {
	const length = 1024
	overSizes(b, func(b *testing.B, n int) {
		f := build8(b, hashes(0, n))
		raw := make([]uint64, length)
		at, found := n, 0
		for b.Loop() {
			for i := range raw {
				raw[i] = hashOf(at + i)
			}
			at += length
			found += f.CountHashBatch(raw)
		}
		keys := float64(at - n)
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/keys, "ns/key")
		b.ReportMetric(float64(found)/keys, "false-positives/absent")
	})
}
