package scalable

import (
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func TestCompound(t *testing.T) {
	for _, c := range []struct {
		rates []float64
		want  float64
	}{
		{nil, 0},
		{[]float64{0.25}, 0.25},
		{[]float64{0.5, 0.5}, 0.75},
		{[]float64{0.01, 0.005, 0.0025}, 1 - 0.99*0.995*0.9975},
		{[]float64{1e-20, 1e-20}, 2e-20},
		{[]float64{1, 0.5}, 1},
	} {
		if got := Compound(c.rates); math.Abs(got-c.want) > 1e-15*c.want {
			t.Errorf("%v: %v, want %v", c.rates, got, c.want)
		}
	}
	if got := Bound(0.005, 0.5); got != 0.01 {
		t.Errorf("the bound is %v", got)
	}
}

// The laws against a chain of five links with a last link two thirds full: the
// rate by the bits, the expected rate, and what absent keys see.
func TestRateOfAChain(t *testing.T) {
	f := mustNew(t, Params{Capacity: 1000, Rate: 0.05, Tightening: 0.8, Hash: hashing.XX(4)})
	addKeys(t, f, 0, 25000)
	const absent = 400000
	found := 0
	for key := range uint64(absent) {
		if f.Contains(1<<32 + key) {
			found++
		}
	}
	rate := float64(found) / absent
	if law := f.RateEstimate(); math.Abs(rate/law-1) > 0.04 { // five standard errors
		t.Errorf("rate %v, by the bits %v", rate, law)
	}
	links := f.Links()
	held := uint64(25000)
	for _, l := range links[:len(links)-1] {
		held -= l.Capacity
	}
	if law := ExpectedRate(links, held); math.Abs(rate/law-1) > 0.06 {
		t.Errorf("rate %v, expected %v", rate, law)
	}
	if rate > f.Params().Rate {
		t.Errorf("rate %v, promised %v", rate, f.Params().Rate)
	}
}
