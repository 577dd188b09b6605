package minhash

import (
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A OnePermutation hashes a key once. The hash chooses one of k bins by its high
// bits, and the bin keeps the smallest of its hashes (Li, Owen, Zhang 2012). What
// is kept are the bins as they are, empty ones too, so that it merges; empty bins
// are filled when it is compared. Reading from several goroutines at once is
// safe, writing is not. The zero value is only good for UnmarshalBinary.
type OnePermutation struct {
	params Params
	bins   []uint64 // smallest hash of the bin, or none
	seed   uint64   // of the order in which empty bins look for others
}

var (
	_ sketchproof.Signature               = (*OnePermutation)(nil)
	_ sketchproof.Merger[*OnePermutation] = (*OnePermutation)(nil)
)

// NewOnePermutation returns the signature of the empty set.
func NewOnePermutation(p Params) (*OnePermutation, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return &OnePermutation{p, filled(p.K), walkSeed(p.Hash)}, nil
}

// walkSeed makes the walks of empty bins follow from the hash function: walks that
// are the same for all seeds would favour pairs of bins.
func walkSeed(h hashing.Hasher) uint64 { return hashing.Mix(h.Uint64(0x6f6e657065726d)) }

// Add takes in key.
func (s *OnePermutation) Add(key uint64) { s.AddHash(s.params.Hash.Uint64(key)) }

// AddBytes takes in a byte string. A number may be the same key as its eight bytes: do not mix the two. The
// slice is not kept.
func (s *OnePermutation) AddBytes(key []byte) { s.AddHash(s.params.Hash.Bytes(key)) }

// AddHash takes in a key by its well-mixed 64-bit hash. The two greatest hashes
// are one key.
func (s *OnePermutation) AddHash(hash uint64) {
	hash = min(hash, none-1)
	// Hashes of one bin differ in what is below the bin's bits only, so their
	// order is that of fresh random numbers.
	if bin := &s.bins[hashing.Reduce(hash, uint64(len(s.bins)))]; hash < *bin {
		*bin = hash
	}
}

// AddHashBatch takes in many hashes.
func (s *OnePermutation) AddHashBatch(hashes []uint64) {
	for _, h := range hashes {
		s.AddHash(h)
	}
}

// AddBatch takes in many keys.
func (s *OnePermutation) AddBatch(keys []uint64) { addBatch(s, s.params.Hash, keys) }

// AddBytesBatch takes in many byte strings.
func (s *OnePermutation) AddBytesBatch(keys [][]byte) { addBytesBatch(s, s.params.Hash, keys) }

// walk is the endless sequence of bins in which an empty bin i looks for one that is
// not. It depends on i and on the hash function only, so it is that of every
// signature compared with this one (Shrivastava 2017, Algorithm 1).
type walk struct{ state, k uint64 }

func (s *OnePermutation) walkOf(i int) walk {
	return walk{hashing.Mix(s.seed + uint64(i)*hashing.Gamma), uint64(len(s.bins))}
}

func (w *walk) next() uint64 {
	w.state += hashing.Gamma
	return hashing.Reduce(hashing.Mix(w.state), w.k)
}

// Densified returns the k values with those of empty bins borrowed from others. Of
// the empty set they are all 2^64-1.
func (s *OnePermutation) Densified() []uint64 {
	values := slices.Clone(s.bins)
	if s.Empty() {
		return values
	}
	for i, v := range values {
		if v == none {
			for w := s.walkOf(i); v == none; { // k/(bins set) steps on average
				v = s.bins[w.next()]
			}
			values[i] = v
		}
	}
	return values
}

// Matches is the number of densified values that agree: k·J on average. Errors are
// as in Similarity.
func (s *OnePermutation) Matches(other *OnePermutation) (int, error) {
	n, err := 0, s.comparable(other)
	if err != nil || s.Empty() || other.Empty() {
		return 0, err
	}
	for i, v := range s.bins {
		w := other.bins[i]
		if v == none && w == none {
			// Both walk alike, up to the first bin that either has set. If one alone
			// has, its hash is no other bin's, and the other finds no equal.
			for steps := s.walkOf(i); v == none && w == none; {
				j := steps.next()
				v, w = s.bins[j], other.bins[j]
			}
		}
		n += one(v == w)
	}
	return n, nil
}

// Similarity is the share of densified values that agree: unbiased, with variance
// [DensifiedVariance]. other must be a *OnePermutation built alike.
func (s *OnePermutation) Similarity(other sketchproof.Signature) (float64, error) {
	o, err := same[OnePermutation](other)
	if err != nil {
		return 0, err
	}
	n, err := s.Matches(o)
	return float64(n) / float64(s.params.K), err
}

// BinSimilarity is the estimate of Li, Owen and Zhang 2012, equation 6: among the
// bins that either set has filled, the share in which they agree. It is unbiased
// with variance [BinVariance], less than that of Similarity where bins are empty,
// because no bin is counted twice; but its denominator belongs to the pair, so it
// is no inner product of two signatures, which is what densification is for.
func (s *OnePermutation) BinSimilarity(other *OnePermutation) (float64, error) {
	if err := s.comparable(other); err != nil {
		return 0, err
	}
	matched, filled := 0, 0
	for i, v := range s.bins {
		w := other.bins[i]
		matched += one(v == w && v != none)
		filled += one(v != none || w != none)
	}
	return float64(matched) / float64(filled), nil
}

// comparable refuses what was not built alike, and two empty sets.
func (s *OnePermutation) comparable(other *OnePermutation) error {
	if err := s.params.alike(other.params); err != nil {
		return fmt.Errorf("minhash: cannot compare: %w: %w", ErrMismatch, err)
	}
	if s.Empty() && other.Empty() {
		return errBothEmpty
	}
	return nil
}

// Merge takes in the keys of other, which is left as it is. It returns an error
// that names the difference, and changes nothing, when the two were not built
// alike.
func (s *OnePermutation) Merge(other *OnePermutation) error {
	if err := s.params.alike(other.params); err != nil {
		return fmt.Errorf("minhash: cannot merge: %w: %w", ErrMismatch, err)
	}
	minima(s.bins, other.bins)
	return nil
}

// Params returns how it was built.
func (s *OnePermutation) Params() Params { return s.params }

// Hash is the hash function.
func (s *OnePermutation) Hash() hashing.Hasher { return s.params.Hash }

// K is the number of bins.
func (s *OnePermutation) K() int { return s.params.K }

// Empty reports whether no key was added.
func (s *OnePermutation) Empty() bool { return !anySet(s.bins) }

// EmptyBins is the number of bins without a key.
func (s *OnePermutation) EmptyBins() int {
	n := 0
	for _, v := range s.bins {
		n += one(v == none)
	}
	return n
}

// SizeBytes is the size of the bins in bytes, 8k.
func (s *OnePermutation) SizeBytes() int { return 8 * len(s.bins) }

// Clone returns an independent copy.
func (s *OnePermutation) Clone() *OnePermutation {
	return &OnePermutation{s.params, slices.Clone(s.bins), s.seed}
}

// Equal reports whether both were built alike and hold the same bins.
func (s *OnePermutation) Equal(t *OnePermutation) bool {
	return s.params == t.params && slices.Equal(s.bins, t.bins)
}

// Reset forgets all keys.
func (s *OnePermutation) Reset() { copy(s.bins, filled(len(s.bins))) }

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
