package quotient

import (
	"errors"
	"fmt"
	"testing"
)

const benchKeys = 1_000_000

// eachLoad runs a benchmark on a filter of 10^6 keys at each load.
func eachLoad(b *testing.B, run func(b *testing.B, f *Filter)) {
	for _, counting := range []bool{false, true} {
		for _, load := range []float64{0.5, 0.9, 0.95} {
			b.Run(fmt.Sprintf("counting=%v/load=%g", counting, load), func(b *testing.B) {
				f := build(b, uint64(benchKeys/load), 8, counting)
				fillWith(b, f, benchKeys)
				run(b, f)
			})
		}
	}
}

func BenchmarkHit(b *testing.B) {
	eachLoad(b, func(b *testing.B, f *Filter) {
		var key, tries, hits uint64
		for b.Loop() {
			if f.Contains(key) {
				hits++
			}
			tries++
			if key += 7919; key >= benchKeys {
				key -= benchKeys
			}
		}
		if hits != tries {
			b.Fatal("a key is lost")
		}
	})
}

func BenchmarkMiss(b *testing.B) {
	eachLoad(b, func(b *testing.B, f *Filter) {
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

func BenchmarkBatch(b *testing.B) {
	for name, first := range map[string]uint64{"hit": 0, "miss": 1 << 40} {
		b.Run(name, func(b *testing.B) {
			f := build(b, benchKeys*10/9, 8, false)
			fillWith(b, f, benchKeys)
			keys := make([]uint64, benchKeys)
			for i := range keys {
				keys[i] = first + uint64(i)
			}
			for b.Loop() {
				f.CountBatch(keys)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchKeys, "ns/key")
		})
	}
}

// Removal and addition, one of each, at a load that stays.
func BenchmarkReplace(b *testing.B) {
	for _, load := range []float64{0.5, 0.9, 0.95} {
		b.Run(fmt.Sprintf("load=%g", load), func(b *testing.B) {
			c := &Counting{*build(b, uint64(benchKeys/load), 8, true)}
			fillWith(b, &c.Filter, benchKeys)
			key := uint64(0)
			for b.Loop() {
				if err := errors.Join(c.Remove(key), c.Add(key+benchKeys)); err != nil {
					b.Fatal(err)
				}
				key++
			}
		})
	}
}

func BenchmarkFill(b *testing.B) {
	for _, load := range []float64{0.5, 0.9, 0.95, 1} {
		b.Run(fmt.Sprintf("load=%g", load), func(b *testing.B) {
			n := 0
			for b.Loop() {
				f := build(b, 1<<20, 8, false)
				n = int(load * (1 << 20))
				for i := range n {
					_ = f.Add(uint64(i))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
		})
	}
}

func BenchmarkMerge(b *testing.B) {
	f := build(b, 1<<20, 8, false)
	fillWith(b, f, 1<<18)
	g := build(b, 1<<20, 8, false)
	for i := range uint64(1 << 18) {
		_ = g.Add(1<<40 + i)
	}
	for b.Loop() {
		if err := f.Clone().Merge(g); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(1<<19), "ns/key")
}
