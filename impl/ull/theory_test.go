package ull

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func TestLawsBySimulation(t *testing.T) {
	// Sketches of random hashes: bias and spread of all three estimates within five
	// standard errors of their laws, which leave out terms of relative size 1/m.
	const p, trials = 7, 1500
	const m = 1 << p
	r := rand.New(rand.NewPCG(9, 0))
	for _, n := range []int{5, m, 30 * m} {
		var sum, square [3]float64
		for range trials {
			c, err := NewMartingale(Params{Precision: p, Hash: hashing.XX(1)})
			if err != nil {
				t.Fatal(err)
			}
			for range n {
				c.AddHash(r.Uint64())
			}
			s := c.Sketch()
			for i, e := range []float64{s.Estimate(), s.EstimateML(), c.Estimate()} {
				e = e/float64(n) - 1
				sum[i] += e
				square[i] += e * e
			}
		}
		spread := [3]float64{MLError(m, float64(n)), MLError(m, float64(n)), MartingaleError(m, float64(n))}
		for i, bias := range []float64{0, MLBias(m, float64(n)), 0} {
			mean := sum[i] / trials
			sd := math.Sqrt(square[i]/trials - mean*mean)
			if math.Abs(mean-bias) > 5*sd/math.Sqrt(trials)+3./m/m {
				t.Errorf("n %d, estimate %d: bias %.5f, want %.5f", n, i, mean, bias)
			}
			tolerance := 5/math.Sqrt(2*trials) + 3./m
			if n < m { // a collision of few keys is a rare event: heavy tails
				tolerance = 0.3
			}
			if math.Abs(sd/spread[i]-1) > tolerance {
				t.Errorf("n %d, estimate %d: spread %.5f, want %.5f", n, i, sd, spread[i])
			}
		}
	}
}

func TestConstants(t *testing.T) {
	for what, c := range map[string][2]float64{
		"memory-variance": {MemoryVariance(), 4.63}, "martingale": {MartingaleMemoryVariance(), 3.47},
		"error at p = 8":  {100 * MLError(256, 1e12), 100 * math.Sqrt(4.63/8/256)},
		"error, counting": {100 * MartingaleError(256, 1e12), 100 * math.Sqrt(3.47/8/256)},
		"bias of many":    {1024 * MLBias(1024, 1e12), 0.4815},
	} {
		if math.Abs(c[0]-c[1]) > 0.0051 {
			t.Errorf("%s: %.5f, want %g", what, c[0], c[1])
		}
	}
	if got := MartingaleMemoryVariance(); math.Abs(got-5*math.Ln2) > 1e-12 {
		t.Errorf("%g, want 5 ln 2", got)
	}
	if got := 1024 * MLBias(1024, 10); math.Abs(got-0.25) > 0.01 {
		t.Errorf("bias of few keys %g/m", got)
	}
}
