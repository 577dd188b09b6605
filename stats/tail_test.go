package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// near compares to a relative tolerance; zero and infinity must be met exactly.
func near(got, want, rel float64) bool {
	return got == want || math.Abs(got-want) <= rel*math.Abs(want)
}

// The references of the three tests below were computed with mpmath at 40
// digits. 1e-13 leaves a few hundred units in the last place; gonum's quantiles
// miss some of them by a factor of 10 and more.

func TestClopperPearsonFarTails(t *testing.T) {
	for _, c := range []struct {
		x, n          int64
		alpha, lo, hi float64
	}{
		{1, 10, 1e-07, 5.0000001125000035625e-9, 0.87887517961768443133},
		{1, 10, 1e-09, 5.0000000011250000004e-11, 0.92777552886488046294},
		{5, 10, 1e-09, 0.0045832700199987136946, 0.99541672998000128631},
		{0, 1000, 1e-07, 0, 0.016670722431520709519},
		{100, 1e6, 1e-09, 0.000050442976866573999695, 0.00017496195297381048862},
		{0, 1e8, 1e-09, 0, 2.1416410724192787499e-7},
		{1e4, 1e8, 1e-07, 0.000094764450868269445193, 0.00010542826372757889772},
		{0, 1e10, 1e-07, 0, 1.6811242817387370828e-9},
		{10, 1e10, 1e-07, 9.1602814301542030346e-11, 3.8503909837681921071e-9},
		{10, 1e10, 1e-09, 5.5965617692429307101e-11, 4.4517417982982445036e-9},
		{1e4, 1e10, 1e-07, 9.4764205728500702936e-7, 1.0542854703465710227e-6},
		{1e8, 1e10, 1e-09, 0.0099939223991676413823, 0.010006080072088778275},
	} {
		iv := ClopperPearsonAlpha(c.x, c.n, c.alpha)
		if !near(iv.Lo, c.lo, 1e-13) || !near(iv.Hi, c.hi, 1e-13) {
			t.Errorf("%d of %d at %g: [%.17g, %.17g], want [%.17g, %.17g]", c.x, c.n, c.alpha, iv.Lo, iv.Hi, c.lo, c.hi)
		}
	}
}

func TestStudentFarTails(t *testing.T) {
	for _, c := range []struct{ nu, alpha, want float64 }{
		{1, 0.01, 63.656741162871580995},
		{1, 1e-12, 636619772367.58134308},
		{5, 1e-07, 45.207026226613613877},
		{31, 1e-07, 6.8914002762890537061},
		{31, 1e-12, 11.512917703116770992},
		{65535, 1e-07, 5.3273208281015639496},
		{65535, 1e-12, 7.1319173052441730422},
		{1e10 - 1, 0.01, 2.575829304040555521},
		{1e10 - 1, 1e-07, 5.3267238902961743237},
		{1e10 - 1, 1e-09, 6.109410210722959463},
	} {
		if got := studentQuantile(c.nu, c.alpha); !near(got, c.want, 1e-13) {
			t.Errorf("nu=%g alpha=%g: %.17g, want %.17g", c.nu, c.alpha, got, c.want)
		}
	}
}

func TestChiSquareFarTails(t *testing.T) {
	for _, c := range []struct {
		n             int64
		alpha, lo, hi float64
	}{
		{1, 1e-07, 3.9269908169872466885e-15, 29.716785489763062542},
		{1, 1e-09, 3.9269908169872415486e-19, 38.677261702888783083},
		{32, 1e-09, 4.0115928199523084824, 107.08799235472222534},
		{32768, 1e-07, 31422.558201139729717, 34149.93966566142677},
		{1e8, 1e-07, 99924686.996798846557, 100075349.50185071257},
		{1e8, 1e-09, 99913624.107441283464, 100086424.32574901468},
	} {
		// With sumsq = 1 the ends are 1/√quantile.
		iv := ChiSquareRMS(1, c.n, c.alpha)
		if !near(iv.Hi, 1/math.Sqrt(c.lo), 1e-13) || !near(iv.Lo, 1/math.Sqrt(c.hi), 1e-13) {
			t.Errorf("n=%d alpha=%g: quantiles %.17g, %.17g, want %.17g, %.17g",
				c.n, c.alpha, 1/(iv.Hi*iv.Hi), 1/(iv.Lo*iv.Lo), c.lo, c.hi)
		}
	}
}

// At alpha = 1e-7 and 1e-9, the tail beyond every quantile must be alpha again,
// for n up to 10^10. gonum judges where it is itself right to 1e-9 in the tail,
// to n = 10^4; beyond, our own tails do, which the references above hold.
func TestQuantilesRoundTrip(t *testing.T) {
	for _, alpha := range []float64{1e-7, 1e-9} {
		for _, n := range []int64{3, 10, 100, 1e4, 1e6, 1e8, 1e10} {
			for _, x := range []int64{0, 1, n / 1000, n / 100, n / 3} {
				roundTripBinomial(t, x, n, alpha)
			}
			roundTripStudent(t, float64(n), alpha)
			if n <= 1e8 { // the series below the mean takes √n steps
				roundTripGamma(t, float64(n)/2, alpha)
			}
		}
	}
}

func roundTripBinomial(t *testing.T, x, n int64, alpha float64) {
	t.Helper()
	iv := ClopperPearsonAlpha(x, n, alpha)
	a, b := float64(x), float64(n-x)
	// A relative error of 2^-53 in p moves the tail by up to that times n p z:
	// 1e-7 of itself for x = 3·10^9, less than 1e-9 to n = 10^4.
	tolerance := 1e-11 * (1 + math.Sqrt(a)*1e-1)
	tailBeyond := func(a, b, p float64) float64 {
		logTail, _ := betaTail(a, b, math.Log(p)-math.Log1p(-p))
		return math.Exp(logTail)
	}
	if n <= 1e4 {
		tolerance = 1e-9
		tailBeyond = mathext.RegIncBeta
	}
	if x > 0 && !near(tailBeyond(a, b+1, iv.Lo), alpha/2, tolerance) {
		t.Errorf("%d of %d: P(X >= x) at the lower end is %g, want %g", x, n, tailBeyond(a, b+1, iv.Lo), alpha/2)
	}
	upper := distuv.Beta{Alpha: a + 1, Beta: b}.Survival(iv.Hi)
	if n > 1e4 {
		logTail, _ := betaTail(b, a+1, math.Log1p(-iv.Hi)-math.Log(iv.Hi))
		upper = math.Exp(logTail)
	}
	if !near(upper, alpha/2, tolerance) {
		t.Errorf("%d of %d: P(X <= x) at the upper end is %g, want %g", x, n, upper, alpha/2)
	}
}

func roundTripStudent(t *testing.T, nu, alpha float64) {
	t.Helper()
	q := studentQuantile(nu, alpha)
	got := 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: nu}.Survival(q)
	if nu > 1e4 {
		logTail, _ := betaTail(nu/2, 0.5, math.Log(nu)-2*math.Log(q))
		got = math.Exp(logTail)
	}
	if !near(got, alpha, 1e-9) {
		t.Errorf("nu=%g: P(|T| > %g) is %g, want %g", nu, q, got, alpha)
	}
}

func roundTripGamma(t *testing.T, a, p float64) {
	t.Helper()
	lower, upper := gammaQuantiles(a, p)
	// gonum's upper tail is right everywhere, the lower to a = 10^5.
	if got := mathext.GammaIncRegComp(a, upper); !near(got, p, 1e-9) {
		t.Errorf("shape %g: upper tail beyond %g is %g, want %g", a, upper, got, p)
	}
	if got := mathext.GammaIncReg(a, lower); a <= 1e5 && !near(got, p, 1e-9) {
		t.Errorf("shape %g: lower tail before %g is %g, want %g", a, lower, got, p)
	}
}

// Tails must agree with gonum on both sides of the mean, where each is computed
// in its own way: gonum is right here to about 1e-12.
func TestTailsAgainstGonumInTheMiddle(t *testing.T) {
	for _, a := range []float64{0.5, 1, 3.7, 40, 900} {
		for _, b := range []float64{0.5, 2, 25.5, 700} {
			for _, x := range []float64{0.001, 0.1, 0.4, 0.6, 0.97} {
				want := mathext.RegIncBeta(a, b, x)
				logI, _ := betaTail(a, b, math.Log(x)-math.Log1p(-x))
				if want > 1e-300 && !near(math.Exp(logI), want, 1e-11) {
					t.Errorf("I_%g(%g, %g) = %.15g, want %.15g", x, a, b, math.Exp(logI), want)
				}
			}
		}
		for _, ratio := range []float64{0.2, 0.9, 1, 1.1, 3} {
			x := a * ratio
			logP, _ := gammaLower(a, math.Log(x))
			logQ, _ := gammaUpper(a, -math.Log(x))
			if want := mathext.GammaIncReg(a, x); !near(math.Exp(logP), want, 1e-11) {
				t.Errorf("P(%g, %g) = %.15g, want %.15g", a, x, math.Exp(logP), want)
			}
			if want := mathext.GammaIncRegComp(a, x); want > 1e-300 && !near(math.Exp(logQ), want, 1e-11) {
				t.Errorf("Q(%g, %g) = %.15g, want %.15g", a, x, math.Exp(logQ), want)
			}
		}
	}
}
