package ell

import (
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func filled(b *testing.B) *Sketch {
	s := build(b, standard(14))
	for k := range uint64(1_000_000) {
		s.Add(k)
	}
	return s
}

func BenchmarkAddHash(b *testing.B) {
	s, h := filled(b), uint64(1)
	for b.Loop() {
		h = h*6364136223846793005 + hashing.Gamma
		s.AddHash(hashing.Mix(h)) // the last bits count too
	}
}

func BenchmarkEstimate(b *testing.B) {
	s := filled(b)
	for b.Loop() {
		if s.Estimate() < 900_000 {
			b.Fatal("wrong estimate")
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	s, other := filled(b), filled(b)
	for b.Loop() {
		if err := s.Merge(other); err != nil {
			b.Fatal(err)
		}
	}
}
