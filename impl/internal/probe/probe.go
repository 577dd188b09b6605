package probe

import "math/bits"

// multiplier is that of impl/bloom: good in the spectral test as a multiplier
// modulo 2^64 (Steele & Vigna 2021, "Computationally easy, spectrally good
// multipliers", the one for 64-bit linear generators).
const multiplier = 0xd1342543de82ef95

// Next returns the next hash of a key and the probe below m that it gives. The
// first probe is that of Next(hash of the key, m), the second that of the hash
// it returned, and so on.
func Next(hash, m uint64) (next, at uint64) {
	next = hash * multiplier
	at, _ = bits.Mul64(next, m)
	return next, at
}
