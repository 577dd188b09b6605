package bloom

import "math"

// FPRPartitioned is the rate of a filter of k slices of m/k bits, one probe in
// each: (1 - (1-k/m)^n)^k, independent slices (Broder & Mitzenmacher 2004,
// section 2). It is exact where k divides m, and slightly above FPRFinite. It is NaN
// for m < k.
func FPRPartitioned(m, k, n uint64) float64 {
	switch {
	case m < k || m == 0:
		return math.NaN()
	case n == 0:
		return 0
	}
	return math.Pow(-math.Expm1(float64(n)*math.Log1p(-float64(k)/float64(m))), float64(k))
}

// FPRBlocked is the rate of a filter cut into blocks of blockBits bits, where
// all k probes of a key fall into one block: the mean of FPRExact(blockBits, k,
// i) over a Poisson number i of keys in a block, of mean n*blockBits/m (Putze,
// Sanders, Singler 2007; with the exact inner rate, as the classic one is 8 %
// low at 64 bits). It holds for many blocks; with few, the number of keys in one
// is binomial.
func FPRBlocked(m, k, n, blockBits uint64) float64 {
	return overPoisson(load(m, blockBits, n), func(i uint64) float64 {
		return FPRExact(blockBits, k, i)
	})
}

// FPRSplitBlock is the rate of a split-block filter of m bits: blocks of 256
// bits, in each of whose 8 lanes of 32 bits a key sets one bit. It is the mean
// of (1 - (31/32)^i)^8 over a Poisson number i of keys in a block (the filter
// of the Parquet format specification; Putze, Sanders, Singler 2007 for the
// mixture). Two keys that agree in all 32 bits of the in-block hash add about
// 256 n/m 2^-32.
func FPRSplitBlock(m, n uint64) float64 {
	const lanes, laneBits = 8, 32
	return overPoisson(load(m, lanes*laneBits, n), func(i uint64) float64 {
		return FPRPartitioned(lanes*laneBits, lanes, i)
	})
}

// overPoisson is the mean of a rate over a Poisson number of the given mean. It
// sums within 12 standard deviations, and 60 beyond for small means: the tails
// left out weigh less than 1e-20. The weights are relative to the first and
// divided by their sum, which spares a logarithm of a factorial and its error. A
// rate is at most 1 and rises with the number: where the first is 1, to the digits
// that FPRExact has, all are, and they may be too many to add up.
func overPoisson(mean float64, rate func(i uint64) float64) float64 {
	spread := 12 * math.Sqrt(mean)
	if low := mean - spread; low > 1<<15 {
		if first := rate(uint64(low)); first >= 1-1e-12 {
			return first
		}
	}
	var sum, total float64
	weight := 1.0
	for i := math.Max(0, math.Floor(mean-spread)); i <= mean+spread+60; i++ {
		total += weight
		sum += weight * rate(uint64(i))
		weight *= mean / (i + 1)
	}
	return sum / total
}

// CountingCellOverflow is the chance that one cell of a counting filter of m
// cells is increased c times or more by n keys of k probes each,
// P(Binomial(kn, 1/m) >= c) (Fan et al. 2000). A 4-bit cell overflows at c = 16;
// m times this bounds the chance that any does.
func CountingCellOverflow(m, k, n, c uint64) float64 {
	return binomialTail(float64(k)*float64(n), 1/float64(m), float64(c))
}

// ScalableFPR is the bound on the rate of a chain of filters whose link i was
// built for the rate p r^i: the sum over the links, at most p/(1-r) (Almeida et
// al. 2007). The rate of independent links is 1 - prod(1 - p r^i), a little
// less.
func ScalableFPR(p, r float64, links int) float64 {
	var sum float64
	for range links {
		sum += p
		p *= r
	}
	return sum
}
