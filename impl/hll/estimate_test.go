package hll

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestEmptyAndFull(t *testing.T) {
	s := build(t, 4, Bytes8)
	for e, want := range map[Estimator]float64{Ertl: 0, ErtlPublished: 0, Classic: 0, Raw: 0.673 * 16} {
		if got := s.EstimateWith(e); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v of an empty sketch: %g, want %g", e, got, want)
		}
	}
	for i := range uint64(16) {
		s.AddHash(i << 60) // no one after the index: rank 61
	}
	if s.Register(3) != 61 || !math.IsInf(s.Estimate(), 1) || !math.IsInf(s.EstimateWith(ErtlPublished), 1) {
		t.Errorf("full sketch: register %d, estimate %g", s.Register(3), s.Estimate())
	}
}

func TestPublishedEstimatorByItsDefinition(t *testing.T) {
	// Ertl 2017, equation 22, with sigma and tau summed by their definition to
	// 60 terms. The second set has its weight in the greatest values, where tau
	// tells.
	for _, ranks := range [][16]int{
		{0, 0, 0, 1, 1, 2, 2, 3, 4, 7, 20, 59, 60, 60, 61, 61},
		{60, 60, 60, 59, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61, 61},
	} {
		s := build(t, 4, Bytes8)
		zeros, full, z := 0., 0., 0.
		for i, rank := range ranks {
			switch rank {
			case 0:
				zeros++
				continue
			case 61:
				full++
			default:
				z += math.Exp2(-float64(rank))
			}
			s.AddHash(uint64(i)<<60 | 1<<60>>rank)
		}
		x, y := zeros/16, 1-full/16
		sum, tail := x, 1-y
		for k := 1.; k < 60; k++ {
			sum += math.Pow(x, math.Exp2(k)) * math.Exp2(k-1)
			d := 1 - math.Pow(y, math.Exp2(-k))
			tail -= d * d * math.Exp2(-k)
		}
		z += 16*sum + 16*tail/3*math.Exp2(-60)
		near(t, "estimate", s.EstimateWith(ErtlPublished), 16*16/(2*math.Ln2)/z, 1e-13)
	}
	if tau(0) != 0 || tau(1) != 0 {
		t.Error("tau is not 0 at its ends")
	}
}

func TestSigmaAndItsDerivatives(t *testing.T) {
	for _, x := range []float64{0.01, 0.3, 0.7, 0.95} {
		const h = 1e-4
		s, below, above := newSigma(x), newSigma(x-h), newSigma(x+h)
		// Central differences are off by h^2 times higher derivatives, which
		// grow like (1-x)^-2: 4e-6 at 0.95.
		near(t, "slope", s.slope, x*(above.value-below.value)/(2*h), 1e-4)
		near(t, "curve", s.curve, x*x*(above.value-2*s.value+below.value)/(h*h), 1e-3)
	}
}

// spread simulates sketches of n random hashes and returns the relative bias
// and standard error of an estimator.
func spread(t *testing.T, p, n, trials int, e Estimator) (bias, sd float64) {
	r := rand.New(rand.NewPCG(uint64(p), uint64(n)))
	s := build(t, p, Bytes8)
	sum, square := 0.0, 0.0
	for range trials {
		s.Reset()
		for range n {
			s.AddHash(r.Uint64())
		}
		x := s.EstimateWith(e)/float64(n) - 1
		sum += x
		square += x * x
	}
	bias = sum / float64(trials)
	return bias, math.Sqrt(square/float64(trials) - bias*bias)
}

func TestErtlLawsBySimulation(t *testing.T) {
	const p, m, trials = 5, 32., 6000
	for _, n := range []int{20, 32, 64, 128, 320} {
		bias, sd := spread(t, p, n, trials, Ertl)
		published, wide := spread(t, p, n, trials, ErtlPublished)
		// Five standard errors of a mean, one of the sampling error of a spread
		// is 1/sqrt(2 trials) of it; the laws are good to about 3/m of a spread
		// and 0.2/m of a key.
		se := sd / math.Sqrt(trials)
		if math.Abs(bias) > 5*se+0.2/m {
			t.Errorf("n %d: bias %.4f (%.4f)", n, bias, se)
		}
		if want := ErtlBias(m, float64(n)); math.Abs(published-want) > 5*wide/math.Sqrt(trials)+0.2/m {
			t.Errorf("n %d: published bias %.4f, want %.4f (%.4f)", n, published, want, se)
		}
		near(t, "spread", sd, ErtlSpread(m, float64(n)), 5/math.Sqrt(2*trials)+2/m)
	}
}

func TestRawLawsBySimulation(t *testing.T) {
	// n = 50m: Raw has no bias left, and the spread Beta(m)/sqrt(m) less 1/(2n)
	// relative to its square. Five standard errors, and 0.5 % for what is left of
	// the lower range.
	const p, m, n, trials = 5, 32, 50 * 32, 3000
	bias, sd := spread(t, p, n, trials, Raw)
	if math.Abs(bias) > 5*sd/math.Sqrt(trials)+0.001 {
		t.Errorf("bias %.4f", bias)
	}
	law := StandardError(m)
	near(t, "spread", sd, math.Sqrt(law*law-1./n), 5/math.Sqrt(2*trials)+0.005)
}

func TestClassicSwitches(t *testing.T) {
	s := build(t, 6, Bytes8)
	r := rand.New(rand.NewPCG(4, 0))
	var linear, plain int
	for range 2000 {
		s.AddHash(r.Uint64())
		zeros, z := 0, 0.0
		for i := range s.M() {
			if s.Register(i) == 0 {
				zeros++
			}
			z += math.Ldexp(1, -int(s.Register(i)))
		}
		want := 0.709 * 64 * 64 / z
		near(t, "raw", s.EstimateWith(Raw), want, 1e-12)
		if want <= 160 && zeros > 0 { // 2.5 m
			want = 64 * math.Log(64/float64(zeros))
			linear++
		} else {
			plain++
		}
		near(t, "classic", s.EstimateWith(Classic), want, 1e-12)
	}
	if linear < 50 || plain < 50 {
		t.Errorf("%d and %d estimates: one branch was hardly tried", linear, plain)
	}
}

func TestClassicWithoutZeros(t *testing.T) {
	s := build(t, 6, Bytes8)
	for i := range uint64(64) {
		s.AddHash(i<<58 | 1<<57) // every register is 1
	}
	// Raw reads 0.709 * 64^2/32 = 90.752, under 2.5m, but no register is zero.
	near(t, "classic", s.EstimateWith(Classic), 90.752, 1e-12)
}
