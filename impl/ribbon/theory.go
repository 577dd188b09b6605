package ribbon

import "math"

// The laws of the filter. Throughout, r is the number of bits, w the width, and
// overhead the number of starts over the number of keys, less one.

// FPR is the false-positive rate of the standard form of r bits (Dillinger &
// Walzer 2021): 2^-r for whole r, since the bits that an absent key asks for are
// as good as random; between, a share r - floor(r) of the starts has a column
// more than the others, which gives 2^-floor(r) (1 - (r - floor(r))/2).
func FPR(r float64) float64 {
	whole := math.Floor(r)
	return math.Ldexp(1-(r-whole)/2, -int(whole))
}

// BitsFor is the least r for which FPR is at most eps in (0, 1), but at least 1.
func BitsFor(eps float64) float64 {
	whole := math.Max(1, math.Floor(-math.Log2(eps)))
	r := whole + math.Max(0, 2*(1-math.Ldexp(eps, int(whole))))
	for FPR(r) > eps {
		r = math.Nextafter(r, math.Inf(1))
	}
	return r
}

// FPRHomogeneous is the false-positive rate of the homogeneous form, when the
// equation of an absent key follows from those of the keys with the chance
// follows: such a key is always found, any other at the rate of r bits
// (Dillinger & Walzer 2021, the homogeneous form).
func FPRHomogeneous(r, follows float64) float64 { return FPR(r) + (1-FPR(r))*follows }

// Follows is the chance that a further equation follows from those of the keys,
// (1 + 2.8 x^2/w^0.7) e^-x with x = w Decay(overhead).
//
// Keys take slots as jobs do a server that takes one at a time, and an equation
// follows from others where its key would wait for more than w. The exponent is
// that of such a wait. The factor is fitted to measurement (10^6 keys, 4 to 50
// filters, overheads from 2 % to where the chance is 2e-4), good to a quarter.
// Such equations come in bursts, where keys are crowded by chance: most filters
// have fewer, some have many.
func Follows(overhead float64, w int) float64 {
	x := float64(w) * Decay(overhead)
	return math.Min(1, (1+2.8*x*x/math.Pow(float64(w), 0.7))*math.Exp(-x))
}

// Decay is the rate t at which the chance of a wait falls with its length in a
// queue of one arrival for every 1 + overhead services of one time unit: the
// positive root of e^t - 1 = (1 + overhead) t (Erlang 1909; the queue M/D/1).
func Decay(overhead float64) float64 {
	if overhead <= 0 {
		return 0
	}
	// Newton from above the root goes down to it, since the difference is convex.
	t := 2 * math.Log1p(overhead)
	for range 60 {
		next := t - (math.Expm1(t)-(1+overhead)*t)/(math.Exp(t)-(1+overhead))
		if !(math.Abs(next-t) > 1e-15*t) {
			break
		}
		t = next
	}
	return t
}

// Redundant is the expected number of equations that follow from others among
// those of n keys. In the standard form each contradicts them with the chance
// 1 - 2^-r, so this bounds the chance that an attempt fails. It is what Follows
// adds up to while the keys come: it grows by a factor e for every share of
// 1/(2w) of them.
func Redundant(n int, overhead float64, w int) float64 {
	return float64(n) * Follows(overhead, w) * redundantShare(w)
}

// redundantShare is the number of redundant keys, of all n, over the share of
// absent keys whose equation follows: 1.2/(2w), fitted as Follows is.
func redundantShare(w int) float64 { return 0.6 / float64(w) }

// RowAdditions is the expected number of row additions a key that one attempt
// takes while w is not felt: keys are displaced by 1/(2 overhead) slots in all,
// as in linear probing (Knuth 1963), they are added to every other row on the
// way, and 0.4 more to leave crowded rows.
func RowAdditions(overhead float64) float64 { return 0.4 + 1/(4*overhead) }

// BitsPerKey is the memory of a key in a large filter.
func BitsPerKey(r, overhead float64) float64 { return r * (1 + overhead) }
