package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMedianInterval(t *testing.T) {
	inf := math.Inf(1)
	ascending := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(i + 1)
		}
		return v
	}
	for _, c := range []struct {
		values []float64
		conf   float64
		median float64
		iv     Interval
	}{
		// 2·2^-5 = 6.25 % miss with the extremes of five values, 3.125 % with six.
		{ascending(5), 0.95, 3, Interval{-inf, inf}},
		{ascending(6), 0.95, 3.5, Interval{1, 6}},
		// P(Bin(10, 1/2) <= 1) = 11/1024: 2·11/1024 = 2.1 % miss; with <= 2, 2·56/1024 = 10.9 %.
		{ascending(10), 0.95, 5.5, Interval{2, 9}},
		{ascending(10), 0.89, 5.5, Interval{3, 8}},
		{ascending(1), 0.5, 1, Interval{-inf, inf}},
		{[]float64{-math.MaxFloat64, math.MaxFloat64}, 0.5, 0, Interval{-math.MaxFloat64, math.MaxFloat64}},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, 0.5, math.MaxFloat64, Interval{math.MaxFloat64, math.MaxFloat64}},
		{[]float64{-inf, inf, inf}, 0.5, inf, Interval{-inf, inf}},
	} {
		median, iv := MedianInterval(c.values, c.conf)
		if median != c.median || iv != c.iv {
			t.Errorf("%v at %g: %g in %v, want %g in %v", c.values, c.conf, median, iv, c.median, c.iv)
		}
	}
	for _, values := range [][]float64{nil, {math.NaN()}, {math.NaN(), 1, 2, 3}} {
		median, iv := MedianInterval(values, 0.5)
		if !math.IsNaN(median) || iv != (Interval{-inf, inf}) {
			t.Errorf("%v: %g in %v, want NaN in everything", values, median, iv)
		}
	}
}

// Times have a long tail; so has this, with a median of 1. At n = 30 the exact
// miss probability is 2 P(Bin(30, 1/2) <= 9) = 4.3 %: neither far above nor far
// below 5 %.
func TestMedianIntervalCovers(t *testing.T) {
	const runs = 3000
	r := rand.New(rand.NewPCG(5, 6))
	values := make([]float64, 30)
	missed := 0
	for range runs {
		for i := range values {
			values[i] = math.Exp(3 * r.NormFloat64())
		}
		slices.Sort(values)
		if _, iv := MedianInterval(values, 0.95); iv.Lo > 1 || iv.Hi < 1 {
			missed++
		}
	}
	if limit := missLimit(runs, 0.05); missed > limit {
		t.Errorf("%d of %d missed, more than %d", missed, runs, limit)
	}
	if least := 80; missed < least { // 129 expected, standard deviation 11
		t.Errorf("only %d of %d missed: the interval is too wide", missed, runs)
	}
}
