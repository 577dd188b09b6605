package bloom

import "math"

// The laws of the filter. Throughout, m is the number of bits, k of probes a
// key, n of distinct keys, all at least 1 (n may be 0), and the probes are
// independent and uniform, repeats allowed: the Independent scheme. Rates of a
// filter of no bits are NaN.

// FPRClassic is the textbook false-positive rate, (1 - e^(-kn/m))^k: Bloom 1970
// as it is quoted since (Broder & Mitzenmacher 2004, section 2). It is always
// below the truth, by much at small m: see FPRExact.
func FPRClassic(m, k, n uint64) float64 {
	return math.Pow(-math.Expm1(-load(m, k, n)), float64(k))
}

// FPRFinite is (1 - (1-1/m)^(kn))^k, the rate of a filter whose fill is exactly
// as expected (Broder & Mitzenmacher 2004, section 2, before the limit). It is
// below the truth too, because a filter fuller than expected errs more than an
// emptier one errs less.
func FPRFinite(m, k, n uint64) float64 { return math.Pow(Fill(m, k, n), float64(k)) }

// FPRExact is the false-positive rate itself, E[(X/m)^k] over the number X of
// bits that n keys occupy (Bose et al. 2008, Theorem 1; Christensen, Roginsky,
// Jimeno 2010). It is computed, not approximated, to about 12 digits, for any
// arguments: as the sum over d of the chance that an absent key probes d
// distinct bits, times the chance that those d are all occupied.
//
// It takes about k^3 steps at the usual loads: 3 microseconds at k = 7, 50 at
// k = 20, for every m and n.
func FPRExact(m, k, n uint64) float64 {
	if m == 0 {
		return math.NaN()
	}
	if k == 0 {
		return 1
	}
	bins, balls := float64(m), float64(k)*float64(n)
	var rate float64
	for d, p := range occupied(k, bins) {
		if d > 0 && p > 0 {
			rate += p * allOccupied(d, bins, balls)
		}
	}
	return rate
}

// Fill is the expected share of bits that n keys set, 1 - (1-1/m)^(kn).
func Fill(m, k, n uint64) float64 {
	switch {
	case m == 0:
		return math.NaN()
	case n == 0 || k == 0:
		return 0
	}
	return -math.Expm1(float64(k) * float64(n) * math.Log1p(-1/float64(m)))
}

// OptimalK is the real number k that makes FPRClassic least, (m/n) ln 2: there
// half of the bits are set (Broder & Mitzenmacher 2004, section 2).
func OptimalK(m, n uint64) float64 { return float64(m) / float64(n) * math.Ln2 }

// BitsPerKey is m/n of the classic formula for the rate p at the optimal k,
// -ln p / (ln 2)^2: 9.585 for 1 %.
func BitsPerKey(p float64) float64 { return -math.Log(p) / (math.Ln2 * math.Ln2) }

// LowerBoundBits is the least number of bits per key that any filter of false-
// positive rate eps needs for a large static set, log2(1/eps) (Carter et al.
// 1978, "Exact and approximate membership testers"). A Bloom filter takes
// 1/ln 2 = 1.44 times as much.
func LowerBoundBits(eps float64) float64 { return -math.Log2(eps) }

// MissProbes is the mean number of bits that an early exit looks at for an
// absent key when a share fill of the bits is set, the sum of fill^i for i < k:
// near 1/(1-fill). Containment in the Derived scheme looks at three together.
func MissProbes(fill float64, k uint64) float64 {
	var sum float64
	p := 1.0
	for range k {
		sum += p
		p *= fill
	}
	return sum
}

// CountEstimateBiasSD is bias and standard deviation of CountEstimate, in keys,
// after n keys: with t = kn/m, (e^t - 1)/(2k) and sqrt(m (e^t - t - 1))/k. The
// estimator is Swamidass & Baldi 2007; the moments follow from those of the
// empty bits to second order and hold while some bits are empty.
func CountEstimateBiasSD(m, k, n uint64) (bias, sd float64) {
	t := load(m, k, n)
	bias = math.Expm1(t) / (2 * float64(k))
	sd = math.Sqrt(float64(m)*expm1MinusT(t)) / float64(k)
	return bias, sd
}

// expm1MinusT is e^t - 1 - t, by its series where the difference would cancel.
func expm1MinusT(t float64) float64 {
	if t > 0.5 {
		return math.Expm1(t) - t
	}
	var sum float64
	for i, term := 2.0, t*t/2; term > 1e-18*sum; i++ {
		sum += term
		term *= t / (i + 1)
	}
	return sum
}

// NaiveDeleteLoss is the share of the other keys that are lost when all bits of
// one key are cleared: a key is lost if it shares a bit with it. With D the
// number of distinct bits among the k that are cleared, it is
// 1 - E[(1-D/m)^k], whatever the number of keys; near 1 - (1-k/m)^k.
func NaiveDeleteLoss(m, k uint64) float64 {
	bins := float64(m)
	var lost float64
	for d, p := range occupied(k, bins) {
		if p > 0 {
			lost -= p * math.Expm1(float64(k)*math.Log1p(-float64(d)/bins))
		}
	}
	return lost
}

// load is kn/m: the number of probes that were thrown at a bit, on average.
func load(m, k, n uint64) float64 {
	if m == 0 {
		return math.NaN()
	}
	return float64(k) * float64(n) / float64(m)
}
