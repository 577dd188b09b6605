package minhash

import (
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A BBitSignature is a [Signature] that is compared by b bits of each minimum: what
// its [BBit] answers, while keys still come. It holds the whole minima, and merges
// them before compression.
type BBitSignature struct {
	full Signature
	bits int
}

var (
	_ sketchproof.Signature              = (*BBitSignature)(nil)
	_ sketchproof.Merger[*BBitSignature] = (*BBitSignature)(nil)
)

// NewBBit returns the signature of the empty set, compared by b bits: 1, 2, 4 or 8.
func NewBBit(p Params, b int) (*BBitSignature, error) {
	if err := checkBits(uint64(b)); err != nil {
		return nil, fmt.Errorf("minhash: %w", err)
	}
	s, err := New(p)
	if err != nil {
		return nil, err
	}
	return &BBitSignature{*s, b}, nil
}

// Add takes in key.
func (s *BBitSignature) Add(key uint64) { s.full.Add(key) }

// AddBytes takes in a byte string. A number may be the same key as its eight bytes: do not mix the two. The
// slice is not kept.
func (s *BBitSignature) AddBytes(key []byte) { s.full.AddBytes(key) }

// AddHash takes in a key by its well-mixed 64-bit hash.
func (s *BBitSignature) AddHash(hash uint64) { s.full.AddHash(hash) }

// AddHashBatch takes in many hashes.
func (s *BBitSignature) AddHashBatch(hashes []uint64) { s.full.AddHashBatch(hashes) }

// AddBatch takes in many keys.
func (s *BBitSignature) AddBatch(keys []uint64) { s.full.AddBatch(keys) }

// AddBytesBatch takes in many byte strings.
func (s *BBitSignature) AddBytesBatch(keys [][]byte) { s.full.AddBytesBatch(keys) }

// Compress returns the b bits of each minimum. The error wraps ErrEmpty for the
// empty set.
func (s *BBitSignature) Compress() (*BBit, error) { return s.full.Compress(s.bits) }

// Matches is the number of minima that agree in b bits, and 0 where one of the sets
// is empty. Errors are as in Signature.Matches.
func (s *BBitSignature) Matches(other *BBitSignature) (int, error) {
	if s.bits != other.bits {
		return 0, fmt.Errorf("minhash: cannot compare: %w: %d bits of a value against %d", ErrMismatch, s.bits, other.bits)
	}
	if _, err := s.full.Matches(&other.full); err != nil || s.full.Empty() || other.full.Empty() {
		return 0, err
	}
	n, mask := 0, uint64(1)<<s.bits-1
	for i, v := range s.full.values {
		n += one((hashing.Mix(v)^hashing.Mix(other.full.values[i]))&mask == 0)
	}
	return n, nil
}

// Unclamped is the unbiased estimate of [BBit.Unclamped], and 0 where one of the
// sets is empty. other must be a *BBitSignature built alike.
func (s *BBitSignature) Unclamped(other sketchproof.Signature) (float64, error) {
	o, err := same[BBitSignature](other)
	if err != nil {
		return 0, err
	}
	n, err := s.Matches(o)
	if err != nil || s.full.Empty() || o.full.Empty() {
		return 0, err
	}
	return unchance(n, s.full.params.K, s.bits), nil
}

// Similarity is Unclamped, or 0 where that is below.
func (s *BBitSignature) Similarity(other sketchproof.Signature) (float64, error) {
	j, err := s.Unclamped(other)
	return max(j, 0), err
}

// Merge takes in the keys of other, which is left as it is. It returns an error
// that names the difference, and changes nothing, when the two were not built
// alike.
func (s *BBitSignature) Merge(other *BBitSignature) error {
	if s.bits != other.bits {
		return fmt.Errorf("minhash: cannot merge: %w: %d bits of a value against %d", ErrMismatch, s.bits, other.bits)
	}
	return s.full.Merge(&other.full)
}

// Params returns how it was built.
func (s *BBitSignature) Params() Params { return s.full.params }

// Hash is the hash function.
func (s *BBitSignature) Hash() hashing.Hasher { return s.full.params.Hash }

// K is the number of functions.
func (s *BBitSignature) K() int { return s.full.params.K }

// Bits is b.
func (s *BBitSignature) Bits() int { return s.bits }

// Empty reports whether no key was added.
func (s *BBitSignature) Empty() bool { return s.full.Empty() }

// SizeBytes is the size of the whole minima in bytes, 8k, b/64 of which are compared.
func (s *BBitSignature) SizeBytes() int { return s.full.SizeBytes() }

// Clone returns an independent copy.
func (s *BBitSignature) Clone() *BBitSignature { return &BBitSignature{*s.full.Clone(), s.bits} }

// Equal reports whether both were built alike and hold the same minima.
func (s *BBitSignature) Equal(t *BBitSignature) bool {
	return s.bits == t.bits && s.full.Equal(&t.full)
}

// Reset forgets all keys.
func (s *BBitSignature) Reset() { s.full.Reset() }
