package stats

import (
	"fmt"
	"math"
)

// solve finds t with f(t) = target for a rising concave f that also gives its
// slope. Newton's step from anywhere lands left of the root, because the
// tangent of a concave function lies above it, and from there it climbs
// without passing the root: no bracket is needed.
func solve(f func(t float64) (value, slope float64), start, target float64) float64 {
	t := start
	for range 200 {
		v, slope := f(t)
		step := (target - v) / slope
		// A start far right has slope 0: walk left in bounded steps.
		if limit := 2 + math.Abs(t)/2; math.IsNaN(step) || math.Abs(step) > limit {
			step = math.Copysign(limit, target-v)
		}
		t += step
		if math.Abs(step) <= 2*epsilon*(1+math.Abs(t)) {
			break
		}
	}
	return t
}

// tailDistance is about how many standard deviations out a tail of
// probability p begins: where Newton's steps start.
func tailDistance(p float64) float64 { return math.Sqrt(math.Max(0, -2*math.Log(2*p))) }

// betaQuantile gives the log odds of the point below which the Beta(a, b)
// distribution has probability p.
func betaQuantile(a, b, p float64) float64 {
	start := math.Log(a/b) - tailDistance(p)*math.Sqrt(1/a+1/b)
	return solve(func(t float64) (float64, float64) { return betaTail(a, b, t) }, start, math.Log(p))
}

// studentQuantile is the t that Student's distribution of nu > 0 degrees of
// freedom exceeds in absolute value with probability alpha. With
// x = nu/(nu+t²), P(|T| > t) = I_x(nu/2, 1/2), and the log odds of x are
// ln(nu/t²): nothing is lost for huge nu, where x itself rounds to 1.
func studentQuantile(nu, alpha float64) float64 {
	return math.Sqrt(nu) * math.Exp(-betaQuantile(nu/2, 0.5, alpha)/2)
}

// gammaQuantiles are the points of the Gamma(a) distribution with probability p
// below the first, and above the second.
func gammaQuantiles(a, p float64) (lower, upper float64) {
	away := tailDistance(p) / math.Sqrt(a)
	return gammaLowerQuantile(a, p, away), gammaUpperQuantile(a, p, away)
}

func gammaLowerQuantile(a, p, away float64) float64 {
	return math.Exp(solve(func(t float64) (float64, float64) { return gammaLower(a, t) },
		math.Log(a)-away, math.Log(p)))
}

func gammaUpperQuantile(a, p, away float64) float64 {
	return math.Exp(-solve(func(t float64) (float64, float64) { return gammaUpper(a, t) },
		-math.Log(a)-math.Log1p(away), math.Log(p)))
}

// mustAlpha panics unless alpha is a probability strictly between 0 and 1: it
// is written in the program, not read from data.
func mustAlpha(alpha float64) {
	if !(alpha > 0 && alpha < 1) {
		panic(fmt.Sprintf("stats: alpha %v is not between 0 and 1", alpha))
	}
}
