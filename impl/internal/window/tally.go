package window

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// A Tally is what the likelihood of n keys needs to know of all registers
// (Ertl 2024). With x = n/m keys a register, when keys come as a
// Poisson process,
//
//	ln L = -alpha x + sum_j beta_j ln(1 - exp(-x 2^-j)).
//
// It is kept up as registers change, so that an estimate need not look at them.
type Tally struct {
	// open is the probability that a new key changes a register, in units of
	// 2^-64, modulo 2^64: both 0 and 1 are 0, and are told apart by beta. It is
	// alpha/m.
	open uint64
	// beta[j] counts the values of probability 2^-j that are known to have been
	// given.
	beta [64]int32
}

// Give is told that register r, as it was before, is given the value k, which
// changes it.
func (t *Tally) Give(g Geometry, r, k uint64) {
	d := uint64(g.D)
	u := r >> d
	if k > u+d || k > d && k > u {
		// Values from u-d to k-d-1 leave the window: they can change nothing any
		// more, and are no longer known to have been given.
		marks := g.marks(r)
		for v := max(u, d+1) - d; v < k-d; v++ {
			if v <= u && marks>>(d-(u-v))&1 != 0 {
				t.beta[g.Level(v)&63]--
			} else {
				t.open -= g.chance(v)
			}
		}
	}
	t.open -= g.chance(k)
	t.beta[g.Level(k)&63]++
}

// GiveWithoutBranch is Give for T = 0 and D = 2, P from 4 on, and returns the
// register as it is then. Which values leave the window is as random as the value, and
// guesses of it would cost more than all the rest.
func (t *Tally) GiveWithoutBranch(p uint, r, k uint64) uint64 {
	// Bit v + 2 is for the value v. Those under 1 count as given, but have no mark.
	const under = 7
	u := r >> 2
	before := (4|r&3)<<(u&63) | under
	after := before | 4<<(k&63)
	top := uint64(61 - bits.LeadingZeros64(after))
	window := after >> (top & 63)
	gone := before &^ (window << (top & 63)) &^ under
	t.beta[min(k, uint64(64-p))&63]++
	for i := range uint64(3) { // u, u-1 and u-2
		t.beta[min(u-i, uint64(64-p))&63] -= int32(gone >> ((u + 2 - i) & 63) & 1)
	}
	t.open -= openAbove(p, u, before>>(u&63)) - openAbove(p, top, window)
	return top<<2 | (after&^under)>>(top&63)&3
}

// openAbove is the chance that a key changes a register of T = 0 and D = 2, whose
// greatest value is u, in units of 2^-(64-P). The last two bits of window tell of u-1
// and u-2.
func openAbove(p uint, u, window uint64) uint64 {
	last := uint64(1) << ((uint64(65-p) - u) & 63) // twice the chance of u, if it has no cap
	return last>>1 + last*(^window>>1&1) + last*2*(^window&1)
}

// Count takes in a whole register. A Tally of nothing but counted registers is
// that of the sketch when all its registers were counted.
func (t *Tally) Count(g Geometry, r uint64) { t.CountMany(g, r, 1) }

// CountMany is Count of n registers that are alike.
func (t *Tally) CountMany(g Geometry, r uint64, n uint32) {
	d, u, marks := uint64(g.D), r>>g.D, g.marks(r)
	open := g.above(u)
	for i := uint64(0); i <= d && i < u; i++ {
		if marks>>(d-i)&1 != 0 {
			t.beta[g.Level(u-i)&63] += int32(n)
		} else {
			open += g.chance(u - i)
		}
	}
	t.open += open * uint64(n)
}

// above is the chance of all values above u, in units of 2^-(64-P).
func (g Geometry) above(u uint64) uint64 {
	whole := u >> g.T // levels of 2^T values each
	if whole >= uint64(64-g.P-g.T) {
		return g.Top() - u // all of the least chance
	}
	rest := u & (1<<g.T - 1)
	return 1<<(uint64(64-g.P)-whole) - rest<<(uint64(64-g.P-g.T-1)-whole)
}

// Empty reports whether no register was given anything.
func (t *Tally) Empty() bool { return t.open == 0 && t.beta == [64]int32{} }

// Open is the probability that a new key changes a register.
func (t *Tally) Open() float64 {
	if t.Empty() {
		return 1
	}
	return float64(t.open) * 0x1p-64
}

// CheckMartingale returns an error, which wraps that of corrupt bytes, for an
// estimate that no order of keys can have led to: every key that changes registers
// adds at least 1, and all but the first more.
func (t *Tally) CheckMartingale(estimate float64) error {
	known := 0.0
	for _, b := range t.beta {
		known += float64(b)
	}
	if !(estimate >= known) || math.IsInf(estimate, 1) || known == 0 && math.Float64bits(estimate) != 0 {
		return fmt.Errorf("%w: an estimate of %g, and registers that tell of %g values", frame.ErrCorrupt, estimate, known)
	}
	return nil
}

// Solve is the maximum-likelihood estimate of x, the number of keys a register:
// the root of
//
//	f(x) = sum_j beta_j y_j/(e^(y_j) - 1) - alpha x,  y_j = x 2^-j.
//
// y/(e^y - 1) falls and is convex, so Newton's method from a point under the root
// goes up to it and never beyond (Ertl 2024). The point is from
// y/(e^y - 1) >= 1 - y/2. It is 0 for empty registers and +Inf for those that
// nothing can change.
func (t *Tally) Solve(g Geometry) float64 {
	least, most, sum, slope := 64, 0, 0.0, 0.0
	for j, b := range t.beta {
		if b != 0 {
			least, most = min(least, j), j
			sum += float64(b)
			slope += float64(b) * inverse[j]
		}
	}
	if sum == 0 {
		return 0
	}
	if t.open == 0 {
		return math.Inf(1)
	}
	alpha := math.Ldexp(float64(t.open), int(g.P)-64)
	x := sum / (alpha + slope/2)
	for {
		f, df := -alpha*x, -alpha
		y := x * inverse[most]
		e := math.Expm1(y)
		for j := most; j >= least; j-- {
			if b := float64(t.beta[j]); b != 0 {
				v := y / e
				f += b * v
				if y < 1e-3 { // the difference below would cancel
					df += b * inverse[j] * (y/6 - 0.5)
				} else {
					df += b * inverse[j] * (1 / e) * (1 - v - y)
				}
			}
			y, e = 2*y, e*(e+2) // expm1(2y)
		}
		next := x - f/df
		if !(next > x*(1+1e-14)) {
			return x
		}
		x = next
	}
}

// inverse[j] is 2^-j.
var inverse = func() (t [64]float64) {
	for j := range t {
		t[j] = math.Ldexp(1, -j)
	}
	return t
}()
