package topk

import (
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var (
	_ sketchproof.TopK                = (*MisraGries)(nil)
	_ sketchproof.Merger[*MisraGries] = (*MisraGries)(nil)
)

// A MisraGries keeps k counters whose values are never above the truth. Make one
// with NewMisraGries or UnmarshalBinary: the zero value has no counters. Methods
// that change nothing may run at the same time as each other, but not while
// another method changes the structure.
//
// Lowering all counters costs nothing: the summary holds value + lowered, and an
// upper bound on the weight is what that is.
type MisraGries struct {
	params  Params
	total   uint64
	lowered uint64 // below every count of the summary
	summary summary
}

// NewMisraGries makes an empty one. It refuses parameters out of range.
func NewMisraGries(p Params) (*MisraGries, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return &MisraGries{params: p, summary: newSummary(p.Hash)}, nil
}

// Add gives a key more weight. A weight of 0 changes nothing.
func (s *MisraGries) Add(key, weight uint64) {
	if weight == 0 {
		return
	}
	s.total = addSaturating(s.total, weight)
	m := &s.summary
	if c := m.find(key); c >= 0 {
		m.raise(c, addSaturating(m.buckets[m.counters[c].bucket].count, weight))
		return
	}
	if m.held == s.params.K {
		value := m.least() - s.lowered
		if weight < value {
			s.lowered += weight
			return
		}
		s.lowered += value
		m.dropLeast()
		if weight -= value; weight == 0 {
			return
		}
	}
	if s.lowered < math.MaxUint64 { // or nothing is above it
		m.insert(key, addSaturating(s.lowered, weight), 0)
	}
}

// AddBytes gives the key of a byte string more weight: see Key.
func (s *MisraGries) AddBytes(key []byte, weight uint64) { s.Add(s.Key(key), weight) }

// Key is the key that stands for a byte string: its hash.
func (s *MisraGries) Key(text []byte) uint64 { return s.params.Hash.Bytes(text) }

// Count bounds the weight of a key: from its value, Count less Over, to Count,
// which is Lowered() more. A key without a counter has the value 0.
func (s *MisraGries) Count(key uint64) sketchproof.Heavy {
	m := &s.summary
	if c := m.find(key); c >= 0 {
		return sketchproof.Heavy{Key: key, Count: m.buckets[m.counters[c].bucket].count, Over: s.lowered}
	}
	return sketchproof.Heavy{Key: key, Count: s.lowered, Over: s.lowered}
}

// CountBytes is Count for a byte string.
func (s *MisraGries) CountBytes(key []byte) sketchproof.Heavy { return s.Count(s.Key(key)) }

// Held reports whether a key has a counter.
func (s *MisraGries) Held(key uint64) bool { return s.summary.find(key) >= 0 }

// Top lists at most n keys with their bounds, the heaviest first; of equal ones,
// the smaller key.
func (s *MisraGries) Top(n int) []sketchproof.Heavy {
	return heavyOf(s.summary.heaviest(n), func(entry) uint64 { return s.lowered })
}

// K is the number of counters.
func (s *MisraGries) K() int { return s.params.K }

// Len is the number of counters in use.
func (s *MisraGries) Len() int { return s.summary.held }

// Hash is the hash function.
func (s *MisraGries) Hash() hashing.Hasher { return s.params.Hash }

// Params are what NewMisraGries makes an empty one like this of.
func (s *MisraGries) Params() Params { return s.params }

// Total is N, the weight of the stream, or math.MaxUint64 if that is larger.
func (s *MisraGries) Total() uint64 { return s.total }

// Lowered is how much every counter was lowered in all: no value is under the
// truth by more.
func (s *MisraGries) Lowered() uint64 { return s.lowered }

// SizeBytes is the memory of counters, list and index.
func (s *MisraGries) SizeBytes() int { return s.summary.sizeBytes() }

// Clone returns a copy that shares nothing with s.
func (s *MisraGries) Clone() *MisraGries {
	c := *s
	c.summary = s.summary.clone()
	return &c
}

// Equal reports whether both were built alike and hold the same.
func (s *MisraGries) Equal(other *MisraGries) bool {
	return s.params == other.params && s.total == other.total && s.lowered == other.lowered &&
		slices.Equal(s.sorted(), other.sorted())
}

// sorted are the counters by count and key: nothing depends on another order.
func (s *MisraGries) sorted() []entry {
	list := s.summary.entries()
	byCount(list)
	return list
}

// Reset empties it.
func (s *MisraGries) Reset() {
	s.total, s.lowered, s.summary = 0, 0, newSummary(s.params.Hash)
}

// Merge adds another's values, and lowers the sums by the greatest that has no
// room (Agarwal et al. 2012, section 3). other is unchanged. The bounds hold of
// the joined stream: Lowered() is at most N/(k+1) again. It returns an error that
// names the difference, and changes nothing, when the two were not built alike.
func (s *MisraGries) Merge(other *MisraGries) error {
	if err := s.params.alike(other.params); err != nil {
		return err
	}
	var list []entry // what is held by both sides: value + both lowered
	for _, e := range s.summary.entries() {
		list = append(list, entry{e.key, addSaturating(e.count, other.Count(e.key).Count), 0})
	}
	for _, e := range other.summary.entries() {
		if !s.Held(e.key) {
			list = append(list, entry{e.key, addSaturating(e.count, s.lowered), 0})
		}
	}
	byCount(list)
	s.lowered = addSaturating(s.lowered, other.lowered)
	if over := len(list) - s.params.K; over > 0 {
		s.lowered = list[over-1].count
	}
	keep := slices.IndexFunc(list, func(e entry) bool { return e.count > s.lowered })
	if keep < 0 {
		keep = len(list)
	}
	s.summary.fill(list[keep:])
	s.total = addSaturating(s.total, other.total)
	return nil
}
