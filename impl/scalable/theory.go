package scalable

import (
	"math"

	"github.com/sketchproof/sketchproof/impl/bloom"
)

// Compound is the chance that any of several independent filters of the given
// rates errs, 1 - prod(1 - p_i): the rate of a chain (Almeida et al. 2007, section
// 3). The links of a chain share one hash function, but hold different keys, so
// an absent key meets them independently.
func Compound(rates []float64) float64 {
	var log float64
	for _, p := range rates {
		log += math.Log1p(-p)
	}
	return -math.Expm1(log)
}

// Bound is what the rates of all links add up to when the first has the rate p
// and each the r-fold of the one before: p/(1-r), for any number of them (Almeida
// et al. 2007, section 3).
func Bound(p, r float64) float64 { return p / (1 - r) }

// ExpectedRate is the rate of a chain of the given links in which all but the
// last are full and the last holds n keys, in expectation: Compound of their
// rates and bloom.FPRExact of the last.
func ExpectedRate(links []Link, n uint64) float64 {
	rates := make([]float64, len(links))
	for i, l := range links {
		rates[i] = l.Rate
	}
	if last := len(links) - 1; last >= 0 {
		rates[last] = bloom.FPRExact(links[last].M, links[last].K, n)
	}
	return Compound(rates)
}
