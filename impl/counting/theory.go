package counting

import "math"

// CellMean is the expected value of a cell that holds n keys with k cells each
// among m: kn/m. Each of the kn increments meets the cell with chance 1/m, so
// its value is Binomial(kn, 1/m) until it saturates (Fan et al. 2000,
// on counting Bloom filters).
func CellMean(n, m, k int) float64 { return float64(k) * float64(n) / float64(m) }

// OverflowBound bounds the chance that any of m cells counts to c or more
// after n keys with k cells each: m (e k n / (c m))^c, at most 1 (Fan et al.
// 2000, on counting Bloom filters; a union bound over cells and sets of c increments). At
// the optimal k = (m/n) ln 2 and for cells of 4 bits, c = 16, it is
// m (e ln 2 / 16)^16 = 1.37e-15 m. c must be positive.
func OverflowBound(n, m, k, c int) float64 {
	return min(1, float64(m)*math.Pow(math.E*CellMean(n, m, k)/float64(c), float64(c)))
}
