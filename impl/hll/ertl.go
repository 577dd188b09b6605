package hll

import "math"

// ertl is alpha m / D with alpha = 1/(2 ln 2), c_k the share of registers of
// value k, q = 64 - p and
//
//	D = sigma(c_0) + sum_{k=1..q} c_k 2^-k + tau(1 - c_{q+1}) 2^-q
//
// (Ertl 2017, equation 22), and with debias divided by one plus the estimated
// bias of 1/D; see relativeBias.
func ertl(h *histogram, p int, debias bool) float64 {
	m := float64(int(1) << p)
	q := 64 - p
	if h[0] == int32(m) {
		return 0 // sigma(1) is infinite
	}
	first, second := 0.0, 0.0
	for k := q; k > 0; k-- {
		v := float64(h[k]) * inverse[k]
		first += v
		second += v * inverse[k]
	}
	c0 := float64(h[0]) / m
	zero := newSigma(c0)
	d := zero.value + first/m + tau(1-float64(h[q+1])/m)*inverse[q]
	if d == 0 {
		return math.Inf(1)
	}
	e := m / (2 * math.Ln2 * d)
	if debias {
		e /= 1 + relativeBias(zero, c0, first/m, second/m, d)/m
	}
	return e
}

// fewKeys is the number of keys a register, on average, under which the bias and
// spread of Ertl's estimator are taken from linear counting, which it then is to
// one part in 10^5. That part is a ripple in log n, and its second derivative,
// divided by so small a t, would drown the bias.
const fewKeys = 0.125

// relativeBias is m times the relative bias of 1/D when the shares c_k of m
// registers scatter like a multinomial sample. By Taylor's formula to second
// order, with V the variance of dD/dc_k over the registers,
//
//	E[1/D] D - 1 = (V/D^2 - sigma''(c_0) c_0 (1 - c_0) / (2D)) / m.
//
// first and second are the sums of c_k 2^-k and c_k 4^-k over k > 0. The
// registers at their greatest value, all but none below 2^60 keys, are left out.
func relativeBias(zero sigma, c0, first, second, d float64) float64 {
	if t := -math.Log(c0); t < fewKeys {
		return math.Expm1(t) / (2 * t) // see LinearCountingBias
	}
	bias := zero.variance(c0, first, second) / (d * d)
	if c0 > 0 {
		bias -= zero.curve * (1 - c0) / (2 * c0 * d)
	}
	return bias
}

// variance is V: that of sigma'(c_0) for an empty register, 2^-k for the others.
func (s sigma) variance(c0, first, second float64) float64 {
	if c0 == 0 {
		return second - first*first
	}
	mean := s.slope + first
	return s.slope*s.slope/c0 + second - mean*mean
}

// sigma is the function x + sum_{k>=1} x^(2^k) 2^(k-1) of Ertl 2017 (equation
// 19) with x times its first and x^2 times its second derivative, at an x in
// [0, 1).
type sigma struct{ value, slope, curve float64 }

func newSigma(x float64) sigma {
	s := sigma{value: x, slope: x}
	// At step k, power is x^(2^k) and exponent 2^k.
	for power, exponent := x*x, 2.0; ; power, exponent = power*power, 2*exponent {
		v := power * exponent / 2
		curve := s.curve + v*exponent*(exponent-1)
		if curve == s.curve { // the fastest-growing of the three sums
			return s
		}
		s = sigma{s.value + v, s.slope + v*exponent, curve}
	}
}

// tau is (1 - x - sum_{k>=1} (1 - x^(2^-k))^2 2^-k) / 3, Ertl 2017, equation 20.
func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	z, y := 1-x, 1.0
	for {
		x = math.Sqrt(x)
		y /= 2
		next := z - (1-x)*(1-x)*y
		if next == z {
			return z / 3
		}
		z = next
	}
}

// inverse[k] is 2^-k.
var inverse = func() (t [64]float64) {
	for k := range t {
		t[k] = math.Ldexp(1, -k)
	}
	return t
}()
