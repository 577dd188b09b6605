package cuckoo

import "math/bits"

// A table holds tags of f bits one after another, without gaps: slot s of
// bucket i starts at bit (i*slots + s)*f. Tag 0 is an empty slot.
//
// A bucket is looked at in chunks of as many whole slots as fit 64 bits: one
// chunk up to 64 bits a bucket, at most four.
type table struct {
	words  []uint64
	mask   uint64 // 2^f - 1
	ones   uint64 // the lowest bit of every slot in a chunk
	highs  uint64 // the highest bit of every slot in a full chunk
	last   uint64 // the same for the last chunk, which may hold fewer slots
	width  uint64 // bits in a bucket
	stride uint64 // bits in a full chunk
	f      uint8
	chunks uint8
	// aligned: no bucket crosses a word, so one load gets it.
	aligned bool
}

func newTable(p Params) table {
	f := uint64(p.FingerprintBits)
	lanes := min(64/f, uint64(p.Slots))
	chunks := (uint64(p.Slots) + lanes - 1) / lanes
	width := f * uint64(p.Slots)
	t := table{
		mask: 1<<f - 1, width: width, stride: lanes * f,
		f: uint8(f), chunks: uint8(chunks), aligned: 64%width == 0,
	}
	for s := range lanes {
		t.ones |= 1 << (s * f)
		t.highs |= 1 << (s*f + f - 1)
		if s < uint64(p.Slots)-(chunks-1)*lanes {
			t.last = t.highs
		}
	}
	words := (p.tableBits() + 63) / 64
	if !t.aligned {
		words++ // a window may reach into the word after its own
	}
	t.words = make([]uint64, words)
	return t
}

// zeros marks the highest bit of the lowest zero slot of x, and perhaps of
// slots above it: right as a test and for the first slot, not as a count. Bits
// above the chunk do no harm, since a borrow only travels upwards.
func zeros(x, ones, highs uint64) uint64 { return (x - ones) &^ x & highs }

// window is the 64 bits that start at bit at.
func (t *table) window(at uint64) uint64 {
	w := t.words[at>>6:]
	s := at & 63
	return w[0]>>s | w[1]<<1<<(63-s)
}

// matchAligned is non-zero when bucket i holds tag, in an aligned table.
func (t *table) matchAligned(i, tag uint64) uint64 {
	at := i * t.width
	return zeros(t.words[at>>6]>>(at&63)^tag*t.ones, t.ones, t.highs)
}

// match is non-zero when bucket i holds tag, in a table of one chunk a bucket
// that is not aligned.
func (t *table) match(i, tag uint64) uint64 {
	return zeros(t.window(i*t.width)^tag*t.ones, t.ones, t.highs)
}

// find returns the bit at which the first slot of bucket i that holds tag
// starts; tag 0 finds an empty slot.
func (t *table) find(i, tag uint64) (at uint64, found bool) {
	base := i * t.width
	if t.aligned {
		z := t.matchAligned(i, tag)
		return base + uint64(bits.TrailingZeros64(z)) - uint64(t.f-1), z != 0
	}
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
func (t *table) get(at uint64) uint64 {
	w, s := at>>6, at&63
	v := t.words[w] >> s
	if s+uint64(t.f) > 64 {
		v |= t.words[w+1] << (64 - s)
	}
	return v & t.mask
}

// put writes the tag that starts at bit at.
func (t *table) put(at, tag uint64) {
	w, s := at>>6, at&63
	t.words[w] = t.words[w]&^(t.mask<<s) | tag<<s
	if s+uint64(t.f) > 64 {
		t.words[w+1] = t.words[w+1]&^(t.mask>>(64-s)) | tag>>(64-s)
	}
}
