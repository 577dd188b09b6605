package fuse

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/peel"
)

// A Fingerprint is what a slot of the table holds: its width is f.
type Fingerprint interface{ uint8 | uint16 | uint32 }

// MaxKeys is the largest number of keys, 2^30.
const MaxKeys = peel.MaxKeys

// ErrBuild is returned when no attempt to build succeeded. No set of fair
// hashes comes near to it; hashes that were forged, or are none, may.
var ErrBuild = errors.New("fuse: no attempt to build the filter succeeded")

// Params say which filter to build.
type Params struct {
	// Arity is the number of slots a key has: 3 or 4. Four take less memory, three
	// less time. The zero value stands for 3.
	Arity int
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

func (p Params) checked(keys int) (Params, error) {
	if p.Arity == 0 {
		p.Arity = 3
	}
	if p.Arity != 3 && p.Arity != 4 {
		return p, fmt.Errorf("fuse: arity %d, allowed are 3 and 4", p.Arity)
	}
	if keys > MaxKeys {
		return p, fmt.Errorf("fuse: %d keys, allowed are at most %d", keys, MaxKeys)
	}
	if err := p.Hash.Check(); err != nil {
		return p, fmt.Errorf("fuse: %w", err)
	}
	return p, nil
}

// A Filter is a binary fuse filter with fingerprints of the width of F. It does
// not change once it is built, so any number of goroutines may read it. The zero
// value is an empty filter, and good for UnmarshalBinary.
type Filter[F Fingerprint] struct {
	table []F
	graph
	seed     uint64
	keys     int
	attempts int
	arity    int
	hash     hashing.Hasher
}

// New builds a filter of the keys. It does not keep the slice. Keys that
// are given twice count once. It returns an error, before it allocates anything,
// for parameters out of range, and ErrBuild as said there.
func New[F Fingerprint](keys []uint64, p Params) (*Filter[F], error) {
	p, err := p.checked(len(keys))
	if err != nil {
		return nil, err
	}
	return build[F](peel.Keys{Hash: p.Hash, Keys: keys}, p)
}

// NewFromBytes is New for byte strings.
func NewFromBytes[F Fingerprint](keys [][]byte, p Params) (*Filter[F], error) {
	p, err := p.checked(len(keys))
	if err != nil {
		return nil, err
	}
	return build[F](peel.Bytes{Hash: p.Hash, Keys: keys}, p)
}

// NewFromHashes is New for keys whose hashes are at hand. They must be good
// 64-bit hashes: all of their bits count.
func NewFromHashes[F Fingerprint](hashes []uint64, p Params) (*Filter[F], error) {
	p, err := p.checked(len(hashes))
	if err != nil {
		return nil, err
	}
	return build[F](peel.Hashes(hashes), p)
}

var (
	_ sketchproof.Filter           = (*Filter[uint8])(nil)
	_ sketchproof.BytesFilter      = (*Filter[uint8])(nil)
	_ sketchproof.HashFilter       = (*Filter[uint8])(nil)
	_ sketchproof.BatchFilter      = (*Filter[uint8])(nil)
	_ sketchproof.HashBatchFilter  = (*Filter[uint8])(nil)
	_ sketchproof.BytesBatchFilter = (*Filter[uint8])(nil)
)

// Contains reports whether the key may be in the set.
func (f *Filter[F]) Contains(key uint64) bool { return f.ContainsHash(f.hash.Uint64(key)) }

// ContainsBytes reports whether the byte string may be in the set.
func (f *Filter[F]) ContainsBytes(key []byte) bool { return f.ContainsHash(f.hash.Bytes(key)) }

// ContainsHash reports whether the key of the hash may be in the set.
func (f *Filter[F]) ContainsHash(hash uint64) bool {
	h := peel.Mix(hash, f.seed)
	p0, p1, p2 := f.three(h)
	t := f.table
	// The comparisons stand in the place of bounds checks; they fail in the empty
	// filter, whose table has no slot.
	if p0 >= uint(len(t)) || p1 >= uint(len(t)) || p2 >= uint(len(t)) {
		return false
	}
	x := t[p0] ^ t[p1] ^ t[p2] ^ fingerprint[F](h)
	if f.arity == 4 {
		p3 := f.fourth(h, p0)
		if p3 >= uint(len(t)) {
			return false
		}
		x ^= t[p3]
	}
	return x == 0
}

// Len is the number of distinct keys, by their hashes.
func (f *Filter[F]) Len() int { return f.keys }

// Arity is the number of slots a key has.
func (f *Filter[F]) Arity() int { return f.arity }

// FingerprintBits is the width of a fingerprint in bits, f.
func (f *Filter[F]) FingerprintBits() int { return width[F]() }

// Slots is the length of the table.
func (f *Filter[F]) Slots() int { return len(f.table) }

// SegmentLength is the number of slots in a segment, a power of two.
func (f *Filter[F]) SegmentLength() int { return int(f.segment) }

// Attempts is the number of seeds that were tried to build the filter, 1 if the
// first was good; 0 for no keys.
func (f *Filter[F]) Attempts() int { return f.attempts }

// Hash is the hash function.
func (f *Filter[F]) Hash() hashing.Hasher { return f.hash }

// Params are what the filter was built with, the Arity put in.
func (f *Filter[F]) Params() Params { return Params{Arity: f.arity, Hash: f.hash} }

// SizeBytes is the memory of the table.
func (f *Filter[F]) SizeBytes() int { return len(f.table) * width[F]() / 8 }

func width[F Fingerprint]() int { return 8 * int(unsafe.Sizeof(F(0))) }
