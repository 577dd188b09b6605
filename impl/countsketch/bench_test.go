package countsketch

import (
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func BenchmarkAdd(b *testing.B) {
	s := mustNew(b, 2719, 5, hashing.XX(1))
	for i := range uint64(b.N) {
		s.Add(i*hashing.Gamma, 1)
	}
	if s.Total() != uint64(b.N) {
		b.Fatal("lost an event")
	}
}

func BenchmarkCount(b *testing.B) {
	s := mustNew(b, 2719, 5, hashing.XX(1))
	for i := range uint64(100_000) {
		s.Add(i*hashing.Gamma, 1)
	}
	sum := int64(0)
	for i := range uint64(b.N) {
		sum += s.Count(i * hashing.Gamma)
	}
	if sum == 0 && b.N > 1000 {
		b.Fatal("every estimate is 0")
	}
}
