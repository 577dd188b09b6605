package hll

import "math"

// maximumLikelihood is m t for the root t of the likelihood's derivative when each
// register gets Poisson(t) keys (Ertl 2017, section 5). With c_k registers of value
// k and x_k = t 2^-k, but for the last value t 2^-q, it is the root of
//
//	F(t) = t (c_0 + sum_{k=1..q} c_k 2^-k) - sum_{k>0} c_k x_k/(e^x_k - 1).
//
// F is concave and grows, so Newton's iteration comes from below once it is
// there, and cannot fail. x/(e^x - 1) >= 1 - x/2 gives the start, below the root.
func maximumLikelihood(h *histogram, p int) float64 {
	m, q := 1<<p, 64-p
	if h[0] == int32(m) {
		return 0
	}
	if h[q+1] == int32(m) {
		return math.Inf(1)
	}
	linear, half := float64(h[0]), 0.0
	for k := q; k > 0; k-- {
		linear += float64(h[k]) * inverse[k]
		half += float64(h[k]) * inverse[k] / 2
	}
	half += float64(h[q+1]) * inverse[q] / 2
	last := q + 1
	for h[last] == 0 {
		last--
	}
	t := (float64(m) - float64(h[0])) / (linear + half)
	for {
		f, slope := linear*t, linear
		for k := 1; k <= last; k++ {
			if h[k] == 0 {
				continue
			}
			step := inverse[min(k, q)]
			value, derivative := bernoulli(t * step)
			f -= float64(h[k]) * value
			slope -= float64(h[k]) * derivative * step
		}
		next := t - f/slope
		if next <= t*(1+1e-12) {
			return float64(m) * t
		}
		t = next
	}
}

// bernoulli is x/(e^x - 1) and its derivative, for x > 0.
func bernoulli(x float64) (value, derivative float64) {
	if x < 1e-4 {
		return 1 - x/2 + x*x/12, -0.5 + x/6
	}
	e := math.Expm1(x)
	if math.IsInf(e, 1) {
		return 0, 0
	}
	return x / e, (e - x*(e+1)) / (e * e)
}
