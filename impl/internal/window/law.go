package window

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"
)

// A Shape is the part of a Geometry that laws for many registers depend on.
type Shape struct{ T, D uint }

// Shape drops the number of registers.
func (g Geometry) Shape() Shape { return Shape{g.T, g.D} }

// sums over all values k of the terms below, at x keys a register: y is x times
// the chance of k, and none = exp(-x P(value > k + d)) the probability that k has
// not left the window.
type sums struct {
	information float64 // x^2 times Fisher's information about x in one register
	fall        float64 // -x^3 times the derivative of that information
	third       float64 // x^3 times the expected third derivative of ln L
	open        float64 // the probability that a key changes the register
}

// at computes the sums of Ertl 2024 term by term and without the cap
// on values, so for n far below 2^64.
func (s Shape) at(x float64) sums {
	var out sums
	// Values of y > 700 are given for sure and tell nothing; those of levels past
	// the last have y < 1e-16.
	for level := 0; level < 54+int(max(0, math.Log2(x))); level++ {
		rho := math.Ldexp(1, -level-1-int(s.T))
		y := x * rho
		if y > 700 {
			continue
		}
		e, back := math.Expm1(y), math.Exp(-y)
		for r := range uint(1) << s.T {
			above := x * s.above(uint(level)<<s.T+r+1+s.D)
			none := math.Exp(-above)
			out.information += none * y * (y / e)
			out.fall += none * y * (y / e) * (y/e*(e+1) + above)
			out.third += none * y * (y / e) * (y / e) * (e + 2)
			out.open += none * rho * back
		}
	}
	return out
}

// above is the probability of a value above v.
func (s Shape) above(v uint) float64 {
	whole, rest := int(v>>s.T), float64(v&(1<<s.T-1))
	return math.Ldexp(1-rest*math.Ldexp(1, -1-int(s.T)), -whole)
}

// Variance is m times the relative variance of the maximum-likelihood estimate
// from m registers at n = x m keys: the inverse of Fisher's information (Ertl
// 2024, before the limit of many keys is taken), less 1/x because n
// is given and not Poisson. It leaves out terms smaller by 1/m.
func (s Shape) Variance(x float64) float64 { return 1/s.at(x).information - 1/x }

// Bias is m times the relative bias of the uncorrected maximum-likelihood
// estimate at n = x m keys, from the expected derivatives of ln L (Cox and Snell
// 1968, for one parameter):
//
//	(-I' - E[(ln L)''']/2) / (x I^2).
//
// For many keys it is the constant c of Ertl 2024.
func (s Shape) Bias(x float64) float64 {
	at := s.at(x)
	return (at.fall - at.third/2) / (at.information * at.information)
}

// MartingaleVariance is m times the relative variance of the martingale estimate
// at n = x m keys,
//
//	(1/x^2) integral from 0 to x of (1/P(z) - 1) dz,
//
// where P(z) is the expected probability that a key changes a register at z keys
// a register (Cohen 2015; Ting 2014; Ertl 2024). It leaves out terms
// smaller by 1/m.
func (s Shape) MartingaleVariance(x float64) float64 {
	// z = x e^-w
	return quad.Fixed(func(w float64) float64 {
		z := x * math.Exp(-w)
		return math.Exp(-w) * (1/s.at(z).open - 1)
	}, 0, 40, 160, nil, 0) / x
}

// GeometricVariance and GeometricMartingaleVariance are what Ertl 2024
// prints for the two at many keys, by a geometric distribution of
// values, of ratio b^-1 with b = 2^(2^-t). It is the true one for t = 0. For t > 0
// the true one has steps, and both are lower than the truth by about a hundredth.
func (s Shape) GeometricVariance() float64 {
	b, ratio := s.base()
	return math.Log(b) / mathext.Zeta(2, 1+ratio)
}

// GeometricMartingaleVariance is explained at GeometricVariance.
func (s Shape) GeometricMartingaleVariance() float64 {
	b, ratio := s.base()
	return math.Log(b) / 2 * (1 + ratio)
}

func (s Shape) base() (b, ratio float64) {
	b = math.Exp2(math.Ldexp(1, -int(s.T)))
	return b, math.Pow(b, -float64(s.D)) / (b - 1)
}

// Correction is Bias by straight lines between points in log x, computed once for
// a shape: cheap enough for every estimate. Beyond the points it stays as it is.
func (s Shape) Correction(x float64) float64 {
	table := s.table()
	at := (math.Log2(x) - correctionFrom) * correctionSteps
	last := float64(len(table) - 1)
	at = min(max(at, 0), last)
	i := min(int(at), len(table)-2)
	return table[i] + (at-float64(i))*(table[i+1]-table[i])
}

const (
	correctionFrom, correctionTo = -12, 12 // log2 x
	correctionSteps              = 4       // to a doubling of x
)

var tables sync.Map // from Shape to func() []float64

func (s Shape) table() []float64 {
	if f, ok := tables.Load(s); ok {
		return f.(func() []float64)()
	}
	f, _ := tables.LoadOrStore(s, sync.OnceValue(func() []float64 {
		t := make([]float64, (correctionTo-correctionFrom)*correctionSteps+1)
		for i := range t {
			t[i] = s.Bias(math.Exp2(correctionFrom + float64(i)/correctionSteps))
		}
		return t
	}))
	return f.(func() []float64)()
}
