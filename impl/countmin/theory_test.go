package countmin

import (
	"math"
	"strings"
	"testing"
)

func TestSize(t *testing.T) {
	for _, c := range []struct {
		eps, delta float64
		w, d       int
	}{
		// ceil(e/0.001) = ceil(2718.28...); ln 100 = 4.605..., ln 1000 = 6.907...
		{0.001, 0.01, 2719, 5},
		{1e-6, 0.001, 2718282, 7},
		// e/0.999 = 2.721...; ln(1/0.999) = 0.001...
		{0.999, 0.999, 3, 1},
		// ln 2^92 = 63.77...
		{0.5, math.Ldexp(1, -92), 6, 64},
	} {
		w, d, err := Size(c.eps, c.delta)
		if err != nil || w != c.w || d != c.d {
			t.Errorf("Size(%v, %v) = %d, %d, %v, want %d, %d", c.eps, c.delta, w, d, err, c.w, c.d)
		}
		if Epsilon(w) > c.eps || Delta(d) > c.delta {
			t.Errorf("%d x %d promises %v and %v, asked %v and %v", d, w, Epsilon(w), Delta(d), c.eps, c.delta)
		}
		if w > 1 && Epsilon(w-1) <= c.eps || Delta(d-1) <= c.delta {
			t.Errorf("%d x %d is larger than %v and %v need", d, w, c.eps, c.delta)
		}
	}
}

func TestSizeRefuses(t *testing.T) {
	bad := []float64{0, -1, 1, 2, math.NaN(), math.Inf(1), math.Inf(-1)}
	for _, x := range bad {
		if _, _, err := Size(x, 0.01); err == nil || !strings.Contains(err.Error(), "above 0 and below 1") {
			t.Errorf("eps %v: %v", x, err)
		}
		if _, _, err := Size(0.01, x); err == nil || !strings.Contains(err.Error(), "above 0 and below 1") {
			t.Errorf("delta %v: %v", x, err)
		}
	}
	// ln 2^93 = 64.46..., one row too many; 1/delta overflows in the last.
	for _, delta := range []float64{math.Ldexp(1, -93), math.SmallestNonzeroFloat64} {
		if _, _, err := Size(0.01, delta); err == nil || !strings.Contains(err.Error(), "at most 64") {
			t.Errorf("delta %v: %v", delta, err)
		}
	}
	for _, eps := range []float64{1e-12, math.SmallestNonzeroFloat64} {
		if _, _, err := Size(eps, 0.01); err == nil || !strings.Contains(err.Error(), "bytes, at most") {
			t.Errorf("eps %v: %v", eps, err)
		}
	}
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-14*math.Abs(want) }

// Every placement of the keys other than the first is tried, so the moments
// and tails are exact rational numbers.
func TestMomentsAgainstEnumeration(t *testing.T) {
	counts := []float64{5, 1, 2, 4} // the first is the key asked for
	const w, x = 3, 3
	n, f2 := 5.0+1+2+4, 25.0+1+4+16
	var sum, squares, over, cases float64
	for placement := range w * w * w { // one digit in base w for each other key
		excess, digits := 0.0, placement
		for _, c := range counts[1:] {
			if digits%w == 0 { // the column of the key asked for
				excess += c
			}
			digits /= w
		}
		cases++
		sum += excess
		squares += excess * excess
		if excess >= x {
			over++
		}
	}
	mean := sum / cases
	if got := RowMean(n, 5, w); !near(got, mean) {
		t.Errorf("row mean %v, enumerated %v", got, mean)
	}
	if got, want := RowVariance(f2, 5, w), squares/cases-mean*mean; !near(got, want) {
		t.Errorf("row variance %v, enumerated %v", got, want)
	}
	if got := RowTailBound(n, 5, w, x); !near(got, mean/x) || got < over/cases {
		t.Errorf("row tail bound %v, enumerated mean/x %v and tail %v", got, mean/x, over/cases)
	}
	if got := RowTailBound(n, 5, w, 1); got != 1 {
		t.Errorf("row tail bound %v, a chance is at most 1", got)
	}
	if got := Tail(0.5, 3); got != 0.125 {
		t.Errorf("three rows fail together with chance %v, want 1/8", got)
	}
	// In one column nothing varies.
	if got := RowVariance(f2, 5, 1); got != 0 {
		t.Errorf("row variance at width 1: %v", got)
	}
}
