package cuckoo

import (
	"encoding/binary"
	"math/bits"
)

// A table holds tags of f bits one after another, without gaps: slot s of
// bucket i starts at bit (i*slots + s)*f of the bytes, the lowest bit of a byte
// first. Tag 0 is an empty slot. (Semi-sorted buckets are laid out otherwise:
// see sorted.go.)
//
// Eight bytes that start at any byte are one load, little endian. A bucket that
// always lies within such a window is looked at as a whole; a longer one in
// chunks of as many whole slots as a window is sure to hold.
type table struct {
	bytes  []byte
	mask   uint64 // 2^f - 1
	ones   uint64 // the lowest bit of every slot in a chunk
	highs  uint64 // the highest bit of every slot in a full chunk
	last   uint64 // the same for the last chunk, which may hold fewer slots
	width  uint64 // bits in a bucket
	stride uint64 // bits in a full chunk
	f      uint8
	chunks uint8
	form   form
}

// A form is how a bucket is read.
type form uint8

const (
	octets form = iota // a bucket is four bytes: the form that peers have, read without shifts
	window             // one window holds a bucket
	chunks             // a bucket takes several
	sorted             // semi-sorted
)

func newTable(p Params) table {
	f, slots := uint64(p.FingerprintBits), uint64(p.Slots)
	t := table{mask: 1<<f - 1, width: p.bucketBits(), f: uint8(f), form: window}
	lanes := slots
	switch {
	case f == 8 && slots == 4 && !p.SemiSorted:
		t.form = octets
	case p.SemiSorted:
		t.form = sorted
	case t.width+strayBits(t.width) > 64:
		t.form = chunks
		lanes = min((64-strayBits(f))/f, slots)
	}
	count := (slots + lanes - 1) / lanes
	t.stride, t.chunks = lanes*f, uint8(count)
	for s := range lanes {
		t.ones |= 1 << (s * f)
		t.highs |= 1 << (s*f + f - 1)
		if s < slots-(count-1)*lanes {
			t.last = t.highs
		}
	}
	// Whole words, and one that the last windows may reach into.
	t.bytes = make([]byte, 8*((p.tableBits()+63)/64+1))
	return t
}

// strayBits is how far inside a byte a multiple of width can lie at most.
func strayBits(width uint64) uint64 { return 8 - min(width&-width, 8) }

// zeros marks the highest bit of the lowest zero slot of x, and perhaps of
// slots above it: right as a test and for the first slot, not as a count. Bits
// above the chunk do no harm, since a borrow only travels upwards.
func zeros(x, ones, highs uint64) uint64 { return (x - ones) &^ x & highs }

// window is what eight bytes hold from bit at on: at least 57 bits, 64 where at
// is a whole byte.
func (t *table) window(at uint64) uint64 {
	return binary.LittleEndian.Uint64(t.bytes[at>>3:]) >> (at & 7)
}

// octets marks the slots of bucket i of a table of form octets that hold tag, as
// zeros does.
func (t *table) octets(i, tag uint64) uint32 {
	const ones, highs = 0x01010101, 0x80808080
	x := binary.LittleEndian.Uint32(t.bytes[4*i:]) ^ uint32(tag)*ones
	return (x - ones) &^ x & highs
}

// match is non-zero when bucket i of a table of form window holds tag; its
// lowest set bit is then the highest bit of the first slot that does.
func (t *table) match(i, tag uint64) uint64 {
	return zeros(t.window(i*t.width)^tag*t.ones, t.ones, t.highs)
}

// find returns the bit at which the first slot of bucket i that holds tag
// starts, in a table that is not semi-sorted; tag 0 finds an empty slot.
func (t *table) find(i, tag uint64) (at uint64, found bool) {
	base := i * t.width
	for c := t.chunks; c > 0; c-- {
		highs := t.highs
		if c == 1 {
			highs = t.last
		}
		if z := zeros(t.window(base)^tag*t.ones, t.ones, highs); z != 0 {
			return base + uint64(bits.TrailingZeros64(z)) - uint64(t.f-1), true
		}
		base += t.stride
	}
	return 0, false
}

// slot is the bit at which slot s of bucket i starts.
func (t *table) slot(i, s uint64) uint64 { return i*t.width + s*uint64(t.f) }

// get reads the tag that starts at bit at.
func (t *table) get(at uint64) uint64 { return t.window(at) & t.mask }

// put writes the tag that starts at bit at.
func (t *table) put(at, tag uint64) { t.write(at, t.mask, tag) }

// write puts v, no longer than mask, in the place of the bits of mask from bit
// at on. Mask has at most 57 bits.
func (t *table) write(at, mask, v uint64) {
	b, s := t.bytes[at>>3:], at&7
	binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)&^(mask<<s)|v<<s)
}
