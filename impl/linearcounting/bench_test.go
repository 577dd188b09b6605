package linearcounting

import (
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func BenchmarkAddHash(b *testing.B) {
	s, h := build(b, 1<<17), uint64(1)
	for b.Loop() {
		h = h*6364136223846793005 + hashing.Gamma
		s.AddHash(h)
	}
}

func BenchmarkMerge(b *testing.B) {
	s, other := build(b, 1<<17), build(b, 1<<17)
	for b.Loop() {
		if err := s.Merge(other); err != nil {
			b.Fatal(err)
		}
	}
}
