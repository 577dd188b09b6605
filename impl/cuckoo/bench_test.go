package cuckoo

import (
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
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

// The batches of the form that peers have, of one window a bucket, and of
// semi-sorted buckets, against their single calls. Keys are hashed too.
func BenchmarkMissOf(b *testing.B) {
	for _, p := range []Params{{FingerprintBits: 8}, {FingerprintBits: 12}, {FingerprintBits: 12, SemiSorted: true}} {
		p.Buckets, p.Slots, p.Hash = 1<<18, 4, hashing.XX(7)
		f, err := New(p)
		if err != nil {
			b.Fatal(err)
		}
		for key := range p.Buckets * 4 * 95 / 100 {
			if err := f.Add(key); err != nil {
				b.Fatal(err)
			}
		}
		keys := make([]uint64, 1<<16)
		next := uint64(1) << 40
		renew := func() { // so that no branch is learnt
			for i := range keys {
				keys[i] = next
				next++
			}
		}
		name := fmt.Sprintf("bits=%d/sorted=%v", p.FingerprintBits, p.SemiSorted)
		found := 0
		for call, count := range map[string]func(){
			"single": func() {
				for _, key := range keys {
					if f.Contains(key) {
						found++
					}
				}
			},
			"batch": func() { found += f.CountBatch(keys) },
		} {
			b.Run(name+"/call="+call, func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					renew()
					b.StartTimer()
					count()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
			})
		}
	}
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
