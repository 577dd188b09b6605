package minhash

import (
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A BottomK keeps the k smallest distinct hashes of its keys (Broder 1997), all of
// them while there are fewer: then answers are exact. Reading from several
// goroutines at once is safe, writing is not. The zero value is only good for
// UnmarshalBinary.
//
// A hash that enters moves those above it: k/2 words on average, for about
// k(1 + ln(n/k)) of n keys. For k in the thousands add in batches, which then merge
// 256 hashes at a time.
type BottomK struct {
	params Params
	hashes []uint64 // ascending, at most k
}

var (
	_ sketchproof.Signature        = (*BottomK)(nil)
	_ sketchproof.Merger[*BottomK] = (*BottomK)(nil)
)

// NewBottomK returns the signature of the empty set.
func NewBottomK(p Params) (*BottomK, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return &BottomK{p, make([]uint64, 0, p.K)}, nil
}

// Add takes in key.
func (s *BottomK) Add(key uint64) { s.AddHash(s.params.Hash.Uint64(key)) }

// AddBytes takes in a byte string. A number may be the same key as its eight bytes: do not mix the two. The
// slice is not kept.
func (s *BottomK) AddBytes(key []byte) { s.AddHash(s.params.Hash.Bytes(key)) }

// AddHash takes in a key by its well-mixed 64-bit hash.
func (s *BottomK) AddHash(hash uint64) {
	full := len(s.hashes) == s.params.K
	if full && hash >= s.hashes[len(s.hashes)-1] {
		return
	}
	i, found := slices.BinarySearch(s.hashes, hash)
	if found {
		return
	}
	if full {
		copy(s.hashes[i+1:], s.hashes[i:])
		s.hashes[i] = hash
		return
	}
	s.hashes = slices.Insert(s.hashes, i, hash)
}

// sortedFrom is the k from which on moving k/2 words costs more than sorting a hash
// among 256 and merging it.
const sortedFrom = 1024

// AddHashBatch takes in many hashes.
func (s *BottomK) AddHashBatch(hashes []uint64) {
	if s.params.K < sortedFrom {
		for _, h := range hashes {
			s.AddHash(h)
		}
		return
	}
	s.addSorted(hashes)
}

// addSorted sorts 256 hashes at a time and merges them.
func (s *BottomK) addSorted(hashes []uint64) {
	var fresh [batchLength]uint64
	for len(hashes) > 0 {
		some := hashes[:min(batchLength, len(hashes))]
		hashes = hashes[len(some):]
		limit := none
		if len(s.hashes) == s.params.K {
			limit = s.hashes[len(s.hashes)-1]
		}
		n := 0
		for _, h := range some {
			if h <= limit {
				fresh[n] = h
				n++
			}
		}
		if n < 8 { // as cheap one by one
			for _, h := range fresh[:n] {
				s.AddHash(h)
			}
			continue
		}
		slices.Sort(fresh[:n])
		s.union(fresh[:n])
	}
}

// AddBatch takes in many keys.
func (s *BottomK) AddBatch(keys []uint64) { addBatch(s, s.params.Hash, keys) }

// AddBytesBatch takes in many byte strings.
func (s *BottomK) AddBytesBatch(keys [][]byte) { addBytesBatch(s, s.params.Hash, keys) }

// union takes in ascending hashes, which may repeat.
func (s *BottomK) union(sorted []uint64) {
	merged := make([]uint64, 0, s.params.K)
	a, b := s.hashes, sorted
	for len(merged) < s.params.K && (len(a) > 0 || len(b) > 0) {
		var h uint64
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			h, a = a[0], a[1:]
		} else {
			h, b = b[0], b[1:]
		}
		if len(merged) == 0 || merged[len(merged)-1] != h {
			merged = append(merged, h)
		}
	}
	s.hashes = merged
}

// Matches is how many of the k smallest hashes of the union, or of all where the
// union has fewer, are in both: matched of looked. matched is hypergeometric:
// looked keys are drawn from the union without replacement. Errors are as in
// Similarity.
func (s *BottomK) Matches(other *BottomK) (matched, looked int, err error) {
	if err := s.params.alike(other.params); err != nil {
		return 0, 0, fmt.Errorf("minhash: cannot compare: %w: %w", ErrMismatch, err)
	}
	a, b := s.hashes, other.hashes
	if len(a) == 0 && len(b) == 0 {
		return 0, 0, errBothEmpty
	}
	for ; looked < s.params.K && (len(a) > 0 || len(b) > 0); looked++ {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			a = a[1:]
		case len(a) == 0 || b[0] < a[0]:
			b = b[1:]
		default:
			a, b = a[1:], b[1:]
			matched++
		}
	}
	return matched, looked, nil
}

// Similarity is matched over looked of Matches: unbiased, with variance
// [BottomKVariance], and exact where the union has at most k keys. other must be a
// *BottomK built alike.
func (s *BottomK) Similarity(other sketchproof.Signature) (float64, error) {
	o, err := same[BottomK](other)
	if err != nil {
		return 0, err
	}
	matched, looked, err := s.Matches(o)
	if err != nil {
		return 0, err
	}
	return float64(matched) / float64(looked), nil
}

// Merge takes in the keys of other, which is left as it is. It returns an error
// that names the difference, and changes nothing, when the two were not built
// alike.
func (s *BottomK) Merge(other *BottomK) error {
	if err := s.params.alike(other.params); err != nil {
		return fmt.Errorf("minhash: cannot merge: %w: %w", ErrMismatch, err)
	}
	s.union(other.hashes)
	return nil
}

// Params returns how it was built.
func (s *BottomK) Params() Params { return s.params }

// Hash is the hash function.
func (s *BottomK) Hash() hashing.Hasher { return s.params.Hash }

// K is the largest number of hashes kept.
func (s *BottomK) K() int { return s.params.K }

// Len is the number of hashes kept: that of distinct keys, or k if that is less.
func (s *BottomK) Len() int { return len(s.hashes) }

// Empty reports whether no key was added.
func (s *BottomK) Empty() bool { return len(s.hashes) == 0 }

// Hashes returns a copy of the hashes kept, ascending.
func (s *BottomK) Hashes() []uint64 { return slices.Clone(s.hashes) }

// SizeBytes is the room for k hashes in bytes, 8k.
func (s *BottomK) SizeBytes() int { return 8 * cap(s.hashes) }

// Clone returns an independent copy.
func (s *BottomK) Clone() *BottomK {
	return &BottomK{s.params, append(make([]uint64, 0, s.params.K), s.hashes...)}
}

// Equal reports whether both were built alike and hold the same hashes.
func (s *BottomK) Equal(t *BottomK) bool {
	return s.params == t.params && slices.Equal(s.hashes, t.hashes)
}

// Reset forgets all keys.
func (s *BottomK) Reset() { s.hashes = s.hashes[:0] }
