package topk

import (
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var (
	_ sketchproof.TopK              = (*CountMin)(nil)
	_ sketchproof.Merger[*CountMin] = (*CountMin)(nil)
)

// CountMinParams says how to build a CountMin.
type CountMinParams struct {
	// K is the number of keys that are kept, from 1 to MaxK.
	K int
	// Sketch is the table that they are counted in. Its hash function finds the
	// keys too.
	Sketch countmin.Params
}

// A CountMin keeps the k keys with the greatest estimates of a count-min sketch.
// An estimate is never below the truth; how far it is above is a matter of
// chance: see package countmin. Make one with NewCountMin or UnmarshalBinary. Methods
// that change nothing may run at the same time as each other, but not while
// another method changes the structure.
type CountMin struct {
	k       int
	sketch  *countmin.Sketch
	summary summary // extra is the weight that came while the key was kept
}

// NewCountMin makes an empty one. It refuses parameters out of range.
func NewCountMin(p CountMinParams) (*CountMin, error) {
	if err := (Params{p.K, p.Sketch.Hash}).check(); err != nil {
		return nil, err
	}
	sketch, err := countmin.New(p.Sketch)
	if err != nil {
		return nil, fmt.Errorf("topk: %w", err)
	}
	return &CountMin{p.K, sketch, newSummary(p.Sketch.Hash)}, nil
}

// Add gives a key more weight. A weight of 0 changes nothing.
func (s *CountMin) Add(key, weight uint64) {
	if weight == 0 {
		return
	}
	s.sketch.Add(key, weight)
	count := s.sketch.Count(key)
	m := &s.summary
	switch c := m.find(key); {
	case c >= 0:
		m.counters[c].extra = addSaturating(m.counters[c].extra, weight)
		m.raise(c, count)
	case m.held < s.k:
		m.insert(key, count, weight)
	case count > m.least():
		m.replace(key, count, weight)
	}
}

// AddBytes gives the key of a byte string more weight: see Key.
func (s *CountMin) AddBytes(key []byte, weight uint64) { s.Add(s.Key(key), weight) }

// Key is the key that stands for a byte string: its hash.
func (s *CountMin) Key(text []byte) uint64 { return s.sketch.Hash().Bytes(text) }

// Count bounds the weight of a key from above by the estimate of when it last
// came, which later keys cannot raise, or by that of now if it is not kept. Count
// less Over is the weight that came while it was kept.
func (s *CountMin) Count(key uint64) sketchproof.Heavy {
	m := &s.summary
	if c := m.find(key); c >= 0 {
		count := m.buckets[m.counters[c].bucket].count
		return sketchproof.Heavy{Key: key, Count: count, Over: count - m.counters[c].extra}
	}
	count := s.sketch.Count(key)
	return sketchproof.Heavy{Key: key, Count: count, Over: count}
}

// CountBytes is Count for a byte string.
func (s *CountMin) CountBytes(key []byte) sketchproof.Heavy { return s.Count(s.Key(key)) }

// Held reports whether a key is kept.
func (s *CountMin) Held(key uint64) bool { return s.summary.find(key) >= 0 }

// Top lists at most n keys with their bounds, the heaviest first; of equal ones,
// the smaller key.
func (s *CountMin) Top(n int) []sketchproof.Heavy {
	return heavyOf(s.summary.heaviest(n), func(e entry) uint64 { return e.count - e.extra })
}

// K is the number of keys that are kept at most.
func (s *CountMin) K() int { return s.k }

// Len is the number of keys that are kept.
func (s *CountMin) Len() int { return s.summary.held }

// Hash is the hash function.
func (s *CountMin) Hash() hashing.Hasher { return s.sketch.Hash() }

// Params are what NewCountMin makes an empty one like this of.
func (s *CountMin) Params() CountMinParams { return CountMinParams{s.k, s.sketch.Params()} }

// Total is N, the weight of the stream, or math.MaxUint64 if that is larger.
func (s *CountMin) Total() uint64 { return s.sketch.Total() }

// Sketch is a copy of the table.
func (s *CountMin) Sketch() *countmin.Sketch { return s.sketch.Clone() }

// SizeBytes is the memory of the table, and of counters, list and index.
func (s *CountMin) SizeBytes() int { return s.sketch.SizeBytes() + s.summary.sizeBytes() }

// Clone returns a copy that shares nothing with s.
func (s *CountMin) Clone() *CountMin {
	return &CountMin{s.k, s.sketch.Clone(), s.summary.clone()}
}

// Equal reports whether both were built alike, hold the same and would treat
// every stream alike from here.
func (s *CountMin) Equal(other *CountMin) bool {
	if s.sketch == nil || other.sketch == nil { // a zero value
		return s.sketch == other.sketch
	}
	return s.k == other.k && s.sketch.Equal(other.sketch) &&
		slices.Equal(s.summary.entries(), other.summary.entries())
}

// Reset empties it.
func (s *CountMin) Reset() {
	s.summary = newSummary(s.sketch.Hash())
	s.sketch.Reset()
}

// Merge adds another's table, and keeps those k of the keys of both that have the
// greatest estimates in the sum. other is unchanged. It returns an error that
// names the difference, and changes nothing, when the two were not built alike,
// or when their tables cannot be merged.
func (s *CountMin) Merge(other *CountMin) error {
	if s.k != other.k {
		return fmt.Errorf("topk: %w: %d keys against %d", ErrMismatch, s.k, other.k)
	}
	if err := s.sketch.Merge(other.sketch); err != nil {
		return fmt.Errorf("topk: %w", err)
	}
	list := s.summary.entries()
	for _, e := range other.summary.entries() {
		if !s.Held(e.key) {
			list = append(list, e)
		}
	}
	for i, e := range list {
		list[i].count = s.sketch.Count(e.key)
		if c := other.summary.find(e.key); c >= 0 && i < s.summary.held {
			list[i].extra = addSaturating(e.extra, other.summary.counters[c].extra)
		}
	}
	byCount(list)
	s.summary.fill(list[max(0, len(list)-s.k):])
	return nil
}
