package linearcounting

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/impl/internal/batch"
)

// MinBits and MaxBits bound the size of the bitmap.
const (
	MinBits = 64
	MaxBits = 1 << 30
)

// Params are the geometry of a sketch.
type Params struct {
	// Bits is m, the size of the bitmap: a multiple of 64 from 64 to 2^30. See
	// BitsFor.
	Bits uint64
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

func (p Params) check() error {
	if p.Bits < MinBits || p.Bits > MaxBits || p.Bits%64 != 0 {
		return fmt.Errorf("linearcounting: %d bits, allowed are multiples of 64 from %d to %d", p.Bits, MinBits, MaxBits)
	}
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("linearcounting: %w", err)
	}
	return nil
}

// A Sketch estimates the number of distinct keys. Its bits depend on the set of keys
// only. Reading from several goroutines at once is safe, writing is not. The zero
// value is only good for UnmarshalBinary.
type Sketch struct {
	params Params
	words  []uint64
	zeros  uint64 // bits that are not set
}

var (
	_ sketchproof.Cardinality      = (*Sketch)(nil)
	_ sketchproof.BytesCardinality = (*Sketch)(nil)
	_ sketchproof.HashCardinality  = (*Sketch)(nil)
	_ sketchproof.Merger[*Sketch]  = (*Sketch)(nil)
	_ sketchproof.BatchAdder       = (*Sketch)(nil)
	_ sketchproof.HashBatchAdder   = (*Sketch)(nil)
	_ sketchproof.BytesBatchAdder  = (*Sketch)(nil)
)

// New returns an empty sketch. Its error says which values are allowed.
func New(p Params) (*Sketch, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return &Sketch{params: p, words: make([]uint64, p.Bits/64), zeros: p.Bits}, nil
}

// Add takes in key.
func (s *Sketch) Add(key uint64) { s.AddHash(s.params.Hash.Uint64(key)) }

// AddBytes takes in a byte string. A number may be the same key as its eight bytes: do not mix the two. The
// slice is not kept.
func (s *Sketch) AddBytes(key []byte) { s.AddHash(s.params.Hash.Bytes(key)) }

// AddHash takes in a key by its well-mixed 64-bit hash, which sets bit
// floor(hash m / 2^64).
func (s *Sketch) AddHash(hash uint64) {
	at := hashing.Reduce(hash, s.params.Bits)
	word := &s.words[at>>6]
	if bit := uint64(1) << (at & 63); *word&bit == 0 {
		*word |= bit
		s.zeros--
	}
}

// Estimate is the estimated number of distinct keys, m ln(m/zeros). It changes
// nothing. It is +Inf when no bit is zero: the sketch is saturated, which for n
// keys is likely when m e^(-n/m) is under a few.
func (s *Sketch) Estimate() float64 {
	return hll.LinearCounting(int(s.params.Bits), int(s.zeros))
}

// Saturated reports whether no bit is zero, so that nothing can be told.
func (s *Sketch) Saturated() bool { return s.zeros == 0 }

// Zeros is the number of bits that are not set.
func (s *Sketch) Zeros() uint64 { return s.zeros }

// Params returns the geometry.
func (s *Sketch) Params() Params { return s.params }

// Hash is the hash function.
func (s *Sketch) Hash() hashing.Hasher { return s.params.Hash }

// Bits is m, the size of the bitmap.
func (s *Sketch) Bits() uint64 { return s.params.Bits }

// SizeBytes is the size of the bitmap in bytes.
func (s *Sketch) SizeBytes() int { return 8 * len(s.words) }

// Clone returns an independent copy.
func (s *Sketch) Clone() *Sketch {
	t := *s
	t.words = slices.Clone(s.words)
	return &t
}

// Equal reports whether both have the same size, hash function and bits.
func (s *Sketch) Equal(t *Sketch) bool {
	return s.params == t.params && slices.Equal(s.words, t.words)
}

// Reset forgets all keys.
func (s *Sketch) Reset() {
	clear(s.words)
	s.zeros = s.params.Bits
}

// ErrMismatch is returned, wrapped with the difference, for two sketches that were not
// built alike. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

// Merge takes in the keys of other, which is left as it is: the bitmaps are joined
// by OR. It returns ErrMismatch with the difference, and changes nothing, when
// size or hash function differ.
func (s *Sketch) Merge(other *Sketch) error {
	if a, b := s.params.Bits, other.params.Bits; a != b {
		return fmt.Errorf("linearcounting: %w: %d bits and %d bits", ErrMismatch, a, b)
	}
	if a, b := s.params.Hash, other.params.Hash; a != b {
		return fmt.Errorf("linearcounting: %w: hash function %v and another, %v", ErrMismatch, a, b)
	}
	for i, w := range other.words {
		s.words[i] |= w
	}
	s.zeros = s.count()
	return nil
}

func (s *Sketch) count() uint64 {
	zeros := s.params.Bits
	for _, w := range s.words {
		zeros -= uint64(bits.OnesCount64(w))
	}
	return zeros
}

// AddHashBatch is as many calls of AddHash. It returns their number and nil.
func (s *Sketch) AddHashBatch(hashes []uint64) (int, error) {
	for _, h := range hashes {
		s.AddHash(h)
	}
	return len(hashes), nil
}

// AddBatch is as many calls of Add. It returns their number and nil.
func (s *Sketch) AddBatch(keys []uint64) (int, error) { return batch.Add(s, s.params.Hash, keys) }

// AddBytesBatch is as many calls of AddBytes. It returns their number and nil.
func (s *Sketch) AddBytesBatch(keys [][]byte) (int, error) {
	return batch.AddBytes(s, s.params.Hash, keys)
}
