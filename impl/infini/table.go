package infini

import "math/bits"

const (
	// slack are the slots behind the last quotient, for runs that spill there. At
	// 90 % load a run spills that far with chance e^(-0.22*128), 10^-12.
	slack = 128
	// maxReach is how far from its quotient an entry may lie. Only keys that are
	// added thousands of times come near it.
	maxReach = 4096
)

// A table is a quotient filter of entries of width bits: a fingerprint of at
// least one bit, a one that marks its end, and zeros. Entries
// of one quotient are a run: they lie side by side, at the quotient's own slot
// or as near behind it as the runs before leave room, so runs are in the order
// of their quotients.
type table struct {
	log   int
	width uint64
	taken []uint64 // bit x: some entry has quotient x
	ends  []uint64 // bit s: slot s is the last of its run
	slots []uint64 // entries without gaps, and a word that is never used, to read two at once
	void  []uint64 // bit x: all match in quotient x; nil if there is none such
	spill []uint16 // for 64 quotients each: how many slots at their start are filled from before
}

func newTable(log int, width uint64) table {
	blocks := blocksOf(log)
	return table{
		log: log, width: width,
		taken: make([]uint64, blocks), ends: make([]uint64, blocks),
		slots: make([]uint64, blocks*width+1), spill: make([]uint16, blocks),
	}
}

// blocksOf is the number of blocks of 64 slots.
func blocksOf(log int) uint64 { return (uint64(1)<<log + slack) / 64 }

func (t *table) quotients() uint64 { return 1 << t.log }

// length is the number of slots, the slack included.
func (t *table) length() uint64 { return 64 * uint64(len(t.spill)) }

func (t *table) sizeBytes() int {
	return 8*(len(t.taken)+len(t.ends)+len(t.slots)+len(t.void)) + 2*len(t.spill)
}

func bit(words []uint64, i uint64) bool { return words[i/64]>>(i%64)&1 == 1 }

func set(words []uint64, i uint64) { words[i/64] |= 1 << (i % 64) }

func unset(words []uint64, i uint64) { words[i/64] &^= 1 << (i % 64) }

// at is the entry in slot s, 0 in an empty one.
func (t *table) at(s uint64) uint64 {
	i, shift := s*t.width/64, s*t.width%64
	return (t.slots[i]>>shift | t.slots[i+1]<<(64-shift)) & (1<<t.width - 1)
}

func (t *table) put(s, entry uint64) {
	i, shift := s*t.width/64, s*t.width%64
	mask := uint64(1)<<t.width - 1
	t.slots[i] = t.slots[i]&^(mask<<shift) | entry<<shift
	t.slots[i+1] = t.slots[i+1]&^(mask>>(64-shift)) | entry>>(64-shift)
}

// free is one more than the last slot of the runs of quotients up to x: that
// slot if it is behind x, and otherwise some slot not behind x.
func (t *table) free(x uint64) uint64 {
	b := x / 64
	runs := bits.OnesCount64(t.taken[b] & (2<<(x%64) - 1))
	s := 64*b + uint64(t.spill[b])
	if runs == 0 {
		return s
	}
	i := s / 64
	word := t.ends[i] &^ (1<<(s%64) - 1)
	for {
		n := bits.OnesCount64(word)
		if n >= runs {
			return 64*i + uint64(selectBit(word, runs-1)) + 1
		}
		runs -= n
		i++
		word = t.ends[i]
	}
}

// firstFree is the first empty slot at x or behind, and the length of the table
// if there is none.
func (t *table) firstFree(x uint64) uint64 {
	for x < t.length() {
		s := t.free(x)
		if s <= x {
			break
		}
		x = s
	}
	return x
}

// isFirst reports whether the run of x that slot s is in starts there.
func (t *table) isFirst(x, s uint64) bool { return s == x || bit(t.ends, s-1) }

// contains reports whether an entry of quotient x matches. fingerprint is as
// long as an entry and has the bit behind the last one free.
func (t *table) contains(x, fingerprint uint64) bool {
	if t.isVoid(x) {
		return true
	}
	if !bit(t.taken, x) {
		return false
	}
	return t.scan(x, t.free(x)-1, fingerprint)
}

// scan reports whether an entry of the run of x, which ends in slot s, matches.
func (t *table) scan(x, s, fingerprint uint64) bool {
	for ; ; s-- {
		if matches(t.at(s), fingerprint) {
			return true
		}
		if t.isFirst(x, s) {
			return false
		}
	}
}

// matches reports whether the bits of the entry above its end mark are those of
// the fingerprint.
func matches(entry, fingerprint uint64) bool {
	return (entry^fingerprint)&^(entry^(entry-1)) == 0
}

// insert puts an entry last in the run of x. It reports false, and changes
// nothing, when there is no room within reach.
func (t *table) insert(x, entry uint64) bool {
	e := t.firstFree(x)
	if e >= t.length() || e-x > maxReach {
		return false
	}
	s := x
	if e > x {
		s = t.free(x)
		shiftUp(t.ends, s, e, 1)
		shiftUp(t.slots, s*t.width, e*t.width, t.width)
		if bit(t.taken, x) {
			unset(t.ends, s-1)
		}
	}
	set(t.taken, x)
	set(t.ends, s)
	t.put(s, entry)
	for b := x/64 + 1; b <= e/64; b++ {
		t.spill[b]++
	}
	return true
}

// remove takes out the longest entry of quotient x that matches. It reports
// whether there was one.
func (t *table) remove(x, fingerprint uint64) bool {
	if !bit(t.taken, x) {
		return false
	}
	last := t.free(x) - 1
	var found, mark uint64 // where it is, and its end mark: the lower the longer
	s := last
	for ; ; s-- {
		if e := t.at(s); matches(e, fingerprint) && (mark == 0 || e&-e < mark) {
			found, mark = s, e&-e
		}
		if t.isFirst(x, s) {
			break
		}
	}
	if mark == 0 {
		return false
	}
	// All that lies behind and is not at home moves one slot back.
	end := last
	for y, ok := t.nextTaken(x + 1); ok && y <= end; y, ok = t.nextTaken(y + 1) {
		end = t.free(y) - 1
	}
	shiftDown(t.ends, found+1, end+1, 1)
	shiftDown(t.slots, (found+1)*t.width, (end+1)*t.width, t.width)
	unset(t.ends, end)
	t.put(end, 0)
	switch {
	case s == last:
		unset(t.taken, x)
	case found == last:
		set(t.ends, last-1)
	}
	for b := x/64 + 1; b <= end/64; b++ {
		t.spill[b]--
	}
	return true
}

// nextTaken is the first taken quotient from x on.
func (t *table) nextTaken(x uint64) (uint64, bool) {
	i := x / 64
	if i >= uint64(len(t.taken)) {
		return 0, false
	}
	for word := t.taken[i] &^ (1<<(x%64) - 1); ; word = t.taken[i] {
		if word != 0 {
			return 64*i + uint64(bits.TrailingZeros64(word)), true
		}
		if i++; i == uint64(len(t.taken)) {
			return 0, false
		}
	}
}

// A writer fills an empty table with runs in the order of their quotients.
type writer struct {
	t       *table
	next    uint64 // the first slot behind all runs
	block   uint64 // the first whose spill is not known
	entries uint64
}

// spills notes the spill of all blocks below the given one.
func (w *writer) spills(block uint64) {
	for ; w.block < block; w.block++ {
		if first := 64 * w.block; w.next > first {
			w.t.spill[w.block] = uint16(w.next - first)
		}
	}
}

// put appends an entry of quotient x: the last one's quotient, or a later one.
func (w *writer) put(x, entry uint64) {
	if bit(w.t.taken, x) {
		unset(w.t.ends, w.next-1)
	} else {
		w.spills(x/64 + 1)
		w.next = max(w.next, x)
		set(w.t.taken, x)
	}
	w.t.put(w.next, entry)
	set(w.t.ends, w.next)
	w.next++
	w.entries++
}

// doubled is the table of twice the quotients, and how many entries it has: one
// bit of every entry has moved to its quotient. An entry that had one bit only
// becomes a void quotient. There is always room: runs get no longer and twice as
// far apart, so no entry is further from its quotient than before.
func (t *table) doubled(width uint64) (table, uint64) {
	big := newTable(t.log+1, width)
	for x := range uint64(64 * len(t.void)) {
		if bit(t.void, x) {
			big.setVoid(2 * x)
			big.setVoid(2*x + 1)
		}
	}
	w := writer{t: &big}
	top := t.width - 1
	grow, mask, spent := width-top, uint64(1)<<width-1, uint64(1)<<(top-1)
	var next uint64
	for x, ok := t.nextTaken(0); ok; x, ok = t.nextTaken(x + 1) {
		first := max(next, x)
		for next = first + 1; !bit(t.ends, next-1); {
			next++
		}
		for half := range uint64(2) {
			for s := first; s < next; s++ {
				switch e := t.at(s); {
				case e>>top != half:
				case e&^(1<<top) == spent:
					big.setVoid(2*x + half)
				default:
					w.put(2*x+half, e<<grow&mask)
				}
			}
		}
	}
	w.spills(uint64(len(big.spill)))
	return big, w.entries
}

// setVoid makes quotient x one that everything matches.
func (t *table) setVoid(x uint64) {
	if t.void == nil {
		t.void = make([]uint64, t.quotients()/64)
	}
	set(t.void, x)
}

// isVoid reports whether everything matches in quotient x.
func (t *table) isVoid(x uint64) bool { return t.void != nil && bit(t.void, x) }
