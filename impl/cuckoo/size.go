package cuckoo

import (
	"fmt"
	"math"
)

// designLoad is the share of slots that Size plans to fill, by slots a bucket:
// a little under the load at which the first insertion was refused in tables of
// 2^18 buckets, 500 kicks and 16-bit tags (0.51, 0.86, 0.93, 0.955, 0.97, 0.98,
// 0.983 and 0.986 measured for 1 to 8 slots).
var designLoad = [maxSlots + 1]float64{1: 0.45, 2: 0.82, 3: 0.91, 4: 0.94, 5: 0.955, 6: 0.965, 7: 0.97, 8: 0.975}

// mostCrowding is the expected number of groups of keys that cannot fit which
// Size accepts before it lengthens the tags.
const mostCrowding = 1e-4

// Size returns the geometry of a filter for n keys at a false-positive rate of
// at most eps, n from 1 and eps in (0, 1), with slots a bucket, 1 to 8 (4 is the
// usual choice). The caller sets Hash, and MaxKicks if the default will not do.
//
// Tags get the fewest bits with 2b/2^f <= eps, and more where tags so short would
// crowd too many keys into one pair of buckets (see Crowding): that is so for
// one or two slots. Buckets are n/(b a) for a load a of 0.45, 0.82, 0.91, 0.94,
// 0.955, 0.965, 0.97 and 0.975 for 1 to 8 slots, and 4 sqrt(n)/b^2 more, since
// small tables fill less evenly. Even so the last keys may be refused: rarely
// with three slots or more, in some tenths of a percent of small filters with
// two, in some percent with one, where two loops of keys in one another's way
// are enough.
//
// Tags longer than 32 bits do not exist: an eps under 2b/2^32 is an error.
func Size(n int, eps float64, slots int) (Params, error) {
	switch {
	case n < 1:
		return Params{}, fmt.Errorf("cuckoo: sizing for %d keys, at least 1 is needed", n)
	case !(eps > 0 && eps < 1):
		return Params{}, fmt.Errorf("cuckoo: false-positive rate %v, it must lie between 0 and 1", eps)
	case slots < 1 || slots > maxSlots:
		return Params{}, fmt.Errorf("cuckoo: %d slots in a bucket, allowed are 1 to %d", slots, maxSlots)
	}
	b := float64(slots)
	m := math.Ceil(float64(n)/(b*designLoad[slots]) + 4*math.Sqrt(float64(n))/(b*b))
	if m > float64(maxBuckets) {
		return Params{}, fmt.Errorf("cuckoo: %d keys need more than 2^32 buckets of %d slots", n, slots)
	}
	f := minBits
	for f <= maxBits && (Bound(f, slots) > eps || Crowding(float64(n), m, f, slots) > mostCrowding) {
		f++
	}
	if f > maxBits {
		return Params{}, fmt.Errorf("cuckoo: false-positive rate %v with %d slots for %d keys needs tags over %d bits: at least %.3g is allowed",
			eps, slots, n, maxBits, Bound(maxBits, slots))
	}
	return Params{Buckets: uint64(m), Slots: slots, FingerprintBits: f, MaxKicks: DefaultMaxKicks}, nil
}

// SizeSemiSorted is Size for semi-sorted buckets, which have four slots: the same
// numbers with one bit a slot less, and tags of at least five bits.
func SizeSemiSorted(n int, eps float64) (Params, error) {
	p, err := Size(n, eps, sortedSlots)
	if err != nil {
		return Params{}, err
	}
	p.SemiSorted, p.FingerprintBits = true, max(p.FingerprintBits, highBits+1)
	return p, nil
}
