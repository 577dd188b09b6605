package kmv

import (
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// BenchmarkAddHash takes new keys, most of which a full sketch leaves out, and
// repeats of those that it keeps.
func BenchmarkAddHash(b *testing.B) {
	s := build(b, 1<<14)
	for k := range uint64(1_000_000) {
		s.Add(k)
	}
	b.Run("keys=new", func(b *testing.B) {
		h := uint64(1)
		for b.Loop() {
			h = h*6364136223846793005 + hashing.Gamma
			s.AddHash(h)
		}
	})
	b.Run("keys=kept", func(b *testing.B) {
		kept := s.Hashes()
		i := 0
		for b.Loop() {
			s.AddHash(kept[i])
			i = (i + 12345) % (len(kept) - 1)
		}
	})
}

func BenchmarkEstimate(b *testing.B) {
	s := build(b, 1<<14)
	for k := range uint64(1_000_000) {
		s.Add(k)
	}
	for b.Loop() {
		if s.Estimate() < 900_000 {
			b.Fatal("wrong estimate")
		}
	}
}
