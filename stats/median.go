package stats

import (
	"math"
	"sort"
)

// MedianInterval gives the median of observations sorted in ascending order,
// and an interval for the median of their distribution with confidence conf in
// (0, 1). It assumes nothing but independence: the number of observations below
// the true median is Binomial(n, 1/2), so two order statistics, equally far
// from the ends, hold it between them. It is valid at one fixed n.
//
// With so few values that even the least and the greatest do not reach the
// confidence (five at 95 %), the ends are infinite. Without any value, or with
// one that is not a number, the median is NaN and the interval infinite; the
// median half way from -Inf to +Inf is NaN too. It panics when conf is not in (0, 1). Source: Thompson 1936.
func MedianInterval(sorted []float64, conf float64) (median float64, iv Interval) {
	mustAlpha(1 - conf)
	n := len(sorted)
	if n == 0 || hasNaN(sorted) {
		return math.NaN(), everything()
	}
	// Half of each, not half of the sum, which may overflow.
	median = sorted[(n-1)/2]
	if n%2 == 0 && sorted[n/2] != median {
		median = median/2 + sorted[n/2]/2
	}
	// The r-th value from either end is an end of the interval when
	// P(Binomial(n, 1/2) < r) <= (1-conf)/2.
	limit := math.Log((1-conf)/2) + 1e-12 // rounding must not decide a tie
	r := sort.Search(n/2+1, func(r int) bool { return logHalfBinomial(n, r) > limit })
	if r == 0 {
		return median, everything()
	}
	return median, Interval{sorted[r-1], sorted[n-r]}
}

// logHalfBinomial is ln P(Binomial(n, 1/2) <= k), for 0 <= k < n.
func logHalfBinomial(n, k int) float64 {
	if k >= n {
		return 0
	}
	p, _ := betaTail(float64(n-k), float64(k)+1, 0)
	return p
}

func hasNaN(values []float64) bool {
	for _, v := range values {
		if math.IsNaN(v) {
			return true
		}
	}
	return false
}
