package kmv

import "math"

// Error is the relative standard error of Estimate at n keys. It is exact: the k-th
// of n uniform numbers U has the Beta distribution of k and n-k+1, so that
//
//	E[(k-1)/U] = n,  Var[(k-1)/U]/n^2 = (n-k+1)/((k-2) n)
//
// (Beyer et al. 2007 print the like bound 1/(k-2)). Below k keys it is 0.
func Error(k int, n float64) float64 {
	if n < float64(k) {
		return 0
	}
	return math.Sqrt((n - float64(k) + 1) / (float64(k-2) * n))
}

// JaccardError is the standard error of the Jaccard estimate, absolute, when the
// union has n keys and the share j of them is in both: sampling without
// replacement, so
//
//	sqrt(j (1-j)/k (n-k)/(n-1)).
func JaccardError(k int, n, j float64) float64 {
	if n <= float64(k) {
		return 0
	}
	return math.Sqrt(j * (1 - j) / float64(k) * (n - float64(k)) / (n - 1))
}

// IntersectionError is the relative standard error of the intersection's estimate
// when the union has n keys and the share j > 0 of them is in both. Which keys have
// the k smallest hashes does not depend on where these lie, so the second moments
// of both factors multiply:
//
//	(1 + e_J^2)(1 + e_U^2) - 1,  e_J = JaccardError/j, e_U = Error.
func IntersectionError(k int, n, j float64) float64 {
	if n < float64(k) {
		return 0
	}
	share, union := JaccardError(k, n, j)/j, Error(k, n)
	return math.Sqrt(share*share + union*union + share*share*union*union)
}
