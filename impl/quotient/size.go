package quotient

import (
	"fmt"
	"math"
)

// Size returns the geometry of a filter for n keys at a false-positive rate of at
// most eps, n from 1 and eps in (0, 1): as many slots as fill to MaxLoadRankSelect,
// and the shortest remainders, of 2 bits or more, whose FPRExact is at most eps. The caller sets Hash.
// For a Counting filter n is the number of slots that keys and counters take. It returns an error for an eps
// whose remainders would be longer than 48 bits, and for more than 2^60 fingerprints.
func Size(n uint64, eps float64) (Params, error) {
	if n < 1 {
		return Params{}, fmt.Errorf("quotient: sizing for %d keys, at least 1 is needed", n)
	}
	if !(eps > 0 && eps < 1) {
		return Params{}, fmt.Errorf("quotient: false-positive rate %v, it must lie between 0 and 1", eps)
	}
	slots := math.Ceil(float64(n) / MaxLoadRankSelect)
	if slots > float64(MaxSlots) {
		return Params{}, fmt.Errorf("quotient: %d keys need more than 2^40 slots", n)
	}
	p := Params{Slots: uint64(slots), RemainderBits: 2}
	for FPRExact(p.Slots, uint(p.RemainderBits), n) > eps {
		if p.RemainderBits++; p.RemainderBits > MaxRemainderBits || p.Slots > maxFingerprints>>p.RemainderBits {
			return Params{}, fmt.Errorf("quotient: false-positive rate %v for %d keys: %d remainder bits are too many, or more than 2^60 fingerprints",
				eps, n, p.RemainderBits)
		}
	}
	return p, nil
}
