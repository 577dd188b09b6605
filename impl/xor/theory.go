package xor

import (
	"fmt"
	"math"
)

// FPR is the false-positive rate of fingerprints of f bits, 2^-f, whatever the
// number of distinct keys, from one on (Graf & Lemire 2020, section 3): the
// fingerprint of an absent key is independent of what its slots hold.
func FPR(f int) float64 { return math.Ldexp(1, -f) }

// Bits is the smallest width of a fingerprint, 8 or 16, that keeps the
// false-positive rate eps: 2^-f <= eps. It returns an error for eps outside
// [2^-16, 1).
func Bits(eps float64) (int, error) {
	for f := 8; f <= 16; f *= 2 {
		if eps < 1 && FPR(f) <= eps {
			return f, nil
		}
	}
	return 0, fmt.Errorf("xor: rate %v, allowed are 2^-16 to 1, the latter excluded", eps)
}

// Overhead is the number of slots a key as the set grows (Graf & Lemire 2020,
// algorithm 3). It is what is paid over the bound of log2(1/eps) bits a key.
const Overhead = 1.23

// BitsPerKey is the memory of a filter of n keys that was built at the first
// attempt, in bits per key: (floor(1.23 n) + 32) f/n, in whole thirds. It is NaN for
// no keys.
func BitsPerKey(f, n int) float64 {
	if n < 1 {
		return math.NaN()
	}
	return float64(3*newBlocks(n, 1).block) * float64(f) / float64(n)
}
