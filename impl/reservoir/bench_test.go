package reservoir

import (
	"testing"

	"github.com/sketchproof/sketchproof"
)

// One item of a long stream into a sample of 1000.
func BenchmarkAdd(b *testing.B) {
	r, err := New[uint64](1000, 1)
	if err != nil {
		b.Fatal(err)
	}
	l, err := NewL[uint64](1000, 1)
	if err != nil {
		b.Fatal(err)
	}
	w, err := NewWeighted[uint64](1000, 1)
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range []struct {
		name    string
		sampler sketchproof.Sampler
	}{{"R", r}, {"L", l}, {"weighted", w}} {
		b.Run(s.name, func(b *testing.B) {
			i := uint64(0)
			for b.Loop() {
				s.sampler.Add(i)
				i++
			}
		})
	}
}
