package stats

import "math"

// logMinus is ln(v/w) - (v/w - 1), for v, w > 0. Every density below is the
// exponential of such a term times w, and near v = w the plain difference would
// lose all digits.
func logMinus(v, w float64) float64 {
	u := (v - w) / w
	if u < -0.4 || u > 0.6 {
		return math.Log(v/w) - u
	}
	// With r = u/(2+u), ln(1+u) = 2(r + r³/3 + r⁵/5 + ...), and 2r - u = -ur.
	// |r| <= 1/4, so thirteen terms leave less than 2^-53.
	r := u / (2 + u)
	r2 := r * r
	sum := 0.0
	for k := 27; k >= 3; k -= 2 {
		sum = sum*r2 + 1/float64(k)
	}
	return r * (2*r2*sum - u)
}

// stirlingError is ln Γ(z) - ((z-1/2) ln z - z + ln(2π)/2): what Stirling's
// formula leaves out. The series is Abramowitz & Stegun 1964, 6.1.41; from 15
// on its first term left out is below 1e-16.
func stirlingError(z float64) float64 {
	if z < 15 {
		lg, _ := math.Lgamma(z)
		return lg - ((z-0.5)*math.Log(z) - z + 0.5*math.Log(2*math.Pi))
	}
	z2 := z * z
	return (1./12 - (1./360-(1./1260-(1./1680-(1./1188-691./360360/z2)/z2)/z2)/z2)/z2) / z
}

// logBeta is ln B(a, b), good to a few units in the last place of its largest
// part where a difference of three ln Γ is not.
func logBeta(a, b float64) float64 {
	n := a + b
	return -a*math.Log1p(b/a) - b*math.Log1p(a/b) + 0.5*math.Log(2*math.Pi*(1/a+1/b)) +
		stirlingError(a) + stirlingError(b) - stirlingError(n)
}

// divergence is n times the Kullback-Leibler divergence of a coin of
// probability p from one that shows x in n, both ends of [0, n] included; q is
// 1-p, given apart so that neither end loses digits. The linear parts of the
// two terms cancel, so they are left out of both.
func divergence(x, n, p, q float64) float64 {
	y := n - x
	switch {
	case x <= 0:
		return -n * math.Log1p(-p)
	case y <= 0:
		return -n * math.Log1p(-q)
	default:
		return -x*logMinus(n*p, x) - y*logMinus(n*q, y)
	}
}

// logistic gives x = 1/(1+e^-t) and 1-x, both to full relative precision.
func logistic(t float64) (x, y float64) {
	if t > 0 {
		e := math.Exp(-t)
		return 1 / (1 + e), e / (1 + e)
	}
	e := math.Exp(t)
	return e / (1 + e), 1 / (1 + e)
}
