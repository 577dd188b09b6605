package hll

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// Alpha is the constant alpha_m that frees the raw estimator of its bias for
// many keys, m >= 2: 1/(m J_0), where
//
//	J_s = int_0^inf u^s (log2((2+u)/(1+u)))^m du
//
// (Flajolet et al. 2007, equation 3 and theorem 1).
func Alpha(m int) float64 { return 1 / moment(m, 0) }

// Beta is the constant beta_m of the raw estimator's relative standard error
// beta_m/sqrt(m) for many keys, m >= 3: sqrt(m (J_1/J_0^2 - 1)). It is 1.106, 1.070,
// 1.054 and 1.046 for m = 16, 32, 64 and 128, and sqrt(3 ln 2 - 1) = 1.03896 in
// the limit (Flajolet et al. 2007, theorem 1).
func Beta(m int) float64 {
	j0 := moment(m, 0)
	return math.Sqrt(moment(m, 1)/(j0*j0)*float64(m) - float64(m))
}

// moment is m^(s+1) J_s. With log2((2+u)/(1+u)) = w = e^(-x/m), so that
// u = 1/(2^w - 1) - 1, the m-th power becomes e^-x and the rest a smooth
// function that is near its value at w = 1 for every m.
func moment(m, s int) float64 {
	return quad.Fixed(func(x float64) float64 {
		w := math.Exp(-x / float64(m))
		two := math.Expm1(w * math.Ln2) // 2^w - 1
		// u = (2 - 2^w)/(2^w - 1), and 2 - 2^w = -2 (2^(w-1) - 1).
		u := -2 * math.Expm1(math.Expm1(-x/float64(m))*math.Ln2) / two
		du := w * (two + 1) * math.Ln2 / (two * two)
		return math.Exp(-x) * du * math.Pow(u*float64(m), float64(s))
	}, 0, 80, 200, nil, 0) // e^-80 is 1e-35; 200 points settle the 12th digit
}

// AlphaApprox is the practical form of Alpha: 0.673, 0.697 and 0.709 for m = 16,
// 32 and 64, else 0.7213/(1 + 1.079/m) (Flajolet et al. 2007, figure 3, where it
// is meant for m >= 128).
func AlphaApprox(m int) float64 {
	switch m {
	case 16:
		return 0.673
	case 32:
		return 0.697
	case 64:
		return 0.709
	default:
		return 0.7213 / (1 + 1.079/float64(m))
	}
}

// StandardError is the relative standard error of the raw estimator for n far
// above m, Beta(m)/sqrt(m) (Flajolet et al. 2007, theorem 1). Ertl's estimators
// have the same there. At n = 20m the truth is 2.3 % lower; see ErtlSpread.
func StandardError(m int) float64 { return Beta(m) / math.Sqrt(float64(m)) }

// LinearCounting is the estimate m ln(m/zeros) from the number of registers
// that are still zero (Whang, Vander-Zanden and Taylor 1990). It is infinite
// when none is.
func LinearCounting(m, zeros int) float64 {
	return float64(m) * math.Log(float64(m)/float64(zeros))
}

// LinearCountingRSE is the relative standard error of linear counting with m
// registers at n > 0 keys, sqrt(m (e^t - t - 1))/n with t = n/m (Whang et al.
// 1990, equation 10). It is good to t = 2.
func LinearCountingRSE(n, m float64) float64 {
	t := n / m
	return math.Sqrt(m*expTail(t)) / n
}

// LinearCountingBias is the relative bias of linear counting with m registers
// at n > 0 keys, (e^t - 1)/(2n) with t = n/m, good to t = 2. Whang et al. 1990
// print (e^t - t - 1)/(2n): they leave out that a register stays zero with
// chance (1 - 1/m)^n, not e^-t, which adds t/(2n).
func LinearCountingBias(n, m float64) float64 { return math.Expm1(n/m) / (2 * n) }

// expTail is e^t - t - 1, by its series where the difference would cancel.
func expTail(t float64) float64 {
	if t > 0.1 {
		return math.Expm1(t) - t
	}
	sum, term := 0.0, t
	for k := 2.0; k < 12; k++ {
		term *= t / k
		sum += term
	}
	return sum
}

// ErtlSpread is the relative standard error of the estimator Ertl with m
// registers at n keys, n from about 20 and up to 2^60. It is that of linear
// counting for n far under m, and tends to sqrt(3 ln 2 - 1)/sqrt(m): at n = 20m it
// is still 2.3 % lower.
//
// With V and D as in the bias of that estimator, taken at the expected shares of
// registers, it is sqrt(V/(m D^2) - 1/n): the last term is there because n is
// given and not Poisson. Derived from Ertl 2017, equation 22, by Taylor's formula,
// so up to terms smaller by 1/m: for n above m it is low by 6 to 9 % at m = 16, 2 % at
// m = 64, 1 % at m = 256 (by simulation; for n far above m the ratio is
// Beta(m)/1.03896).
func ErtlSpread(m, n float64) float64 { return math.Sqrt(expected(n/m).variance / m) }

// ErtlBias is the relative bias of the estimator ErtlPublished with m registers
// at n keys, up to 2^60: from 1/(2m) for few keys to (3 ln 2 - 1)/m = 1.079/m for many.
// The limit is what the ratio of the limit of Alpha to Alpha(m) tells too.
// Derived as ErtlSpread is; at m = 16 the truth is up to 0.1/m higher.
func ErtlBias(m, n float64) float64 { return expected(n/m).bias / m }

// A delta holds m times the relative variance for a given number of keys, and m
// times the relative bias of ErtlPublished.
type delta struct{ variance, bias float64 }

// expected computes both at the expected shares when each register gets t keys
// on average: a register is at most k with chance exp(-t 2^-k).
func expected(t float64) delta {
	if t < fewKeys {
		return delta{expTail(t) / (t * t), math.Expm1(t) / (2 * t)}
	}
	c0 := math.Exp(-t)
	first, second := 0.0, 0.0
	for k := 1; k < len(inverse); k++ {
		// exp(-t 2^-k) - exp(-t 2^-(k-1)), without cancellation
		v := -math.Exp(-t*inverse[k]) * math.Expm1(-t*inverse[k]) * inverse[k]
		first += v
		second += v * inverse[k]
	}
	zero := newSigma(c0)
	d := zero.value + first
	return delta{
		variance: zero.variance(c0, first, second)/(d*d) - 1/t,
		bias:     relativeBias(zero, c0, first, second, d),
	}
}

// MaximumLikelihoodError is the relative standard error of MaximumLikelihood with
// m registers for n far above m, 1.0367/sqrt(m): the information that a register
// has of ln n is (pi^2/6 - 1)/ln 2, and no unbiased reading of registers does
// better (Ertl 2017, section 5; the closed form by the integral of
// s^2 e^-x (1 - e^-x)/x with s = x/(e^x - 1) - x).
func MaximumLikelihoodError(m int) float64 {
	return math.Sqrt(math.Ln2 / ((math.Pi*math.Pi/6 - 1) * float64(m)))
}

// MartingaleError is the relative standard error of a Martingale with m registers
// for n far above m, sqrt(ln 2 / m) = 0.8326/sqrt(m) (Ting 2014; Cohen
// 2015, for base 2).
func MartingaleError(m int) float64 { return math.Sqrt(math.Ln2 / float64(m)) }

// SparseError is the relative standard error of Estimate in the sparse form, for
// any number of keys: what is not known is how many pairs of n keys have one code,
// Poisson with mean n^2/2 times 2^-26/3. It is 1/(sqrt(6) 2^13) = 0.005 %.
func SparseError() float64 { return math.Sqrt(together / 2) }
