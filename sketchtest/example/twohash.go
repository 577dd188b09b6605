// Package twohash is a Bloom filter that has never heard of sketchproof: it stands
// for any library. Its test shows how one is held to its promises.
package twohash

import (
	"encoding/binary"
	"errors"
	"hash/maphash"
	"math"
)

// A Filter answers whether a key may have been added.
type Filter struct {
	bits []uint64
	k    int
	seed maphash.Seed
}

// New makes a filter that finds about one in 1/rate absent keys once it holds n.
func New(n int, rate float64) (*Filter, error) {
	if n < 1 || !(rate > 0 && rate < 1) {
		return nil, errors.New("twohash: at least one key, and a rate between 0 and 1")
	}
	perKey := math.Log2(1/rate) / math.Ln2 // bits per key (Bloom 1970)
	words := int(math.Ceil(perKey*float64(n)/64)) + 1
	k := max(1, int(math.Round(perKey*math.Ln2)))
	return &Filter{make([]uint64, words), k, maphash.MakeSeed()}, nil
}

// Add adds a key.
func (f *Filter) Add(key []byte) {
	h := maphash.Bytes(f.seed, key)
	for i := range f.k {
		bit := f.bit(h, i)
		f.bits[bit/64] |= 1 << (bit % 64)
	}
}

// Has reports whether a key may have been added.
func (f *Filter) Has(key []byte) bool {
	h := maphash.Bytes(f.seed, key)
	for i := range f.k {
		if bit := f.bit(h, i); f.bits[bit/64]>>(bit%64)&1 == 0 {
			return false
		}
	}
	return true
}

// bit is that of probe i, from a hash of the hash: the two halves of one hash alone
// would set too few different bits of a small filter.
func (f *Filter) bit(h uint64, i int) uint64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], h)
	binary.LittleEndian.PutUint64(b[8:], uint64(i))
	return maphash.Bytes(f.seed, b[:]) % uint64(64*len(f.bits))
}
