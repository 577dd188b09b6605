package stats

import "math"

// ChiSquareRMS is the interval for the root mean square of errors, from the sum
// of squares of n of them, at one fixed n; alpha is the miss probability of both
// ends together. A constant bias is part of the root mean square.
//
// It serves errors that are near normal with mean near zero. For others of
// excess kurtosis k it is too narrow by √(1 + k/2), at every n: [Spread]
// measures k and widens. With n < 1, or a sumsq that is negative or no finite
// number, it is [0, +Inf]; with sumsq = 0 it is the point 0. It panics when
// alpha is not in (0, 1). Source: the pivot sumsq/σ² ~ χ²(n) of Fisher 1924.
func ChiSquareRMS(sumsq float64, n int64, alpha float64) Interval {
	mustAlpha(alpha)
	if n < 1 || !(sumsq >= 0) || math.IsInf(sumsq, 0) {
		return Interval{0, math.Inf(1)}
	}
	return chiSquareRMS(sumsq/float64(n), float64(n), alpha)
}

// chiSquareRMS takes the mean square and its degrees of freedom, which need not
// be whole.
func chiSquareRMS(meanSquare, freedom, alpha float64) Interval {
	lower, upper := gammaQuantiles(freedom/2, alpha/2)
	half := meanSquare * freedom / 2
	return Interval{math.Sqrt(half / upper), math.Sqrt(half / lower)}
}
