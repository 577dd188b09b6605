package fuse

import (
	"fmt"
	"math"
)

// FPR is the false-positive rate of fingerprints of f bits, 2^-f, whatever the
// number of distinct keys, from one on (Graf & Lemire 2022, section 1): the
// fingerprint of an absent key is independent of what its slots hold.
func FPR(f int) float64 { return math.Ldexp(1, -f) }

// Bits is the smallest width of a fingerprint, 8, 16 or 32, that keeps the
// false-positive rate eps: 2^-f <= eps. It returns an error for eps outside
// [2^-32, 1).
func Bits(eps float64) (int, error) {
	for f := 8; f <= 32; f *= 2 {
		if eps < 1 && FPR(f) <= eps {
			return f, nil
		}
	}
	return 0, fmt.Errorf("fuse: rate %v, allowed are 2^-32 to 1, the latter excluded", eps)
}

// BitsPerKey is the memory of a filter of n keys that was built at the first
// attempt, in bits per key, with whole segments; the arity is 3 or 4. It
// is NaN for no keys.
func BitsPerKey(arity, f, n int) float64 {
	if n < 1 {
		return math.NaN()
	}
	g := newGraph(arity, n, 1)
	return float64(g.slots(arity)) * float64(f) / float64(n)
}

// Overhead is the number of slots for each key as the set grows: 1.125 with three
// slots a key, 1.075 with four (Graf & Lemire 2022, section 4.1). It is what is
// paid over the bound of log2(1/eps) bits a key.
func Overhead(arity int) float64 {
	if arity == 4 {
		return 1.075
	}
	return 1.125
}
