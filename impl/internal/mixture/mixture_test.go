package mixture

import (
	"math"
	"testing"
)

func TestBinomialMoments(t *testing.T) {
	for _, c := range []struct {
		n uint64
		p float64
	}{{0, 0.3}, {1, 0.3}, {10, 1}, {7, 0.999}, {1000, 0.01}, {1 << 40, 0x1p-35}, {50, 1e-9}} {
		mean := float64(c.n) * c.p
		square := mean*(1-c.p) + mean*mean
		for name, want := range map[string][2]float64{
			"weights": {1, Binomial(c.n, c.p, func(uint64) float64 { return 1 })},
			"mean":    {mean, Binomial(c.n, c.p, func(i uint64) float64 { return float64(i) })},
			"square":  {square, Binomial(c.n, c.p, func(i uint64) float64 { return float64(i) * float64(i) })},
		} {
			if math.Abs(want[0]-want[1]) > 1e-9*want[0] {
				t.Errorf("n=%d p=%g: %s is %v, want %v", c.n, c.p, name, want[1], want[0])
			}
		}
	}
}

func TestSmallest(t *testing.T) {
	for limit := uint64(1); limit < 20; limit++ {
		for want := uint64(1); want <= limit+1; want++ {
			for guess := uint64(0); guess < 25; guess++ {
				got := Smallest(guess, limit, func(size uint64) bool {
					if size < 1 || size > limit {
						t.Fatalf("asked about %d of %d", size, limit)
					}
					return size >= want
				})
				if got != want {
					t.Fatalf("from %d to %d: %d, want %d", guess, limit, got, want)
				}
			}
		}
	}
}
