package kmv

import (
	"fmt"
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/batch"
)

// MinK and MaxK bound k. Under 3 the estimate has no variance.
const (
	MinK = 3
	MaxK = 1 << 26
)

// Params are the geometry of a sketch.
type Params struct {
	// K is how many hashes are kept, 3 to 2^26.
	K int
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

func (p Params) check() error {
	if p.K < MinK || p.K > MaxK {
		return fmt.Errorf("kmv: k %d, allowed are %d to %d", p.K, MinK, MaxK)
	}
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("kmv: %w", err)
	}
	return nil
}

// late is how many hashes wait to be sorted in: every so many that come cost a
// walk over all k.
func (p Params) late() int { return max(16, p.K/4) }

// A Sketch estimates the number of distinct keys. What it answers and writes
// depends on the set of keys only. Reading from several goroutines at once is safe,
// writing is not. The zero value is only good for UnmarshalBinary.
type Sketch struct {
	params Params
	// values are hashes: the first sorted of them in increasing order and no two
	// alike, at most k; then those that came later, in the order they came. Their
	// k smallest are those of all keys.
	values []uint64
	sorted int
	// limit is the k-th of the sorted ones: hashes from it on change nothing. While
	// there are fewer, full is false.
	limit uint64
	full  bool
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

// New returns an empty sketch, which takes memory as keys come. Its error says
// which values are allowed.
func New(p Params) (*Sketch, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	s := &Sketch{params: p}
	s.settle()
	return s, nil
}

// settle sets limit and full by the sorted values. An empty sketch takes any hash.
func (s *Sketch) settle() {
	s.full = s.sorted == s.params.K
	s.limit = math.MaxUint64
	if s.full {
		s.limit = s.values[s.sorted-1]
	}
}

// Add takes in key.
func (s *Sketch) Add(key uint64) { s.AddHash(s.params.Hash.Uint64(key)) }

// AddBytes takes in a byte string. A number may be the same key as its eight bytes: do not mix the two. The
// slice is not kept.
func (s *Sketch) AddBytes(key []byte) { s.AddHash(s.params.Hash.Bytes(key)) }

// AddHash takes in a key by its well-mixed 64-bit hash, as it is: a number of the
// unit interval times 2^64. Keys of the same hash are one key.
func (s *Sketch) AddHash(hash uint64) {
	if hash < s.limit || !s.full {
		s.take(hash)
	}
}

func (s *Sketch) take(hash uint64) {
	if len(s.values) >= s.sorted+s.params.late() {
		s.compact()
		if hash >= s.limit && s.full {
			return
		}
	}
	s.values = append(s.values, hash)
}

// compact sorts the late ones in.
func (s *Sketch) compact() {
	s.values = s.smallest()
	s.sorted = len(s.values)
	s.settle()
}

// smallest are the k smallest hashes, sorted and no two alike. They may be a part of
// s and must not be written to.
func (s *Sketch) smallest() []uint64 {
	old, late := s.values[:s.sorted], s.values[s.sorted:]
	if len(late) == 0 {
		return old
	}
	late = slices.Clone(late)
	slices.Sort(late)
	return lowest(s.room(len(s.values)), s.params.K, old, late)
}

// room is memory for the smallest of n hashes and, in proportion, for late ones.
func (s *Sketch) room(n int) []uint64 {
	n = min(n, s.params.K)
	return make([]uint64, 0, n+min(n, s.params.late()))
}

// lowest appends to dst the k smallest of two sorted lists, each once.
func lowest(dst []uint64, k int, a, b []uint64) []uint64 {
	for len(dst) < k && len(a)+len(b) > 0 {
		var next uint64
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			next, a = a[0], a[1:]
		} else {
			next, b = b[0], b[1:]
		}
		if n := len(dst); n == 0 || dst[n-1] != next {
			dst = append(dst, next)
		}
	}
	return dst
}

// Estimate is the estimated number of distinct keys: the number of different hashes
// while they are fewer than k, exact but for collisions of 64-bit hashes; else
// (k-1)/U, U the k-th smallest as a number of the unit interval, which is free of
// bias (Beyer et al. 2007). It changes nothing.
func (s *Sketch) Estimate() float64 { return estimate(s.smallest(), s.params.K) }

func estimate(smallest []uint64, k int) float64 {
	if len(smallest) < k {
		return float64(len(smallest))
	}
	return float64(k-1) / unit(smallest[k-1])
}

// unit is a hash as a number in (0, 1]: the hash 0 is not 0.
func unit(hash uint64) float64 { return (float64(hash) + 1) * 0x1p-64 }

// Params returns the geometry.
func (s *Sketch) Params() Params { return s.params }

// Hash is the hash function.
func (s *Sketch) Hash() hashing.Hasher { return s.params.Hash }

// K is how many hashes are kept.
func (s *Sketch) K() int { return s.params.K }

// Hashes returns the k smallest hashes in increasing order, fewer while there are
// fewer keys. The slice is the caller's.
func (s *Sketch) Hashes() []uint64 { return slices.Clone(s.smallest()) }

// SizeBytes is the memory held for hashes: up to 10 k bytes, of which 8 k are
// written.
func (s *Sketch) SizeBytes() int { return 8 * cap(s.values) }

// Clone returns an independent copy.
func (s *Sketch) Clone() *Sketch {
	t := *s
	t.values = slices.Clone(s.values)
	return &t
}

// Equal reports whether both have the same k, hash function and smallest hashes.
func (s *Sketch) Equal(t *Sketch) bool {
	return s.params == t.params && slices.Equal(s.smallest(), t.smallest())
}

// Reset forgets all keys. The memory is kept.
func (s *Sketch) Reset() {
	s.values, s.sorted = s.values[:0], 0
	s.settle()
}

// ErrMismatch is returned, wrapped with the difference, for two sketches that were not
// built alike. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

// alike returns an error that names the difference.
func (s *Sketch) alike(other *Sketch) error {
	if a, b := s.params.K, other.params.K; a != b {
		return fmt.Errorf("kmv: %w: k = %d and k = %d", ErrMismatch, a, b)
	}
	if a, b := s.params.Hash, other.params.Hash; a != b {
		return fmt.Errorf("kmv: %w: hash function %v and another, %v", ErrMismatch, a, b)
	}
	return nil
}

// Merge takes in the keys of other, which is left as it is: the k smallest hashes
// of both are those of the union. It returns ErrMismatch with the difference,
// and changes nothing, when k or hash function differ.
func (s *Sketch) Merge(other *Sketch) error {
	if err := s.alike(other); err != nil {
		return err
	}
	s.values = s.union(other)
	s.sorted = len(s.values)
	s.settle()
	return nil
}

// union is the k smallest hashes of both, in memory of its own.
func (s *Sketch) union(other *Sketch) []uint64 {
	a, b := s.smallest(), other.smallest()
	return lowest(s.room(len(a)+len(b)), s.params.K, a, b)
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
