package infini

import "math/bits"

const (
	everyByte = 0x0101010101010101
	highBits  = 0x80 * everyByte
)

// selectBit is the place of set bit number j of w, from 0: w has more than j.
// The counts of bits up to each byte find the byte (Vigna 2008, “Broadword
// Implementation of Rank/Select Queries”), a short loop the bit.
func selectBit(w uint64, j int) int {
	s := w - w>>1&0x5555555555555555
	s = s&0x3333333333333333 + s>>2&0x3333333333333333
	s = (s + s>>4) & 0x0f0f0f0f0f0f0f0f * everyByte
	reached := (s | highBits) - uint64(j+1)*everyByte
	shift := bits.TrailingZeros64(reached&highBits) &^ 7
	j -= int(s << 8 >> shift & 0xff)
	for w >>= shift; j > 0; j-- {
		w &= w - 1
	}
	return shift + bits.TrailingZeros64(w)
}

// destination is the part of word i that lies in the bits lo to hi-1, which
// start in word first and end in word last.
func destination(i, first, last, lo, hi uint64) uint64 {
	mask := ^uint64(0)
	if i == first {
		mask <<= lo % 64
	}
	if i == last {
		mask &= ^uint64(0) >> (63 - (hi-1)%64)
	}
	return mask
}

// shiftUp moves the bits from to to-1 by fewer than 64 places upwards. The bits
// that they leave keep their old values, those that they reach lose them.
func shiftUp(words []uint64, from, to, by uint64) {
	if from == to {
		return
	}
	lo, hi := from+by, to+by
	first, last := lo/64, (hi-1)/64
	for i := last; ; i-- {
		moved := words[i] << by
		if i > 0 {
			moved |= words[i-1] >> (64 - by)
		}
		mask := destination(i, first, last, lo, hi)
		words[i] = words[i]&^mask | moved&mask
		if i == first {
			return
		}
	}
}

// shiftDown moves the bits from to to-1 by fewer than 64 places downwards.
func shiftDown(words []uint64, from, to, by uint64) {
	if from == to {
		return
	}
	lo, hi := from-by, to-by
	first, last := lo/64, (hi-1)/64
	for i := first; i <= last; i++ {
		moved := words[i] >> by
		if i+1 < uint64(len(words)) {
			moved |= words[i+1] << (64 - by)
		}
		mask := destination(i, first, last, lo, hi)
		words[i] = words[i]&^mask | moved&mask
	}
}
