package hll

import (
	"math"
	"sort"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
)

// thresholds[p] is the estimate up to which linear counting is believed, p = 4 to
// 18 (Heule, Nunkesser and Hall 2013, supplement).
var thresholds = [MaxPrecision + 1]float64{
	4: 10, 20, 40, 80, 220, 400, 900, 1800, 3100, 6500, 11500, 20000, 50000, 120000, 350000,
}

// A correction is the bias of Raw at some numbers of keys, by what Raw reads
// there on average. The authors measured theirs by simulation and printed them;
// this one is computed from RawMean, and read as theirs is.
type correction struct{ reads, bias []float64 }

// corrections are made when they are first needed, in some milliseconds.
var corrections [MaxPrecision + 1]struct {
	sync.Once
	correction
}

// There is a point every m/perRegister keys, 200 up to 5m as in the paper, and a
// few beyond, so that an estimate of 5m has neighbours on either side.
const (
	perRegister = 40
	points      = 5*perRegister + 6
	neighbours  = 6
)

func correctionFor(p int) *correction {
	c := &corrections[p]
	c.Do(func() {
		m := float64(int(1) << p)
		for i := range points {
			t := float64(i) / perRegister
			read := RawMean(1<<p, t*m)
			c.reads, c.bias = append(c.reads, read), append(c.bias, read-t*m)
		}
	})
	return &c.correction
}

// at is the mean bias of the six points that read nearest to e.
func (c *correction) at(e float64) float64 {
	last := len(c.reads) - neighbours
	from := min(max(sort.SearchFloat64s(c.reads, e)-neighbours, 0), last)
	for from < last && c.reads[from+neighbours]-e < e-c.reads[from] {
		from++
	}
	sum := 0.0
	for _, b := range c.bias[from : from+neighbours] {
		sum += b
	}
	return sum / neighbours
}

func plusPlus(h *histogram, p int) float64 {
	m := 1 << p
	if h[0] > 0 {
		if linear := LinearCounting(m, int(h[0])); linear <= thresholds[p] {
			return linear
		}
	}
	e := raw(h, m)
	if e <= 5*float64(m) {
		e -= correctionFor(p).at(e)
	}
	return e
}

// RawMean is the mean of the estimator Raw with m registers at n keys, for n up to
// 10^6 m. With Z the sum of 2^-M and f(u) the mean of
// e^(-u 2^-M) for one register,
//
//	E[1/Z] = int_0^inf E[e^-uZ] du = int_0^inf f(u)^m du
//
// when registers are independent, which they are when keys are Poisson. For n
// keys exactly, n/2 times the second derivative is taken off, and terms smaller
// by another 1/n left out.
func RawMean(m int, n float64) float64 {
	t := n / float64(m)
	const step = 0.05
	at := func(t float64) float64 { return poissonRawMean(m, max(t, 0)) }
	if t < step {
		return at(t) // the derivative at 0 is taken off in vain: n/2 is almost 0
	}
	mean := at(t)
	return mean - t/2*(at(t+step)-2*mean+at(t-step))/(step*step)/float64(m)
}

// poissonRawMean is RawMean when each register gets Poisson(t) keys.
func poissonRawMean(m int, t float64) float64 {
	// A register is k with probability weight[k].
	var weight [40]float64
	weight[0] = math.Exp(-t)
	mean := weight[0]
	for k := 1; k < len(weight); k++ {
		weight[k] = -math.Exp(-t*inverse[k]) * math.Expm1(-t*inverse[k])
		mean += weight[k] * inverse[k]
	}
	// u = x/(m mean), so that the integrand is near e^-x, and with few registers
	// falls like its power -m.
	scale := 1 / (float64(m) * mean)
	integral := quad.Fixed(func(x float64) float64 {
		less := 0.0 // 1 - f(u)
		for k, w := range weight {
			less -= w * math.Expm1(-x*scale*inverse[k])
		}
		return math.Exp(float64(m) * math.Log1p(-less))
	}, 0, 60, 64, nil, 0)
	return AlphaApprox(m) * float64(m) * float64(m) * scale * integral
}
