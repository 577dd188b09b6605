package hll

import (
	"math"
	"math/rand/v2"
	"testing"
)

// keysIn are the registers of n random hashes.
func keysIn(t testing.TB, p, n int, seed uint64) *Sketch {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	s := build(t, p, Bytes8)
	for range n {
		s.AddHash(r.Uint64())
	}
	return s
}

func TestRawMeanBySimulation(t *testing.T) {
	for _, p := range []int{4, 6} {
		m := 1 << p
		for _, n := range []int{m / 4, m, 3 * m, 8 * m} {
			const trials = 6000
			bias, sd := spread(t, p, n, trials, Raw)
			// Five standard errors of the mean, and what is left out: 1/m^2.
			tolerance := 5*sd/math.Sqrt(trials) + 1/float64(m*m)
			if want := RawMean(m, float64(n))/float64(n) - 1; math.Abs(bias-want) > tolerance {
				t.Errorf("m %d, n %d: bias %.4f, want %.4f to %.4f", m, n, bias, want, tolerance)
			}
		}
		near(t, "raw of nothing", RawMean(m, 0), AlphaApprox(m)*float64(m), 1e-9)
		// AlphaApprox has three or four digits.
		near(t, "raw of many", RawMean(m, 1000*float64(m)), 1000*float64(m), 3e-4)
	}
}

func TestPlusPlusModes(t *testing.T) {
	// Where both ways lie within reach, the one that the threshold asks for.
	for p := MinPrecision; p <= MaxPrecision; p++ {
		m := 1 << p
		for _, n := range []int{1, m / 3, m, 2 * m, 9 * m} {
			if p > 12 && n >= m {
				continue
			}
			s := keysIn(t, p, n, uint64(p))
			got, zeros := s.EstimateWith(PlusPlus), int(s.hist[0])
			linear := LinearCounting(m, zeros)
			if zeros > 0 && linear <= thresholds[p] {
				near(t, "linear", got, linear, 0)
				continue
			}
			e := s.EstimateWith(Raw)
			if e <= 5*float64(m) {
				// The mean of Raw at the answer is what was read, but for the six
				// points, which lie within m/8 of it on either side.
				near(t, "mean of raw at the estimate", RawMean(m, got), e, 0.02)
			} else {
				near(t, "raw", got, e, 0)
			}
		}
	}
}

func TestCorrectionTakesTheNearest(t *testing.T) {
	c := correction{reads: []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, bias: []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}
	// 4.6 has 2 to 7 within 2.6; the ends have the first and the last six.
	for e, want := range map[float64]float64{4.6: 4.5, -3: 2.5, 100: 6.5, 6.4: 6.5, 3.9: 3.5} {
		if got := c.at(e); got != want {
			t.Errorf("at %g: %g, want %g", e, got, want)
		}
	}
}

func TestBetaFitsAreThoseOfThePaper(t *testing.T) {
	// At p = 14 the fit and the published coefficients must read the same but for
	// a fraction of the standard error, 0.81 %.
	fit := fitBeta(14)
	const m = 16384.
	for x := 0.02; x < 9; x *= 1.1 {
		z, sum := m*math.Exp(-x), m*math.Exp(-x)
		for k := 1; k < len(inverse); k++ {
			sum -= m * math.Exp(-x*inverse[k]) * math.Expm1(-x*inverse[k]) * inverse[k]
		}
		ours := AlphaApprox(m) * m * (m - z) / (fit.at(z) + sum)
		theirs := AlphaApprox(m) * m * (m - z) / (publishedBeta.at(z) + sum)
		near(t, "fit", ours, x*m, 2e-4)
		near(t, "published", theirs, x*m, 2e-3)
	}
	for p := MinPrecision; p <= MaxPrecision; p++ {
		// The mean of many sketches is not needed: one of 2m keys lies within five
		// standard errors, and for few registers the bias of 1/m.
		m := float64(int(1) << p)
		s := keysIn(t, min(p, 12), 2<<min(p, 12), 3)
		h := s.hist
		for k := range h { // the same shares of more registers
			h[k] <<= p - min(p, 12)
		}
		near(t, "estimate", logLogBeta(&h, p), 2*m, 5/math.Sqrt(math.Min(m, 4096))+1/m)
	}
}

func TestMaximumLikelihoodIsTheMaximum(t *testing.T) {
	logLikelihood := func(s *Sketch, n float64) (sum float64) {
		q := 64 - s.Precision()
		for k, c := range s.hist {
			if c == 0 {
				continue
			}
			x := n / float64(s.M()) * math.Exp2(-float64(min(k, q)))
			switch {
			case k == 0:
				sum -= float64(c) * x
			case k <= q:
				sum += float64(c) * (-x + math.Log(-math.Expm1(-x)))
			default:
				sum += float64(c) * math.Log(-math.Expm1(-x))
			}
		}
		return sum
	}
	sketches := []*Sketch{keysIn(t, 6, 1, 1), keysIn(t, 6, 40, 1), keysIn(t, 6, 5000, 1)}
	huge := build(t, 4, Bytes8) // registers at the greatest value beside others
	for i := range uint64(16) {
		huge.AddHash(i<<60 | i/8)
	}
	for _, s := range append(sketches, huge) {
		n := s.EstimateWith(MaximumLikelihood)
		best := logLikelihood(s, n)
		for _, f := range []float64{0.5, 0.99, 1.01, 2} {
			if v := logLikelihood(s, f*n); !(v < best) {
				t.Errorf("log likelihood %g at %g, %g at %g", best, n, v, f*n)
			}
		}
		// The derivative is zero to rounding: both sides of a small step are alike.
		const h = 1e-4
		curve := logLikelihood(s, n*(1+h)) + logLikelihood(s, n*(1-h)) - 2*best
		if slope := logLikelihood(s, n*(1+h)) - logLikelihood(s, n*(1-h)); math.Abs(slope) > 0.01*math.Abs(curve) {
			t.Errorf("slope %g beside curvature %g at %g", slope, curve, n)
		}
	}
}

func TestSpreadOfTheOthers(t *testing.T) {
	// n = 50 m: five standard errors of bias and spread, and 1 % of the spread for
	// what 1/m leaves.
	const p, n, trials = 8, 50 * 256, 800
	for e, law := range map[Estimator]float64{
		PlusPlus: StandardError(256), LogLogBeta: StandardError(256), MaximumLikelihood: MaximumLikelihoodError(256),
	} {
		bias, sd := spread(t, p, n, trials, e)
		near(t, e.String(), sd, law, 5/math.Sqrt(2*trials)+0.01)
		if math.Abs(bias) > 5*sd/math.Sqrt(trials)+0.002 {
			t.Errorf("%v: bias %.4f", e, bias)
		}
	}
	near(t, "1.0367", MaximumLikelihoodError(1), 1.0367, 1e-4)
	near(t, "0.8326", MartingaleError(1), 0.8326, 1e-4)
}

func TestEstimatorsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Estimators() {
		if seen[e.String()] {
			t.Errorf("two are %v", e)
		}
		seen[e.String()] = true
	}
	if len(seen) != 7 {
		t.Errorf("%d estimators", len(seen))
	}
}
