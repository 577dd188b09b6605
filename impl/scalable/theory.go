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

// BitsPerKey is the memory of a chain that holds n keys, by the classic formula:
// the links of a first capacity, first rate p, growth and tightening that n keys
// need, all of them whole, over n. As much as the last link is empty, it is more
// than a Bloom filter of the right size takes (Almeida et al. 2007, section 4).
func BitsPerKey(capacity uint64, p float64, growth uint64, tightening float64, n uint64) float64 {
	room, size, bits := 0.0, float64(capacity), 0.0
	for room < float64(n) {
		bits += size * bloom.BitsPerKey(p)
		room += size
		size *= float64(growth)
		p *= tightening
	}
	return bits / float64(n)
}
