package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Every interval widens as alpha shrinks, contains its estimate, and, where it
// counts, moves up with the count.
func TestIntervalsKeepOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := int64(math.Exp(r.Float64()*20)) + 1
		x := int64(r.Float64() * float64(n))
		alpha := math.Exp(-20 * r.Float64())
		sd := r.ExpFloat64()
		p := float64(x) / float64(n)
		for name, f := range map[string]func(x int64, alpha float64) Interval{
			"ClopperPearson": func(x int64, alpha float64) Interval { return ClopperPearsonAlpha(x, n, alpha) },
			"BetaMixture":    func(x int64, alpha float64) Interval { return BetaMixture(float64(x), float64(n), alpha, 0.5, 2) },
			"StudentMean": func(x int64, alpha float64) Interval {
				return StudentMean(n+1, float64(x)/float64(n), sd, alpha)
			},
		} {
			iv, wide, more := f(x, alpha), f(x, alpha/2), f(x+1, alpha)
			if !(iv.Lo <= p && p <= iv.Hi) {
				t.Errorf("%s(%d, %d, %g) = %v lacks the estimate", name, x, n, alpha, iv)
			}
			if !(wide.Lo <= iv.Lo && iv.Hi <= wide.Hi) || wide == iv {
				t.Errorf("%s(%d, %d): %v at %g is not inside %v at half of it", name, x, n, iv, alpha, wide)
			}
			if !(more.Lo > iv.Lo || iv.Lo == 0) || !(more.Hi > iv.Hi || iv.Hi == 1) {
				t.Errorf("%s at %g: %v for %d of %d, %v for one more", name, alpha, iv, x, n, more)
			}
		}
		iv, wide := ChiSquareRMS(sd, n, alpha/2), ChiSquareRMS(sd, n, alpha/4)
		if !(wide.Lo < iv.Lo && iv.Hi < wide.Hi) {
			t.Errorf("ChiSquareRMS(%g, %d): %v is not inside %v", sd, n, iv, wide)
		}
	}
}

// Counting the other outcome mirrors the interval.
func TestClopperPearsonMirrors(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		n := r.Int64N(1e6) + 1
		x := r.Int64N(n + 1)
		a, b := ClopperPearsonAlpha(x, n, 1e-7), ClopperPearsonAlpha(n-x, n, 1e-7)
		if math.Abs(a.Lo-(1-b.Hi)) > 1e-15 || math.Abs(a.Hi-(1-b.Lo)) > 1e-15 {
			t.Errorf("%d of %d: %v, and %v for the rest", x, n, a, b)
		}
	}
	if iv := ClopperPearson(0, 0, 0.95); iv != (Interval{0, 1}) {
		t.Errorf("no tries give %v, want [0, 1]", iv)
	}
}

// What cannot be computed is infinite or a panic, never NaN.
func TestFewOrBadObservations(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, iv := range []Interval{
		StudentMean(1, 5, 0, 0.01), StudentMean(0, 0, 0, 0.01),
		StudentMean(9, nan, 1, 0.01), StudentMean(9, 1, nan, 0.01), StudentMean(9, inf, 1, 0.01), StudentMean(9, 1, inf, 0.01),
	} {
		if iv != (Interval{-inf, inf}) {
			t.Errorf("%v, want everything", iv)
		}
	}
	for _, iv := range []Interval{ChiSquareRMS(1, 0, 0.01), ChiSquareRMS(nan, 9, 0.01), ChiSquareRMS(inf, 9, 0.01), ChiSquareRMS(-1, 9, 0.01)} {
		if iv != (Interval{0, inf}) {
			t.Errorf("%v, want [0, +Inf]", iv)
		}
	}
	if iv := StudentMean(9, 2, 0, 0.01); iv != (Interval{2, 2}) {
		t.Errorf("sd 0 gives %v, want the point 2", iv)
	}
	if h := AsymptoticHalfwidth(1, 0, 1, 0.01); !math.IsInf(h, 1) {
		t.Errorf("no observation: %g, want +Inf", h)
	}
	for name, f := range map[string]func(){
		"alpha 0":          func() { ClopperPearsonAlpha(1, 2, 0) },
		"alpha NaN":        func() { StudentMean(3, 0, 1, nan) },
		"conf 1":           func() { ClopperPearson(1, 2, 1) },
		"more than n":      func() { ClopperPearson(3, 2, 0.9) },
		"negative":         func() { ClopperPearson(-1, 2, 0.9) },
		"mixture beyond n": func() { BetaMixture(2.5, 2, 0.1, 1, 1) },
		"mixture NaN":      func() { BetaMixture(nan, 2, 0.1, 1, 1) },
		"mixture weight":   func() { BetaMixture(1, 2, 0.1, 0, 1) },
		"rho 0":            func() { AsymptoticHalfwidth(1, 2, 0, 0.1) },
		"chi-square alpha": func() { ChiSquareRMS(1, 1, 1) },
	} {
		if !panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
