package ribbon

import (
	"math/bits"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// An equation follows from the remixed hash: the high bits of h are the start,
// two folded products the coefficients, the high half of a third the bits asked
// for. The constants are odd and random: hexadecimal digits of pi.
const (
	remix  = 0x452821e638d01377
	first  = 0x13198a2e03707345
	second = 0xa4093822299f31d1
	result = 0x082efa98ec4e6c89
)

// saltOf is what a hash is remixed with at an attempt, counted from 1.
func saltOf(attempt int) uint64 { return hashing.Mix(uint64(attempt) * hashing.Gamma) }

func remixed(hash, salt uint64) uint64 { return (hash ^ salt) * remix }

// fold is 64 bits that depend on all of h.
func fold(h, by uint64) uint64 {
	hi, lo := bits.Mul64(h, by)
	return hi ^ lo
}

// resultOf is the bits that a key asks for: column c asks for bit c.
func resultOf(h uint64) uint64 { return h * result >> 32 }

// Contains reports whether the key may be one of those that the filter was
// built of: false is certain.
func (f *Filter) Contains(key uint64) bool { return f.ContainsHash(f.hash.Uint64(key)) }

// ContainsBytes is Contains for a byte string.
func (f *Filter) ContainsBytes(key []byte) bool { return f.ContainsHash(f.hash.Bytes(key)) }

// ContainsHash is Contains for a hash that NewFromHashes would take.
func (f *Filter) ContainsHash(hash uint64) bool {
	if f.starts == 0 {
		return false
	}
	h := remixed(hash, f.salt)
	if f.width > 64 {
		return f.holdsWide(h)
	}
	return f.holds(h)
}

// holds reports whether the equation of a remixed hash is met.
func (f *Filter) holds(h uint64) bool {
	start := hashing.Reduce(h, f.starts)
	offset, cols := f.columns(start / blockRows)
	c := fold(h, first)&f.mask | 1
	at := start % blockRows
	here, next := c<<at, c>>1>>(63-at)
	want := resultOf(h) & f.asked
	words := f.words[offset:][:2*cols]
	x, y := words[:cols], words[cols:][:cols]
	// Four columns at a time: a branch at each would be guessed wrong more often
	// than three needless columns cost.
	i := 0
	for ; i+4 <= len(x); i += 4 {
		x, y := x[i:i+4:i+4], y[i:i+4:i+4]
		wrong := bits.OnesCount64(x[0]&here^y[0]&next) ^ int(want)
		wrong |= bits.OnesCount64(x[1]&here^y[1]&next) ^ int(want>>1)
		wrong |= bits.OnesCount64(x[2]&here^y[2]&next) ^ int(want>>2)
		wrong |= bits.OnesCount64(x[3]&here^y[3]&next) ^ int(want>>3)
		if wrong&1 != 0 {
			return false
		}
		want >>= 4
	}
	wrong := 0
	for ; i < len(x); i++ {
		wrong |= bits.OnesCount64(x[i]&here^y[i]&next) ^ int(want)
		want >>= 1
	}
	return wrong&1 == 0
}

// holdsWide is holds for 128 coefficients, which reach over three blocks.
func (f *Filter) holdsWide(h uint64) bool {
	start := hashing.Reduce(h, f.starts)
	block, at := start/blockRows, start%blockRows
	offset, cols := f.columns(block)
	middle, _ := f.columns(block + 1)
	last, _ := f.columns(block + 2)
	lo, hi := fold(h, first)|1, fold(h, second)
	a, b, c := lo<<at, lo>>1>>(63-at)|hi<<at, hi>>1>>(63-at)
	want := resultOf(h) & f.asked
	x, y, z := f.words[offset:][:cols], f.words[middle:][:cols], f.words[last:][:cols]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		x, y, z := x[i:i+4:i+4], y[i:i+4:i+4], z[i:i+4:i+4]
		wrong := bits.OnesCount64(x[0]&a^y[0]&b^z[0]&c) ^ int(want)
		wrong |= bits.OnesCount64(x[1]&a^y[1]&b^z[1]&c) ^ int(want>>1)
		wrong |= bits.OnesCount64(x[2]&a^y[2]&b^z[2]&c) ^ int(want>>2)
		wrong |= bits.OnesCount64(x[3]&a^y[3]&b^z[3]&c) ^ int(want>>3)
		if wrong&1 != 0 {
			return false
		}
		want >>= 4
	}
	wrong := 0
	for ; i < len(x); i++ {
		wrong |= bits.OnesCount64(x[i]&a^y[i]&b^z[i]&c) ^ int(want)
		want >>= 1
	}
	return wrong&1 == 0
}
