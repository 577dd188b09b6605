package cuckoo

import (
	"fmt"
	"testing"
)

// fillTo returns a filter of four slots a bucket filled to 95 %.
func fillTo(b *testing.B, buckets uint64, bits int) (f *Filter, n uint64) {
	f = build(b, buckets, 4, bits)
	n = buckets * 4 * 95 / 100
	for key := range n {
		if err := f.Add(key); err != nil {
			b.Fatal(err)
		}
	}
	return f, n
}

// Both partner rules, and tags that are aligned (8, 16), cross words (12), and
// take two words a bucket (32).
func eachTable(b *testing.B, run func(b *testing.B, buckets uint64, bits int)) {
	for _, buckets := range []uint64{1 << 18, 1<<18 - 2} {
		for _, bits := range []int{8, 12, 16, 32} {
			b.Run(fmt.Sprintf("buckets=%d/bits=%d", buckets, bits), func(b *testing.B) { run(b, buckets, bits) })
		}
	}
}

func BenchmarkFillTo95(b *testing.B) {
	eachTable(b, func(b *testing.B, buckets uint64, bits int) {
		var n uint64
		for b.Loop() {
			_, n = fillTo(b, buckets, bits)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
	})
}

func BenchmarkHit(b *testing.B) {
	eachTable(b, func(b *testing.B, buckets uint64, bits int) {
		f, n := fillTo(b, buckets, bits)
		var key, hits, tries uint64
		for b.Loop() {
			if f.Contains(key) {
				hits++
			}
			tries++
			if key++; key == n {
				key = 0
			}
		}
		if hits != tries {
			b.Fatal("a key is lost")
		}
	})
}

func BenchmarkMiss(b *testing.B) {
	eachTable(b, func(b *testing.B, buckets uint64, bits int) {
		f, _ := fillTo(b, buckets, bits)
		key, hits := uint64(1)<<40, 0
		for b.Loop() {
			if f.Contains(key) {
				hits++
			}
			key++
		}
		b.ReportMetric(float64(hits)/float64(b.N), "found/op")
	})
}

func BenchmarkRefusal(b *testing.B) {
	f := build(b, 1<<12, 4, 16)
	key := fill(b, f)
	for b.Loop() {
		if f.Add(key) == nil {
			b.Fatal("not refused")
		}
	}
}
