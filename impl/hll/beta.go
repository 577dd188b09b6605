package hll

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// A polynomial holds the coefficients of beta: of z, and of ln(z+1) to the powers
// 1 to 7.
type polynomial [8]float64

// publishedBeta is for p = 14 (Qin, Kim and Tung 2016; the same in
// Redis and other implementations).
var publishedBeta = polynomial{
	-0.370393911, 0.070471823, 0.17393686, 0.16339839, -0.09237745, 0.03738027, -0.005384159, 0.00042419,
}

func (b *polynomial) at(z float64) float64 {
	l := math.Log1p(z)
	sum := 0.0
	for k := 7; k > 0; k-- {
		sum = (sum + b[k]) * l
	}
	return sum + b[0]*z
}

var betas [MaxPrecision + 1]struct {
	sync.Once
	polynomial
}

// betaFor returns the published coefficients for p = 14, which is all that the
// paper has, and fits the others when they are first needed.
func betaFor(p int) *polynomial {
	if p == 14 {
		return &publishedBeta
	}
	b := &betas[p]
	b.Do(func() { b.polynomial = fitBeta(p) })
	return &b.polynomial
}

// fitBeta chooses coefficients by least squares, as the paper does, so that the
// relative error of the estimate is small. The paper fits means of simulated
// sketches; here the empty registers z and the sum of 2^-M are what they are
// expected to be at n keys. That leaves out that they scatter, hence a bias of
// about 1/m, which matters for few registers.
func fitBeta(p int) polynomial {
	m := float64(int(1) << p)
	alpha := AlphaApprox(1 << p)
	const rows = 400
	a, b := mat.NewDense(rows, len(polynomial{}), nil), mat.NewVecDense(rows, nil)
	most := math.Log1p(m) // powers of l/most are at most 1
	for i := range rows {
		// From 0.01 keys a register to where a tenth of a register is empty.
		t := 0.01 * math.Pow(100*math.Log(10*m), float64(i)/(rows-1))
		z, sum := m*math.Exp(-t), m*math.Exp(-t)
		for k := 1; k < len(inverse); k++ {
			sum -= m * math.Exp(-t*inverse[k]) * math.Expm1(-t*inverse[k]) * inverse[k]
		}
		// The estimate alpha m (m-z) / (beta + sum) is n = tm where this is beta + sum.
		denominator := alpha * (m - z) / t
		a.Set(i, 0, z/denominator)
		l, power := math.Log1p(z)/most, 1.0
		for k := 1; k < len(polynomial{}); k++ {
			power *= l
			a.Set(i, k, m*power/denominator)
		}
		b.SetVec(i, (denominator-sum)/denominator)
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		panic(err) // the matrix does not depend on anything but p: tested for all
	}
	fit := polynomial{x.AtVec(0)}
	for k := 1; k < len(fit); k++ {
		fit[k] = x.AtVec(k) * m / math.Pow(most, float64(k))
	}
	return fit
}

func logLogBeta(h *histogram, p int) float64 {
	m, z := float64(int(1)<<p), float64(h[0])
	return AlphaApprox(1<<p) * m * (m - z) / (betaFor(p).at(z) + harmonicSum(h))
}
