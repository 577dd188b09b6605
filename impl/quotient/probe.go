package quotient

import "math/bits"

// A look-up reads several neighbouring remainders, the lanes of one word, and compares
// them at once. A lane that matches lies in the wanted run if as many runs end between
// the wanted slot and it as there are runs in the way. So the end of the run need not
// be searched for, and the remainders are loaded while the block's head still is.
type lanes struct {
	ones    uint64 // the lowest bit of each lane
	high    uint64 // the highest
	low     uint64 // all but the highest
	n       uint64 // lanes in a word
	window  uint64 // n bits set
	window2 uint64 // as many as two words have lanes, 63 at most
	bits    uint64 // of the lanes of a word
	inverse uint64 // 2^16 / remainder bits, rounded up
}

func lanesOf(r uint64) lanes {
	room := uint64(64 - 7) // a lane may begin at any bit of a byte
	if r%8 == 0 {
		room = 64
	}
	l := lanes{n: room / r, inverse: 1<<16/r + 1}
	l.window = 1<<l.n - 1
	l.window2 = 1<<min(63, 2*l.n) - 1
	l.bits = l.n * r
	for i := range l.n {
		l.ones |= 1 << (i * r)
	}
	l.high = l.ones << (r - 1)
	l.low = l.high - l.ones
	return l
}

// equal marks the highest bit of each lane of w that holds what the lanes of wanted
// hold.
func (l *lanes) equal(w, wanted uint64) uint64 {
	x := w ^ wanted
	return ^(x&l.low + l.low | x | l.low) & l.high
}

// has reports whether the run of a hash's quotient holds its remainder. In a counting
// filter true says only that the run holds the value, which may be a digit.
//
// Whether there is a run is asked last: four in ten absent keys have none at 90 %
// load, and a branch so hard to foretell costs more than two words of lanes, where
// nearly all absent keys are done with.
func (t *table) has(hash uint64) bool {
	q, remainder := t.split(hash)
	j := q % blockSlots
	base := q / blockSlots * t.stride
	l := &t.lanes
	wanted := remainder * l.ones
	at := base + headBytes
	bit := j * t.bits
	equal := l.equal(t.load(at+bit/8)>>(bit%8), wanted)
	equal2 := l.equal(t.load(at+(bit+l.bits)/8)>>((bit+l.bits)%8), wanted)
	occupieds, ends, offset := t.load(base), t.load(base+endsAt), t.load(base+offsetAt)&saturated
	if offset >= blockSlots {
		return t.occupied(q) && t.hasAway(q, remainder)
	}
	// What earlier blocks spilled counts as one run, which ends before the offset.
	ends = ends>>offset<<offset | 1<<offset>>1
	spilled := int(offset+63) / 64 // 0 or 1
	runs := spilled + bits.OnesCount64(occupieds<<(63-j))
	over := bits.OnesCount64(ends & (l.window2<<j | (1<<j - 1)))
	if open := occupieds >> j & 1 & (uint64(over-runs) >> 63); equal|equal2|open == 0 {
		return false
	}
	if occupieds>>j&1 == 0 {
		return false
	}
	// The runs of quotients up to q that do not end before slot q, the run of q the
	// last of them.
	runs -= bits.OnesCount64(ends & (1<<j - 1))
	ends >>= j
	if bits.OnesCount64(ends) < runs {
		return t.hasAway(q, remainder)
	}
	for {
		for ; equal != 0; equal &= equal - 1 {
			lane := uint64(bits.TrailingZeros64(equal)) * l.inverse >> 16
			if bits.OnesCount64(ends&(1<<(lane%64)-1)) == runs-1 {
				return true
			}
		}
		// What lies behind the block matches at most where all its runs are over.
		if runs -= bits.OnesCount64(ends & l.window); runs <= 0 {
			return false
		}
		ends >>= l.n % 64
		bit += l.bits
		equal = l.equal(t.load(at+bit/8)>>(bit%8), wanted)
	}
}

// hasAway is has for a run, which there is, that does not lie in the block of its
// quotient alone.
func (t *table) hasAway(q, remainder uint64) bool {
	for slot := t.after(q) - 1; ; slot-- {
		if t.get(slot) == remainder {
			return true
		}
		if slot == q || t.isEnd(slot-1) {
			return false
		}
	}
}
