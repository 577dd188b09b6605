package quotient

import "math/bits"

// How a run spells the counts of its remainders (Pandey et al. 2017, section 3.2).
// A remainder x is written
//
//	once          x
//	twice         x x
//	c > 2 times   x (0) digits x     digits of c-3, none of them 0 or x
//
// where the leading 0 is there if the first digit is above x: a value that falls
// where remainders should rise says that a counter begins. Nothing is below 0, so
// its counter is told by its end:
//
//	0 three times     0 0 0
//	0 c > 3 times     0 digits 0 0   digits of c-4, none of them 0
//
// No other part of a run has two zeros in a row.

// maxCount is the most that is counted. Only merging gets there.
const maxCount = uint64(1) << 48

// maxCode is the longest code: two remainders, a 0, and 48 binary digits.
const maxCode = 64

// appendCode appends the code of a remainder held count times, from 1 on.
func (t *table) appendCode(code []uint64, x, count uint64) []uint64 {
	switch {
	case count == 1:
		return append(code, x)
	case count == 2:
		return append(code, x, x)
	case x == 0 && count == 3:
		return append(code, 0, 0, 0)
	}
	base, rest := t.mask-1, count-3 // values without 0 and x
	if x == 0 {
		base, rest = t.mask, count-4
	}
	var digits [maxCode]uint64 // the last first
	n := 0
	for ; rest > 0 || n == 0; rest /= base {
		d := rest%base + 1
		if x != 0 && d >= x {
			d++
		}
		digits[n] = d
		n++
	}
	code = append(code, x)
	if x != 0 && digits[n-1] > x {
		code = append(code, 0)
	}
	for ; n > 0; n-- {
		code = append(code, digits[n-1])
	}
	if x == 0 {
		code = append(code, 0)
	}
	return append(code, x)
}

// parse reads the code that begins in slot p of a run that ends in slot end: a
// remainder, its count, and the slot behind. What is no code is read as something
// else, with the slot behind at most end+1; a count too large is given as 0.
func (t *table) parse(p, end uint64) (x, count, next uint64) {
	x = t.get(p)
	if x == 0 {
		return t.parseZero(p, end)
	}
	if p == end {
		return x, 1, p + 1
	}
	switch y := t.get(p + 1); {
	case y > x:
		return x, 1, p + 1
	case y == x:
		return x, 2, p + 2
	case y == 0:
		next = p + 2
	default:
		next = p + 1
	}
	value, fits := uint64(0), true
	for ; next <= end; next++ {
		d := t.get(next)
		if d == x {
			break
		}
		if d > x {
			d--
		}
		value, fits = digit(value, t.mask-1, d, fits)
	}
	if !fits || value > maxCount-3 || next > end {
		return x, 0, min(next, end) + 1
	}
	return x, value + 3, next + 1
}

func (t *table) parseZero(p, end uint64) (x, count, next uint64) {
	value, fits := uint64(0), true
	for next = p + 1; next < end; next++ {
		d := t.get(next)
		if d != 0 {
			value, fits = digit(value, t.mask, d, fits)
			continue
		}
		if t.get(next+1) != 0 { // the leading 0 of another counter
			break
		}
		switch {
		case next == p+1:
			return 0, 3, next + 2
		case !fits || value > maxCount-4:
			return 0, 0, next + 2
		}
		return 0, value + 4, next + 2
	}
	if p < end && t.get(p+1) == 0 {
		return 0, 2, p + 2
	}
	return 0, 1, p + 1
}

// digit appends a digit, which is one more than its value, to a number.
func digit(value, base, d uint64, fits bool) (uint64, bool) {
	high, low := bits.Mul64(value, base)
	sum, carry := bits.Add64(low, d-1, 0)
	return sum, fits && high == 0 && carry == 0
}

// find looks for a remainder in a run: the slots from lo to before hi are its code,
// or lo is where it belongs, and count is 0.
func (t *table) find(start, end, remainder uint64) (lo, hi, count uint64) {
	for p := start; p <= end; {
		x, c, next := t.parse(p, end)
		if x >= remainder {
			if x > remainder {
				break
			}
			return p, next, c
		}
		p = next
		start = next
	}
	return start, start, 0
}
