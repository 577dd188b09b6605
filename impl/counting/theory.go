package counting

import (
	"math"

	"github.com/sketchproof/sketchproof/impl/bloom"
)

// The laws of the filter. Throughout, n is the number of keys held, m of cells,
// k of cells a key. Each of the kn increments meets a cell with chance 1/m, so a
// cell counts Binomial(kn, 1/m) until it saturates (Fan et al. 2000, on counting
// Bloom filters).

// CellMean is the expected value of a cell, kn/m.
func CellMean(n, m, k int) float64 { return float64(k) * float64(n) / float64(m) }

// FPR is the false-positive rate, that of the Bloom filter of the cells that are
// not 0, whatever was added and removed before (Fan et al. 2000).
func FPR(n, m, k int) float64 { return bloom.FPRExact(uint64(m), uint64(k), uint64(n)) }

// CellOverflow is the chance that one cell is raised c times or more:
// P(Binomial(kn, 1/m) >= c).
func CellOverflow(n, m, k, c int) float64 {
	return bloom.CountingCellOverflow(uint64(m), uint64(k), uint64(n), uint64(c))
}

// Lost is the expected number of increments that one cell of the given width
// loses, E[max(0, X - top)] for X ~ Binomial(kn, 1/m): the sum of CellOverflow
// over c from its maximum plus one. Overflows is near m times this.
func Lost(n, m, k, cellBits int) float64 {
	var sum float64
	for c := 1 << cellBits; c <= n*k; c++ {
		p := CellOverflow(n, m, k, c)
		sum += p
		if p <= 1e-9*sum {
			break
		}
	}
	return sum
}

// OverflowBound bounds the chance that any of m cells counts to c or more
// after n keys with k cells each: m (e k n / (c m))^c, at most 1 (Fan et al.
// 2000, on counting Bloom filters; a union bound over cells and sets of c increments). At
// the optimal k = (m/n) ln 2 and for cells of 4 bits, c = 16, it is
// m (e ln 2 / 16)^16 = 1.37e-15 m. c must be positive.
func OverflowBound(n, m, k, c int) float64 {
	return min(1, float64(m)*math.Pow(math.E*CellMean(n, m, k)/float64(c), float64(c)))
}

// StrangersUnguarded is the share of n keys that are missed after s strangers
// were removed without a look, for many wide cells. A cell of a key counts 1 +
// Poisson(t), with t = kn/m, and is lowered Poisson(ks/m) times; the key is lost
// if any of its k cells comes down to 0. Derived.
func StrangersUnguarded(n, m, k, s int) float64 {
	return lostKeys(CellMean(n, m, k), CellMean(s, m, k), k)
}

// StrangersGuarded is the share of n keys that are missed after the removal of s
// strangers was asked for, where a guard refuses those that are not found, and
// the number of strangers that pass it. One passes with the chance r^k, r being
// the share of cells that are not 0, and then lowers k of those: a cell that is
// taken is lowered v times, dv/ds = k r(v)^(k-1) / m. At half fill, 69 % of the
// cells taken count 1, and each of those is the end of a key. Derived, for many
// wide cells.
func StrangersGuarded(n, m, k, s int) (lost, passed float64) {
	const steps = 64
	t, v := CellMean(n, m, k), 0.0
	h := float64(s) / steps
	slope := func(v float64) float64 {
		return float64(k) * math.Pow(taken(t, v), float64(k-1)) / float64(m)
	}
	for range steps { // midpoint rule
		middle := v + h/2*slope(v)
		passed += h * math.Pow(taken(t, middle), float64(k))
		v += h * slope(middle)
	}
	return lostKeys(t, v, k), passed
}

// taken is the share of cells above 0 when they counted Poisson(t) and were
// lowered Poisson(v) times: P(Poisson(t) > Poisson(v)).
func taken(t, v float64) float64 { return 1 - notAbove(0, t, v) }

// lostKeys is the chance that any of k cells counting 1 + Poisson(t) is at 0
// after Poisson(v) decrements.
func lostKeys(t, v float64, k int) float64 {
	return -math.Expm1(float64(k) * math.Log1p(-notAbove(1, t, v)))
}

// notAbove is P(own + Poisson(t) <= Poisson(v)), summed over the second: all
// terms are positive, and 40 standard deviations beyond the mean none counts.
func notAbove(own int, t, v float64) float64 {
	var sum float64
	pv, pt, below := math.Exp(-v), math.Exp(-t), 0.0
	for i := 0; float64(i) <= v+40*(1+math.Sqrt(v)); i++ {
		if i >= own { // below = P(Poisson(t) <= i - own)
			below += pt
			pt *= t / float64(i-own+1)
		}
		sum += pv * below
		pv *= v / float64(i+1)
	}
	return sum
}
