package cuckoo

import (
	"math/bits"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// split reads hash as a fraction of 2^64 and returns its leading digit in base
// buckets and the digit after it in base tags, plus one: what the first
// multiplication leaves over is the part of the hash that the bucket did not use.
func split(hash, buckets, tags uint64) (bucket, tag uint64) {
	bucket, rest := bits.Mul64(hash, buckets)
	digit, _ := bits.Mul64(rest, tags)
	return bucket, digit + 1
}

// A pairing gives every bucket a partner for every tag, the partner's partner
// being the bucket itself. Only the tag is known when a stored key must move,
// so the partner is a function of bucket and tag alone.
//
// With a power of two it is the paper's bucket XOR c(tag) (Fan et al. 2014,
// equation 1). With any other count XOR leaves the table, and taking the result
// modulo the count is no involution: keys would be lost. There it is
// (c(tag) - bucket) mod buckets, since c - (c - i) = i in any group.
//
// c(tag) is a mixed hash of the tag. Were it the tag itself, partners would lie
// close together and buckets fill unevenly. It also avoids the values that pair
// a bucket with itself: 0 for XOR, and even values for an even count, where
// 2i = c has no solution for odd c.
//
// With r = Reduce(Mix(tag), reach), c is r+1 for XOR, else r<<shift + offset.
type pairing struct {
	buckets       uint64
	reach, offset uint64
	shift         uint8
	xor           bool
	short         bool // tags have at most eight bits
}

func pairingOf(p Params) pairing {
	pair := newPairing(p.Buckets)
	pair.short = p.FingerprintBits <= 8
	return pair
}

func newPairing(buckets uint64) pairing {
	switch {
	case buckets > 1 && buckets&(buckets-1) == 0:
		return pairing{buckets: buckets, reach: buckets - 1, xor: true}
	case buckets%2 == 0:
		return pairing{buckets: buckets, reach: buckets / 2, shift: 1, offset: 1}
	default:
		return pairing{buckets: buckets, reach: buckets}
	}
}

func (p *pairing) other(i, tag uint64) uint64 { return p.partner(i, p.mix(tag)) }

// mixed holds Mix of the tags of up to eight bits.
var mixed = func() (m [256]uint64) {
	for tag := range m {
		m[tag] = hashing.Mix(uint64(tag))
	}
	return m
}()

// mix is Mix(tag). A look-up waits for it before it can load its second bucket.
func (p *pairing) mix(tag uint64) uint64 {
	if p.short {
		return mixed[uint8(tag)]
	}
	return hashing.Mix(tag)
}

// partner is the other bucket of a tag whose Mix is known.
func (p *pairing) partner(i, mix uint64) uint64 {
	c := hashing.Reduce(mix, p.reach)
	if p.xor {
		return i ^ (c + 1)
	}
	// A branch on c < i would be guessed wrong every other time.
	j, borrow := bits.Sub64(c<<(p.shift&1)+p.offset, i, 0)
	return j + p.buckets&-borrow
}
