package quotient

import (
	"encoding/binary"
	"math/bits"
)

// A block is 64 slots: a word that says which of their quotients have a run, a
// word that says in which slots a run ends, the block's offset, and 64 remainders
// packed without gaps.
const (
	blockSlots = 64
	endsAt     = 8
	offsetAt   = 16
	headBytes  = 18
	// saturated is an offset of this many slots or more, to be computed anew from
	// the blocks before.
	saturated = 1<<16 - 1
	// slackBytes let two words be read where the last remainder begins.
	slackBytes = 16
)

// A table is the slots of a filter. Runs lie in the order of their quotients, each
// from the slot of its quotient on, or from behind the run before where that is
// later. There is no way around the end: the last blocks have no quotients.
//
// The offset of a block is the number of its slots, and of those behind, that runs
// of earlier blocks' quotients take.
type table struct {
	data   []byte
	slots  uint64 // whole blocks
	stride uint64 // bytes of a block
	bits   uint64 // of a remainder
	mask   uint64
	lanes  lanes
	// fingerprints is the number of different ones.
	fingerprints uint64
}

func newTable(p Params) table {
	r := uint64(p.RemainderBits)
	t := table{slots: p.tableSlots(), fingerprints: p.fingerprints(), stride: strideOf(r), bits: r, mask: 1<<r - 1, lanes: lanesOf(r)}
	t.data = make([]byte, t.bytes()+slackBytes)
	return t
}

// split makes a hash, read as a fraction in [0, 1), the number of one of the
// fingerprints; its last bits are the remainder. So fingerprints are in the order of
// hashes, whatever the number of slots.
func (t *table) split(hash uint64) (q, remainder uint64) {
	fingerprint, _ := bits.Mul64(hash, t.fingerprints)
	return fingerprint >> (t.bits % 64), fingerprint & t.mask
}

func strideOf(r uint64) uint64 { return headBytes + blockSlots/8*r }

// bytes is the length of the blocks.
func (t *table) bytes() uint64 { return t.blocks() * t.stride }

func (t *table) blocks() uint64 { return t.slots / blockSlots }

func (t *table) word(at uint64) uint64     { return binary.LittleEndian.Uint64(t.data[at:]) }
func (t *table) setWord(at, w uint64)      { binary.LittleEndian.PutUint64(t.data[at:], w) }
func (t *table) occupieds(b uint64) uint64 { return t.word(b * t.stride) }
func (t *table) ends(b uint64) uint64      { return t.word(b*t.stride + endsAt) }
func (t *table) setEnds(b, w uint64)       { t.setWord(b*t.stride+endsAt, w) }

func (t *table) occupied(q uint64) bool { return t.occupieds(q/blockSlots)>>(q%blockSlots)&1 != 0 }

func (t *table) setOccupied(q uint64, is bool) {
	at := q / blockSlots * t.stride
	t.setWord(at, withBit(t.word(at), q%blockSlots, is))
}

func (t *table) isEnd(slot uint64) bool { return t.ends(slot/blockSlots)>>(slot%blockSlots)&1 != 0 }

func (t *table) setEnd(slot uint64, is bool) {
	b := slot / blockSlots
	t.setEnds(b, withBit(t.ends(b), slot%blockSlots, is))
}

func withBit(w, i uint64, is bool) uint64 {
	if is {
		return w | 1<<i
	}
	return w &^ (1 << i)
}

// place is the byte where a slot's remainder begins, and the bit in that byte.
func (t *table) place(slot uint64) (at, shift uint64) {
	bit := slot % blockSlots * t.bits
	return slot/blockSlots*t.stride + headBytes + bit/8, bit % 8
}

func (t *table) get(slot uint64) uint64 {
	at, shift := t.place(slot)
	return t.word(at) >> shift & t.mask
}

func (t *table) put(slot, remainder uint64) {
	at, shift := t.place(slot)
	t.setWord(at, t.word(at)&^(t.mask<<shift)|remainder<<shift)
}

func (t *table) storedOffset(b uint64) uint64 {
	return uint64(binary.LittleEndian.Uint16(t.data[b*t.stride+offsetAt:]))
}

func (t *table) setOffset(b, offset uint64) {
	binary.LittleEndian.PutUint16(t.data[b*t.stride+offsetAt:], uint16(min(offset, saturated)))
}

// offset is the true offset of a block, whatever its size.
func (t *table) offset(b uint64) uint64 {
	offset := t.storedOffset(b)
	if offset < saturated {
		return offset
	}
	a := b - 1 // the offset of block 0 is 0
	for t.storedOffset(a) == saturated {
		a--
	}
	for offset = t.storedOffset(a); a < b; a++ {
		offset = t.spill(a, offset)
	}
	return offset
}

// spill is the offset of the block behind b, which has the offset given.
func (t *table) spill(b, offset uint64) uint64 {
	next := (b + 1) * blockSlots
	return max(t.behind(b*blockSlots+offset, bits.OnesCount64(t.occupieds(b))), next) - next
}

// behind is the slot behind the k-th run that ends at or after a slot; the slot
// itself when k is 0.
func (t *table) behind(slot uint64, k int) uint64 {
	if k == 0 {
		return slot
	}
	b := slot / blockSlots
	for w := t.ends(b) >> (slot % blockSlots) << (slot % blockSlots); ; w = t.ends(b) {
		if c := bits.OnesCount64(w); k > c {
			k -= c
			b++
			continue
		}
		return b*blockSlots + selectBit(w, k) + 1
	}
}

// after is the slot behind the last run of a quotient up to q. It is at or before
// q when no run reaches q.
func (t *table) after(q uint64) uint64 {
	b := q / blockSlots
	k := bits.OnesCount64(t.occupieds(b) << (blockSlots - 1 - q%blockSlots))
	return t.behind(b*blockSlots+t.offset(b), k)
}

// start is the first slot of the run of q that ends in slot end: the slot of q or
// that behind the run before.
func (t *table) start(q, end uint64) uint64 {
	b := end / blockSlots
	w := t.ends(b) & (1<<(end%blockSlots) - 1)
	for w == 0 {
		if b*blockSlots <= q {
			return q
		}
		b--
		w = t.ends(b)
	}
	return max(q, b*blockSlots+uint64(bits.Len64(w)))
}

// free is the first free slot from a slot on, or the number of slots.
func (t *table) free(slot uint64) uint64 {
	for slot < t.slots {
		next := t.after(slot)
		if next <= slot {
			return slot
		}
		slot = next
	}
	return t.slots
}

// insert puts a remainder into slot p of the run of q and moves what is in the way
// on by one slot, up to slot u, the first free one from p on. The run is fresh when q
// has none yet; the entry is its last when p is behind its end.
func (t *table) insert(q, p, u, remainder uint64, fresh, last bool) {
	t.moveUp(p, u)
	t.put(p, remainder)
	if last && !fresh {
		t.setEnd(p-1, false)
	}
	t.setEnd(p, last || fresh)
	t.setOccupied(q, true)
	for b := q/blockSlots + 1; b <= u/blockSlots; b++ {
		t.setOffset(b, t.storedOffset(b)+1)
	}
}

// remove takes slot p out of the run of q, which is in slots start to end, and
// moves back what may lie nearer to its quotient.
func (t *table) remove(q, start, p, end uint64) {
	// Runs of quotients below y end before y: nothing from y on moves.
	y := p + 1
	for next := t.after(y - 1); next > y; next = t.after(y - 1) {
		y = next
	}
	if start == end {
		t.setOccupied(q, false)
	} else if p == end {
		t.setEnd(p-1, true)
	}
	t.moveDown(p, y-1)
	t.put(y-1, 0)
	t.setEnd(y-1, false)
	exact, known := uint64(0), false
	for b := q/blockSlots + 1; b <= (y-1)/blockSlots; b++ {
		stored := t.storedOffset(b)
		if stored < saturated {
			t.setOffset(b, stored-1)
			known = false
			continue
		}
		if !known {
			exact, known = t.offset(b-1), true
		}
		exact = t.spill(b-1, exact)
		t.setOffset(b, exact)
	}
}

// moveUp moves what is in slots p to u-1 to slots p+1 to u. What is then in p is
// of no meaning.
func (t *table) moveUp(p, u uint64) {
	for b := u / blockSlots; ; b-- {
		lo, hi := within(b, p, u)
		w := t.ends(b)
		t.setEnds(b, w&^span(lo, hi)|w<<1&span(lo, hi))
		t.shiftUp(b, lo, hi)
		if b == p/blockSlots {
			return
		}
		t.setEnd(b*blockSlots, t.isEnd(b*blockSlots-1))
		t.put(b*blockSlots, t.get(b*blockSlots-1))
	}
}

// moveDown moves what is in slots p+1 to u to slots p to u-1. What is then in u is
// of no meaning.
func (t *table) moveDown(p, u uint64) {
	for b := p / blockSlots; ; b++ {
		lo, hi := within(b, p, u)
		w := t.ends(b)
		t.setEnds(b, w&^span(lo, hi)|w>>1&span(lo, hi))
		t.shiftDown(b, lo, hi)
		if b == u/blockSlots {
			return
		}
		next := (b + 1) * blockSlots
		t.setEnd(next-1, t.isEnd(next))
		t.put(next-1, t.get(next))
	}
}

// within is the part of slots p to u that is in block b, counted from its first.
func within(b, p, u uint64) (lo, hi uint64) {
	return max(p, b*blockSlots) - b*blockSlots, min(u-b*blockSlots, blockSlots-1)
}

// span is a word with the bits lo to hi set.
func span(lo, hi uint64) uint64 { return ^uint64(0) << lo & (^uint64(0) >> (63 - hi)) }

// shiftUp moves the remainders lo to hi-1 of a block up by one, a word at a time.
func (t *table) shiftUp(b, lo, hi uint64) {
	base := b*t.stride + headBytes
	first, last := lo*t.bits, (hi+1)*t.bits-1 // bits
	for i := last / 64; ; i-- {
		v := t.word(base+8*i) << t.bits
		if i > 0 {
			v |= t.word(base+8*i-8) >> (64 - t.bits)
		}
		t.blend(base+8*i, v, i, first, last)
		if i == first/64 {
			return
		}
	}
}

// shiftDown moves the remainders lo+1 to hi of a block down by one.
func (t *table) shiftDown(b, lo, hi uint64) {
	base := b*t.stride + headBytes
	first, last := lo*t.bits, (hi+1)*t.bits-1
	for i := first / 64; i <= last/64; i++ {
		v := t.word(base+8*i) >> t.bits
		if i < last/64 {
			v |= t.word(base+8*i+8) << (64 - t.bits)
		}
		t.blend(base+8*i, v, i, first, last)
	}
}

// blend writes the bits of word number i that are among the bits first to last.
func (t *table) blend(at, v, i, first, last uint64) {
	lo, hi := within(i, first, last)
	keep := ^span(lo, hi)
	t.setWord(at, t.word(at)&keep|v&^keep)
}
