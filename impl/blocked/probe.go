package blocked

import (
	"math/bits"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A draw hands out the random bits that place a key's bits in its block: those of
// hashing.Mix of the hash, then of the hash one step of splitmix64 on, and so forth.
// The block is the hash's high bits, scaled; the mixing makes all other bits of the
// hash matter to the bits in the block, and the high ones say nothing about them.
type draw struct {
	state uint64
	bits  uint64 // not handed out yet
	left  int    // how many those are
}

// take hands out n bits, at most 9.
func (d *draw) take(n int) uint64 {
	if d.left < n {
		d.state += hashing.Gamma
		d.bits, d.left = hashing.Mix(d.state), 64
	}
	b := d.bits & (1<<n - 1)
	d.bits >>= n
	d.left -= n
	return b
}

// Add sets the key's bits. It always succeeds, also when the filter is long past
// the load it was sized for: the error is always nil.
func (f *Filter) Add(key uint64) error { return f.AddHash(f.hash.Uint64(key)) }

// AddBytes is Add for a byte string. A number and its eight bytes are one key where
// the hash family says so (all but SHA256); do not rely on it.
func (f *Filter) AddBytes(key []byte) error { return f.AddHash(f.hash.Bytes(key)) }

// AddHash is Add for a good 64-bit hash in place of a key: what Add does for a key
// of that hash.
func (f *Filter) AddHash(hash uint64) error {
	switch f.kind {
	case Word:
		f.words[hashing.Reduce(hash, f.blocks)] |= wordMask(hash, f.k)
	case Sectors:
		f.addSectors(hash)
	default:
		line := f.line(hash)
		d := draw{state: hash}
		for range f.k {
			p := d.take(9)
			line[p>>6] |= 1 << (p & 63)
		}
	}
	return nil
}

// Contains reports whether all of the key's bits are set: false is certain.
func (f *Filter) Contains(key uint64) bool { return f.ContainsHash(f.hash.Uint64(key)) }

// ContainsBytes is Contains for a byte string.
func (f *Filter) ContainsBytes(key []byte) bool { return f.ContainsHash(f.hash.Bytes(key)) }

// ContainsHash is Contains for a hash that AddHash would take.
func (f *Filter) ContainsHash(hash uint64) bool {
	switch f.kind {
	case Word:
		return f.foundWord(hash) == 1
	case Sectors:
		return f.foundSectors(hash) == 1
	default:
		return f.foundLine(hash) == 1
	}
}

// What follows is 1 if all of the key's bits are set, otherwise 0. Nothing in it
// branches on a bit of the filter: the bits of one cache line are there together, and
// looking at all of them costs less than a mispredicted branch. Where the cases fall
// through, k selects how many of a draw's places count; it is the same for all keys of
// a filter, and the places do not wait for one another as in a loop.

func (f *Filter) foundLine(hash uint64) uint64 {
	line := f.line(hash)
	all := uint64(1)
	for k := f.k; k > 0; k -= lineDraws {
		hash += hashing.Gamma
		b := hashing.Mix(hash)
		switch {
		case k >= 7:
			all &= line[b>>60&7] >> (b >> 54 & 63)
			fallthrough
		case k == 6:
			all &= line[b>>51&7] >> (b >> 45 & 63)
			fallthrough
		case k == 5:
			all &= line[b>>42&7] >> (b >> 36 & 63)
			fallthrough
		case k == 4:
			all &= line[b>>33&7] >> (b >> 27 & 63)
			fallthrough
		case k == 3:
			all &= line[b>>24&7] >> (b >> 18 & 63)
			fallthrough
		case k == 2:
			all &= line[b>>15&7] >> (b >> 9 & 63)
			fallthrough
		default:
			all &= line[b>>6&7] >> (b & 63)
		}
	}
	return all
}

func (f *Filter) foundWord(hash uint64) uint64 {
	missing := wordMask(hash, f.k) &^ f.words[hashing.Reduce(hash, f.blocks)]
	return (missing|-missing)>>63 ^ 1
}

// lineDraws and wordDraws are how many of a key's bits one 64-bit draw places.
const (
	lineDraws = 64 / 9
	wordDraws = 64 / 6
)

// line is the block of a hash for the kinds that have lines.
func (f *Filter) line(hash uint64) *[lineWords]uint64 {
	start := hashing.Reduce(hash, f.blocks) * lineWords
	return (*[lineWords]uint64)(f.words[start:])
}

// wordMask has a key's bits in a word.
func wordMask(hash uint64, k int) uint64 {
	var mask uint64
	for ; k > 0; k -= wordDraws {
		hash += hashing.Gamma
		b := hashing.Mix(hash)
		switch {
		case k > 8: // nine or ten
			for j := 48; j < 6*min(k, wordDraws); j += 6 {
				mask |= 1 << (b >> j & 63)
			}
			fallthrough
		case k == 8:
			mask |= 1 << (b >> 42 & 63)
			fallthrough
		case k == 7:
			mask |= 1 << (b >> 36 & 63)
			fallthrough
		case k == 6:
			mask |= 1 << (b >> 30 & 63)
			fallthrough
		case k == 5:
			mask |= 1 << (b >> 24 & 63)
			fallthrough
		case k == 4:
			mask |= 1 << (b >> 18 & 63)
			fallthrough
		case k == 3:
			mask |= 1 << (b >> 12 & 63)
			fallthrough
		case k == 2:
			mask |= 1 << (b >> 6 & 63)
			fallthrough
		default:
			mask |= 1 << (b & 63)
		}
	}
	return mask
}

// addSectors sets one bit in each of k sectors, or k/8 in each of eight.
func (f *Filter) addSectors(hash uint64) {
	line := f.line(hash)
	d := draw{state: hash}
	if f.k < lineWords {
		width := bits.TrailingZeros(uint(lineBits / f.k)) // a place in a sector is so many bits
		for sector := range f.k {
			p := uint64(sector)<<width | d.take(width)
			line[p>>6] |= 1 << (p & 63)
		}
		return
	}
	for range f.k / lineWords {
		d.left = 0 // eight times six bits from one draw
		for i := range line {
			line[i] |= 1 << d.take(6)
		}
	}
}

func (f *Filter) foundSectors(hash uint64) uint64 {
	line := f.line(hash)
	all := uint64(1)
	if f.k < lineWords {
		width := bits.TrailingZeros(uint(lineBits / f.k))
		b := hashing.Mix(hash + hashing.Gamma)
		for sector := range f.k {
			p := uint64(sector)<<(width&15) | b&(1<<(width&15)-1)
			all &= line[p>>6&7] >> (p & 63)
			b >>= width & 15
		}
		return all
	}
	for k := f.k; k > 0; k -= lineWords {
		hash += hashing.Gamma
		b := hashing.Mix(hash)
		all &= line[0] >> (b & 63)
		all &= line[1] >> (b >> 6 & 63)
		all &= line[2] >> (b >> 12 & 63)
		all &= line[3] >> (b >> 18 & 63)
		all &= line[4] >> (b >> 24 & 63)
		all &= line[5] >> (b >> 30 & 63)
		all &= line[6] >> (b >> 36 & 63)
		all &= line[7] >> (b >> 42 & 63)
	}
	return all
}
