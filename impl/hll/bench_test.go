package hll

import (
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
