package reservoir

import "math"

// Inclusion is the probability that a given one of i items is in the sample of
// capacity k: k/i, or 1 while i <= k (Vitter 1985).
func Inclusion(k, i uint64) float64 {
	if i <= k {
		return 1
	}
	return float64(k) / float64(i)
}

// PairInclusion is the probability that two given ones of i items are both in
// the sample: k(k-1)/(i(i-1)), or 1 while i <= k. Every set of k items is
// equally likely to be the sample (Vitter 1985).
func PairInclusion(k, i uint64) float64 {
	if i <= k {
		return 1
	}
	if k == 0 {
		return 0
	}
	return float64(k) / float64(i) * (float64(k-1) / float64(i-1))
}

// ExpectedReplacements is the mean number of replacements in a stream of n
// items: item i > k replaces one with probability k/i, which adds up to
// k (H_n - H_k), H the harmonic numbers (Vitter 1985). It is 0
// while n <= k.
func ExpectedReplacements(k, n uint64) float64 {
	if n <= k {
		return 0
	}
	return float64(k) * harmonicBetween(k, n)
}

// ReplacementsVariance is the variance of the number of replacements, a sum of
// independent Bernoulli variables of chance k/i: the sum of (k/i)(1 - k/i) for
// i from k+1 to n. It takes time proportional to n-k.
func ReplacementsVariance(k, n uint64) float64 {
	v := 0.0
	for i := n; i > k; i-- {
		p := float64(k) / float64(i)
		v += p * (1 - p)
	}
	return v
}

// PrintedReplacements is the approximation k ln(n/k) to ExpectedReplacements,
// as texts print it; 0 while n <= k. It is high by about (n-k)/(2n): half a
// replacement in a long stream, whatever k is.
func PrintedReplacements(k, n uint64) float64 {
	if n <= k || k == 0 {
		return 0
	}
	return float64(k) * math.Log(float64(n)/float64(k))
}

// harmonicBetween is H_n - H_k for k < n. Terms up to 256 are added up, from
// the smallest; beyond, the Euler-Maclaurin expansion of H_i without its
// constant, ln i + 1/(2i) - 1/(12i^2) + 1/(120i^4), leaves out less than
// 1/(252 i^6), which is below 1e-16.
func harmonicBetween(k, n uint64) float64 {
	const exact = 256
	sum := 0.0
	if n > exact {
		from := float64(max(k, exact))
		sum = math.Log1p((float64(n)-from)/from) + harmonicRest(float64(n)) - harmonicRest(from)
	}
	for i := min(n, exact); i > k; i-- {
		sum += 1 / float64(i)
	}
	return sum
}

func harmonicRest(x float64) float64 {
	y := 1 / (x * x)
	return 1/(2*x) - y/12 + y*y/120
}

// ExpectedDraws is the mean number of random numbers that algorithm L draws for n
// items: two when the sample is full, three for each replacement (Li 1994). It
// is 0 while n < k.
func ExpectedDraws(k, n uint64) float64 {
	if n < k || k == 0 {
		return 0
	}
	return 2 + 3*ExpectedReplacements(k, n)
}

// HypergeometricSplit is the probability that j of the k sampled items of two
// streams of a and b items are from the first: C(a, j) C(b, k-j) / C(a+b, k).
func HypergeometricSplit(a, b, k, j uint64) float64 {
	if j > a || k-j > b || j > k {
		return 0
	}
	choose := func(n, k uint64) float64 {
		top, _ := math.Lgamma(float64(n) + 1)
		low, _ := math.Lgamma(float64(k) + 1)
		rest, _ := math.Lgamma(float64(n-k) + 1)
		return top - low - rest
	}
	return math.Exp(choose(a, j) + choose(b, k-j) - choose(a+b, k))
}
