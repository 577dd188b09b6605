package tinylfu

import (
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func BenchmarkAdd(b *testing.B) {
	for name, p := range map[string]Params{
		"plain":   {Width: 1 << 14, Sample: 10 << 14, Hash: hashing.XX(1)},
		"guarded": {Width: 1 << 14, Sample: 10 << 14, DoorBits: 1 << 17, DoorProbes: 3, Hash: hashing.XX(1)},
	} {
		b.Run(name, func(b *testing.B) {
			s := mustNew(b, p)
			for i := range uint64(b.N) {
				s.Add(hashing.Mix(i) >> 44)
			}
		})
	}
}

func BenchmarkEstimate(b *testing.B) {
	s := mustNew(b, Params{Width: 1 << 14, Sample: 10 << 14, Hash: hashing.XX(1)})
	sum := 0
	for i := range uint64(b.N) {
		sum += s.Estimate(i)
	}
	if sum != 0 {
		b.Fatal("an empty sketch counts")
	}
}
