package hll

import (
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// eachForm runs on sketches of precision 14 that have seen 10^6 keys.
func eachForm(b *testing.B, run func(b *testing.B, s *Sketch)) {
	for _, form := range forms() {
		s := build(b, 14, form)
		for k := range uint64(1_000_000) {
			s.Add(k)
		}
		b.Run("registers="+form.String(), func(b *testing.B) { run(b, s) })
	}
}

func BenchmarkAddHash(b *testing.B) {
	eachForm(b, func(b *testing.B, s *Sketch) {
		h := uint64(1)
		for b.Loop() {
			h = h*6364136223846793005 + hashing.Gamma // high bits are mixed enough
			s.AddHash(h)
		}
	})
}

func BenchmarkAddHashBatch(b *testing.B) {
	eachForm(b, func(b *testing.B, s *Sketch) {
		hashes := make([]uint64, 1<<12)
		h := uint64(1)
		for b.Loop() {
			for i := range hashes {
				h += hashing.Gamma
				hashes[i] = h * 6364136223846793005
			}
			s.AddHashBatch(hashes)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(hashes)), "ns/hash")
	})
}

// BenchmarkFill fills a new sketch with so many hashes, from the sparse form on.
func BenchmarkFill(b *testing.B) {
	for _, n := range []int{1000, 3000, 30000} {
		for _, sparse := range []bool{false, true} {
			b.Run(fmt.Sprintf("n=%d/sparse=%v", n, sparse), func(b *testing.B) {
				for b.Loop() {
					s, err := New(Params{Precision: 14, Sparse: sparse, Hash: hashing.XX(5)})
					if err != nil {
						b.Fatal(err)
					}
					for k := range uint64(n) {
						s.Add(k)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/key")
			})
		}
	}
}

func BenchmarkAddMartingale(b *testing.B) {
	s := buildMartingale(b, 14, Bytes8)
	for k := range uint64(1_000_000) {
		s.Add(k)
	}
	h := uint64(1)
	for b.Loop() {
		h = h*6364136223846793005 + hashing.Gamma
		s.AddHash(h)
	}
}

func BenchmarkAdd(b *testing.B) {
	eachForm(b, func(b *testing.B, s *Sketch) {
		key := uint64(1) << 40
		for b.Loop() {
			key++
			s.Add(key)
		}
	})
}

func BenchmarkEstimate(b *testing.B) {
	eachForm(b, func(b *testing.B, s *Sketch) {
		for _, e := range estimators {
			b.Run(e.String(), func(b *testing.B) {
				for b.Loop() {
					if s.EstimateWith(e) < 900_000 {
						b.Fatal("wrong estimate")
					}
				}
			})
		}
	})
}

func BenchmarkEstimateAfterMerge(b *testing.B) {
	eachForm(b, func(b *testing.B, s *Sketch) {
		if err := s.Merge(s.Clone()); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if s.Estimate() < 900_000 {
				b.Fatal("wrong estimate")
			}
		}
	})
}

func BenchmarkMerge(b *testing.B) {
	eachForm(b, func(b *testing.B, s *Sketch) {
		other := build(b, 14, s.params.Registers)
		for k := range uint64(1_000_000) {
			other.Add(k + 500_000)
		}
		for b.Loop() {
			if err := s.Merge(other); err != nil {
				b.Fatal(err)
			}
		}
	})
}
