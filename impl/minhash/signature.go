package minhash

import (
	"fmt"
	"slices"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A Signature keeps, for each of k functions, the minimum over the keys. Reading
// from several goroutines at once is safe, writing is not. The zero value is only
// good for UnmarshalBinary.
//
// A key is hashed once, to h; function i is h·a_i modulo 2^64, the a_i fixed odd
// numbers of splitmix64. What is assumed: h is uniform. Then every function is
// uniform on its own, and two of them are as independent as the lattice of
// (a_i, a_j)/2^64 is even: a relation u·a_i + v·a_j = 0 modulo 2^64 moves joint
// chances by about 1/(u·v), which matters to minima over n keys if u·v is not far
// above n². Of the 2^31 pairs of multipliers only a few can have u and v under 2^16,
// and none of them both small. The variance needs no more than pairs; that the
// agreements are binomial in their tails too is measured. The words are hashes for
// all to read: v/a_i modulo 2^64 is the hash of a key.
type Signature struct {
	params Params
	values []uint64
}

var (
	_ sketchproof.Signature          = (*Signature)(nil)
	_ sketchproof.Merger[*Signature] = (*Signature)(nil)
)

// multipliers are the a_i. They are shared: 512 KiB from the first Signature on.
var multipliers = sync.OnceValue(func() []uint64 {
	a := make([]uint64, MaxK)
	for i := range a {
		a[i] = hashing.Mix(uint64(i+1)*hashing.Gamma) | 1
	}
	return a
})

// New returns the signature of the empty set.
func New(p Params) (*Signature, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return &Signature{p, filled(p.K)}, nil
}

// Add takes in key.
func (s *Signature) Add(key uint64) { s.AddHash(s.params.Hash.Uint64(key)) }

// AddBytes takes in a byte string. A number may be the same key as its eight bytes: do not mix the two. The
// slice is not kept.
func (s *Signature) AddBytes(key []byte) { s.AddHash(s.params.Hash.Bytes(key)) }

// AddHash takes in a key by its well-mixed 64-bit hash.
func (s *Signature) AddHash(hash uint64) {
	values := s.values
	a := multipliers()[:len(values)]
	for i := range values {
		// A branch, not min: it is hardly ever taken, and saves the store.
		if v := hash * a[i]; v < values[i] {
			values[i] = v
		}
	}
}

// AddHashBatch takes in many hashes.
func (s *Signature) AddHashBatch(hashes []uint64) {
	values := s.values
	a := multipliers()[:len(values)]
	// Four minima at a time live in registers, over all hashes: no load or store,
	// and four products under way.
	i := 0
	for ; i+4 <= len(values); i += 4 {
		v, m := values[i:i+4:i+4], a[i:i+4:i+4]
		a0, a1, a2, a3 := m[0], m[1], m[2], m[3]
		v0, v1, v2, v3 := v[0], v[1], v[2], v[3]
		for _, h := range hashes {
			v0, v1, v2, v3 = min(v0, h*a0), min(v1, h*a1), min(v2, h*a2), min(v3, h*a3)
		}
		v[0], v[1], v[2], v[3] = v0, v1, v2, v3
	}
	for ; i < len(values); i++ {
		for _, h := range hashes {
			values[i] = min(values[i], h*a[i])
		}
	}
}

// AddBatch takes in many keys.
func (s *Signature) AddBatch(keys []uint64) { addBatch(s, s.params.Hash, keys) }

// AddBytesBatch takes in many byte strings.
func (s *Signature) AddBytesBatch(keys [][]byte) { addBytesBatch(s, s.params.Hash, keys) }

// Matches is the number of functions in whose minimum the two sets agree. It is
// binomial of k and J. The error names the difference when the two were not built
// alike, and wraps ErrEmpty when both sets are empty.
func (s *Signature) Matches(other *Signature) (int, error) {
	if err := s.params.alike(other.params); err != nil {
		return 0, fmt.Errorf("minhash: cannot compare: %w: %w", ErrMismatch, err)
	}
	if s.Empty() || other.Empty() {
		if s.Empty() && other.Empty() {
			return 0, errBothEmpty
		}
		return 0, nil
	}
	n := 0
	values := other.values[:len(s.values)]
	for i, v := range s.values {
		n += one(v == values[i])
	}
	return n, nil
}

// Similarity is Matches over k, unbiased with variance J(1-J)/k. other must be a
// *Signature built alike.
func (s *Signature) Similarity(other sketchproof.Signature) (float64, error) {
	o, err := same[Signature](other)
	if err != nil {
		return 0, err
	}
	n, err := s.Matches(o)
	return float64(n) / float64(s.params.K), err
}

// Merge takes in the keys of other, which is left as it is. It returns an error
// that names the difference, and changes nothing, when the two were not built
// alike.
func (s *Signature) Merge(other *Signature) error {
	if err := s.params.alike(other.params); err != nil {
		return fmt.Errorf("minhash: cannot merge: %w: %w", ErrMismatch, err)
	}
	minima(s.values, other.values)
	return nil
}

// Params returns how it was built.
func (s *Signature) Params() Params { return s.params }

// Hash is the hash function.
func (s *Signature) Hash() hashing.Hasher { return s.params.Hash }

// K is the number of functions.
func (s *Signature) K() int { return s.params.K }

// Empty reports whether no key was added.
func (s *Signature) Empty() bool { return !anySet(s.values) }

// Values returns a copy of the k minima. Of the empty set they are all 2^64-1.
func (s *Signature) Values() []uint64 { return slices.Clone(s.values) }

// SizeBytes is the size of the minima in bytes, 8k. The multipliers are shared by
// all signatures.
func (s *Signature) SizeBytes() int { return 8 * len(s.values) }

// Clone returns an independent copy.
func (s *Signature) Clone() *Signature { return &Signature{s.params, slices.Clone(s.values)} }

// Equal reports whether both were built alike and hold the same minima.
func (s *Signature) Equal(t *Signature) bool {
	return s.params == t.params && slices.Equal(s.values, t.values)
}

// Reset forgets all keys.
func (s *Signature) Reset() { copy(s.values, filled(len(s.values))) }
