package splitblock

import (
	"unsafe"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// salt are the eight odd multipliers of the Parquet format specification
// (BloomFilter.md, Algorithm): the top five bits of salt[i] times the low half of
// the hash number the bit of lane i.
var salt = [lanes]uint32{
	0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
	0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
}

// Add sets the key's bits. It always succeeds, also when the filter is long past
// the load it was sized for: the error is always nil.
func (f *Filter) Add(key uint64) error { return f.AddHash(f.hash.Uint64(key)) }

// AddBytes is Add for a byte string. A number and its eight bytes, little endian,
// are one key where the hash family says so (all but SHA256), as in Parquet.
func (f *Filter) AddBytes(key []byte) error { return f.AddHash(f.hash.Bytes(key)) }

// AddHash is Add for a good 64-bit hash in place of a key: what Add does for a key
// of that hash.
func (f *Filter) AddHash(hash uint64) error {
	if useAVX2 {
		addAVX2(f, hash)
	} else {
		f.addPortable(hash)
	}
	return nil
}

// Contains reports whether all of the key's bits are set: false is certain.
func (f *Filter) Contains(key uint64) bool { return containsHash(f, f.hash.Uint64(key)) }

// ContainsBytes is Contains for a byte string.
func (f *Filter) ContainsBytes(key []byte) bool {
	return containsBytes(f, unsafe.SliceData(key), len(key))
}

// ContainsHash is Contains for a hash that AddHash would take.
func (f *Filter) ContainsHash(hash uint64) bool { return containsHash(f, hash) }

// containsBytesPortable takes the n bytes at key.
//
//lint:ignore U1000 the assembly goes on here
func containsBytesPortable(f *Filter, key *byte, n int) bool {
	return f.containsPortable(f.hash.Bytes(unsafe.Slice(key, n)))
}

//lint:ignore U1000 the assembly goes on here
func containsHashPortable(f *Filter, hash uint64) bool { return f.containsPortable(hash) }

// An inlineXXH3 is what the assembly needs to compute XXH3 of a key of 9 to 16 bytes
// (which are most keys of 128 bits: identifiers, addresses, digests) on its way to
// the block. At sizes where a look-up waits for memory its time is that of the
// instructions between one look-up's load and the next one's, because that many fit
// into the processor's window; a call of the hash function doubles them.
type inlineXXH3 struct {
	lengths   uint64 // the number of lengths from 9 on: 8, or 0 for other hashes
	low, high uint64 // flip the first and last eight bytes of the key
}

// inlineHash takes its constants from XXH3's default secret, bytes 24 to 55 (XXH3
// specification, "Input of length 9 to 16").
func inlineHash(h hashing.Hasher) inlineXXH3 {
	family, seed, _ := h.Parts()
	if family != hashing.XXH3 {
		return inlineXXH3{}
	}
	return inlineXXH3{
		8,
		0x1f67b3b7a4a44072 ^ 0x78e5c0cc4ee679cb + seed,
		0x2172ffcc7dd05a82 ^ 0x8e2443f7744608b8 - seed,
	}
}

// blockOf is the block of a hash: its high half, scaled to the number of blocks.
func (f *Filter) blockOf(hash uint64) *block {
	return &f.blocks[hash>>32*uint64(len(f.blocks))>>32]
}

func (f *Filter) addPortable(hash uint64) {
	b, low := f.blockOf(hash), uint32(hash)
	for i := range b {
		b[i] |= 1 << (low * salt[i] >> 27)
	}
}

// containsPortable tests all lanes before it branches: eight shifts that overlap
// cost less than one mispredicted branch.
func (f *Filter) containsPortable(hash uint64) bool {
	b, low := f.blockOf(hash), uint32(hash)
	set := b[0] >> (low * salt[0] >> 27)
	set &= b[1] >> (low * salt[1] >> 27)
	set &= b[2] >> (low * salt[2] >> 27)
	set &= b[3] >> (low * salt[3] >> 27)
	set &= b[4] >> (low * salt[4] >> 27)
	set &= b[5] >> (low * salt[5] >> 27)
	set &= b[6] >> (low * salt[6] >> 27)
	set &= b[7] >> (low * salt[7] >> 27)
	return set&1 == 1
}
