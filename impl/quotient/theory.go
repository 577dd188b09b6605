package quotient

import "math"

const (
	// MaxLoad is the load to which the filter of Bender et al. 2012 stays fast.
	MaxLoad = 0.75
	// MaxLoadRankSelect is the load to which the rank-and-select filter of
	// Pandey et al. 2017 stays fast.
	MaxLoadRankSelect = 0.95
)

// FPR is the false-positive rate of a filter of r remainder bits with load =
// distinct keys / slots: 1 - e^(-load/2^r). The keys whose fingerprint is the
// absent one's are Poisson of mean load/2^r (Bender et al. 2012, section 3).
func FPR(r uint, load float64) float64 { return -math.Expm1(-math.Ldexp(load, -int(r))) }

// FPROccupied is the rate when the load is counted from the table, as occupied
// slots / slots: load/2^r. Equal fingerprints are stored once, so the occupied
// slots are fewer than the keys by just what makes the two forms agree.
func FPROccupied(r uint, load float64) float64 { return math.Ldexp(load, -int(r)) }

// FPRBound is 2^-r, which the rate never exceeds.
func FPRBound(r uint) float64 { return math.Ldexp(1, -int(r)) }

// BitsPerSlot is r remainder bits and 3 of metadata (Bender et al. 2012).
func BitsPerSlot(r uint) float64 { return float64(r) + 3 }

// BitsPerSlotRankSelect is r remainder bits and 2.125 of metadata: two bits a
// slot and one 8-bit offset for 64 (Pandey et al. 2017).
func BitsPerSlotRankSelect(r uint) float64 { return float64(r) + 2.125 }

// BitsPerKey is the space of one key, when a slot takes bitsPerSlot bits and a
// share load of the slots is occupied.
func BitsPerKey(bitsPerSlot, load float64) float64 { return bitsPerSlot / load }

// FPRExact is the rate with n keys in a filter of so many slots, without the limit of
// FPR: 1 - (1 - 1/F)^n for the F = slots 2^r fingerprints that a key has with the same
// chance each. It is above FPR by a part 1/(2F), which shows in the smallest filters.
func FPRExact(slots uint64, r uint, n uint64) float64 {
	return -math.Expm1(float64(n) * math.Log1p(-1/math.Ldexp(float64(slots), int(r))))
}
