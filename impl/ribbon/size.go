package ribbon

import (
	"fmt"
	"math"
)

const (
	// conflicts is the number of redundant equations that the standard form
	// expects of an attempt: so that it rarely fails, since a second one costs
	// more time than the room it would save is worth.
	conflicts = 0.2

	// worth is where the derivatives of r (1 + overhead) and of the bits that the
	// rate loses, Follows 2^r/ln 2, are equal: ln 2 over that of the logarithm of
	// Follows, 1.4 w, and a fifth more, since further attempts lessen the loss.
	worth = 0.6

	minOverhead, maxOverhead = 0.005, 4
)

// Overhead is the number of starts over the number of keys, less one, that a
// filter of n keys gets unless Params say otherwise.
//
// The standard form gets what makes an attempt expect 0.2 redundant equations;
// that grows with the logarithm of n, by about 1/(2w) for a factor e. The
// homogeneous form gets what makes bits per key least at a rate, which does not
// depend on n: where more room costs as much as the rate it saves is worth, at
// Follows = 2^-r 0.6 r/w.
func Overhead(n int, w int, r float64, form Form) float64 {
	enough := func(overhead float64) bool {
		if form == Homogeneous {
			return Follows(overhead, w) <= math.Exp2(-r)*worth*r/float64(w)
		}
		return Redundant(n, overhead, w) <= conflicts
	}
	low, high := minOverhead, float64(maxOverhead)
	if enough(low) {
		return low
	}
	for high-low > 1e-6 {
		if mid := (low + high) / 2; enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// Size returns the parameters of a filter for n keys at a false-positive rate of
// at most eps, in (0, 1): with whatever part of a bit that takes. The caller
// sets Hash. It returns an error for an eps that takes more than MaxBits, for a
// width other than 32, 64 and 128, and for a form that does not exist.
//
// The rate of one homogeneous filter strays from its mean by some percent, with
// the number of stretches crowded with keys.
func Size(n int, eps float64, width int, form Form) (Params, error) {
	if !(eps > 0 && eps < 1) {
		return Params{}, fmt.Errorf("ribbon: false-positive rate %v: it must lie between 0 and 1", eps)
	}
	if n < 0 {
		return Params{}, fmt.Errorf("ribbon: sizing for %d keys", n)
	}
	p := Params{Width: width, Bits: BitsFor(math.Max(eps, FPR(MaxBits))), Form: form}
	if err := p.check(n); err != nil {
		return Params{}, err
	}
	own := eps // the rate of the r bits alone
	if form == Homogeneous {
		// The few more bits only raise the overhead.
		follows := Follows(Overhead(n, width, p.Bits, form), width)
		own = (eps - follows) / (1 - follows)
	}
	if !(own >= FPR(MaxBits)) {
		return Params{}, fmt.Errorf("ribbon: false-positive rate %v takes more than %d bits a key", eps, MaxBits)
	}
	p.Bits = BitsFor(own)
	return p, nil
}
