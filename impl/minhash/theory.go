package minhash

import "math"

// Variance is that of a Signature's similarity: k·Ĵ is binomial of k and J (Broder
// 1997).
func Variance(j float64, k int) float64 { return j * (1 - j) / float64(k) }

// BBitMatch is the chance that b bits of two minima agree (Li, König 2010, Theorem
// 1, for sets small against 2^64): they are equal, or agree by chance.
func BBitMatch(j float64, b int) float64 {
	chance := math.Ldexp(1, -b)
	return chance + (1-chance)*j
}

// BBitVariance is that of the unclamped similarity by b bits (Li, König 2010,
// equation 9): agreements are binomial of k and BBitMatch.
func BBitVariance(j float64, k, b int) float64 {
	p := BBitMatch(j, b)
	scale := 1 - math.Ldexp(1, -b)
	return p * (1 - p) / float64(k) / (scale * scale)
}

// BottomKVariance is that of BottomK's similarity, common of union keys in both
// sets: looks min(k, union) keys of the union are drawn without replacement, so
// those in both are hypergeometric (Broder 1997). It is 0 where union <= k.
func BottomKVariance(common, union, k int) float64 {
	if union <= k {
		return 0
	}
	j := float64(common) / float64(union)
	return Variance(j, k) * float64(union-k) / float64(union-1)
}

// BinVariance is the variance of BinSimilarity for two sets with common of union
// keys in both: J(1-J)(union·E[1/F] - 1)/(union - 1), F the number of bins that the
// union fills (Li, Owen, Zhang 2012, Theorem 2, there by k - N_emp). Given F it is
// that of F keys drawn without replacement.
func BinVariance(common, union, k int) float64 {
	if union <= 1 {
		return 0
	}
	u := float64(union)
	j := float64(common) / u
	return j * (1 - j) * (u*meanOverFilled(union, k, func(f float64) float64 { return 1 / f }) - 1) / (u - 1)
}

// DensifiedVariance is that of a OnePermutation's similarity for two sets with
// common of union keys in both, k bins.
//
// A bin's value is that of one key of the union, any with the same chance, and
// agrees if the key is in both: so the mean is J. Two bins read the same key with
// chance q, otherwise two different keys, which are in both with chance
// J(common-1)/(union-1). Given F filled bins of the union, a pair of bins that are
// not both filled reads the same with chance 1/F, because the walk of an empty
// one ends in each filled bin with the same chance; so
// q = E[(1 - F(F-1)/(k(k-1)))/F], and the rest is the second moment of a sum. It
// restates Shrivastava 2017, Theorem 2.
func DensifiedVariance(common, union, k int) float64 {
	if union <= 1 {
		return 0
	}
	u, c, n := float64(union), float64(common), float64(k)
	j := c / u
	if k == 1 {
		return j * (1 - j)
	}
	q := meanOverFilled(union, k, func(f float64) float64 { return (1 - f*(f-1)/(n*(n-1))) / f })
	// Covariance of two bins: of J and J², and of J(c-1)/(u-1) and J². The second
	// is below zero; written so that nothing cancels.
	variance := j * (1 - j)
	return variance/n + (n-1)/n*variance*(q-(1-q)/(u-1))
}

// meanOverFilled is the mean of f(F), F the number of k bins filled by balls thrown
// at random: its distribution ball by ball, without what has chance under 1e-18.
func meanOverFilled(balls, k int, f func(float64) float64) float64 {
	const negligible = 1e-18
	p := make([]float64, k+2)
	p[1] = 1
	lo, hi := 1, 1
	for range balls - 1 {
		hi = min(hi+1, k)
		for m := hi; m >= lo; m-- {
			p[m] = (p[m]*float64(m) + p[m-1]*float64(k-m+1)) / float64(k)
		}
		for lo < hi && p[lo] < negligible {
			p[lo] = 0
			lo++
		}
		for hi > lo && p[hi] < negligible {
			p[hi] = 0
			hi--
		}
		if lo == k {
			break
		}
	}
	sum, total := 0.0, 0.0
	for m := lo; m <= hi; m++ {
		sum += p[m] * f(float64(m))
		total += p[m]
	}
	return sum / total
}

// MatchChances is the law of a Signature's matches: entry x is the chance of x
// among k, binomial of k and J. With BBitMatch in place of J it is that of a BBit.
func MatchChances(j float64, k int) []float64 {
	p := make([]float64, k+1)
	switch {
	case j <= 0:
		p[0] = 1
		return p
	case j >= 1:
		p[k] = 1
		return p
	}
	for x := range p {
		p[x] = math.Exp(choose(k, x) + float64(x)*math.Log(j) + float64(k-x)*math.Log1p(-j))
	}
	return p
}

// BottomKChances is the law of a BottomK's matches for two sets with common of
// union keys in both: entry x is the chance of x among min(k, union),
// hypergeometric.
func BottomKChances(common, union, k int) []float64 {
	k = min(k, union)
	p := make([]float64, k+1)
	for x := max(0, k-(union-common)); x <= min(k, common); x++ {
		p[x] = math.Exp(choose(common, x) + choose(union-common, k-x) - choose(union, k))
	}
	return p
}

// choose is the logarithm of the binomial coefficient n over x.
func choose(n, x int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(x + 1))
	c, _ := math.Lgamma(float64(n - x + 1))
	return a - b - c
}
