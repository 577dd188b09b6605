package stats

import (
	"fmt"
	"math"
)

// BetaMixture is Robbins' confidence sequence for a probability p: it may be
// looked at after every try, and stopped at will, and all its looks together
// miss p with probability at most alpha. x is the number of events in n tries;
// a, b > 0 shape the Beta(a, b) weight of the mixture, which is fixed before
// the first try: the interval is narrowest where that weight lies.
//
// It contains all p with B(a+x, b+n-x)/B(a,b) / (p^x (1-p)^(n-x)) < 1/alpha.
//
// x and n are real: the bound holds too when x is a sum of n independent
// observations in [0, 1] of one mean p, however they are distributed. The
// likelihood ratio of one observation, seen as a function of it, is convex, and
// so is on average at most what it is for a coin of the same mean, which is 1.
//
// With n = 0 it is [0, 1]. It panics when x is not in [0, n], a or b not
// positive, or alpha not in (0, 1). Source: Robbins 1970; Ville 1939 for the
// bound over all looks.
func BetaMixture(x, n, alpha, a, b float64) Interval {
	mustAlpha(alpha)
	if !(x >= 0 && x <= n) || math.IsInf(n, 0) {
		panic(fmt.Sprintf("stats: a sum of %v in %v tries: it must be 0 to tries, and both finite", x, n))
	}
	if !(a > 0 && b > 0) || math.IsInf(a+b, 0) {
		panic(fmt.Sprintf("stats: Beta weight (%v, %v) is not positive and finite", a, b))
	}
	if n == 0 {
		return Interval{0, 1}
	}
	level := mixtureLevel(x, n, alpha, a, b)
	lo, _ := divergenceBound(x, n, level)
	_, hi := divergenceBound(n-x, n, level)
	return Interval{lo, hi}
}

// mixtureLevel is the divergence from x in n at which the mixture's likelihood
// ratio reaches 1/alpha. It is ln(1/alpha) less the logarithm of the mixture
// over the highest likelihood, written so that nothing of the size of n cancels.
func mixtureLevel(x, n, alpha, a, b float64) float64 {
	above, below, all := a+x, b+n-x, a+b+n
	atBest := -divergence(x, n, above/all, below/all) +
		a*math.Log(above/all) + b*math.Log(below/all) +
		0.5*math.Log(2*math.Pi*(1/above+1/below)) +
		stirlingError(above) + stirlingError(below) - stirlingError(all) - logBeta(a, b)
	return -math.Log(alpha) - atBest
}

// divergenceBound is the p below x/n whose divergence from x in n is level, and
// 1-p.
func divergenceBound(x, n, level float64) (p, q float64) {
	switch {
	case x <= 0:
		return 0, 1
	case x >= n:
		return math.Exp(-level / n), -math.Expm1(-level / n)
	}
	start := math.Log(x/(n-x)) - math.Sqrt(2*level*(1/x+1/(n-x)))
	t := solve(func(t float64) (float64, float64) {
		p, q := logistic(t)
		return -divergence(x, n, p, q), x*q - (n-x)*p
	}, start, -level)
	return logistic(t)
}
