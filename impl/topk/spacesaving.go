package topk

import (
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var (
	_ sketchproof.TopK                 = (*SpaceSaving)(nil)
	_ sketchproof.Merger[*SpaceSaving] = (*SpaceSaving)(nil)
)

// MaxK is the largest number of counters: they take some 30 GB.
const MaxK = 1 << 28

// Params says how to build a SpaceSaving or a MisraGries.
type Params struct {
	// K is the number of counters, from 1 to MaxK. Memory is taken as they fill.
	K int
	// Hash finds the counter of a key, and makes keys of byte strings; its zero
	// value is refused. No count of a numeric key depends on it.
	Hash hashing.Hasher
}

func (p Params) check() error {
	if p.K < 1 || p.K > MaxK {
		return fmt.Errorf("topk: %d counters, must be from 1 to %d", p.K, MaxK)
	}
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("topk: %w", err)
	}
	return nil
}

// ErrMismatch is returned, wrapped with the difference, for two structures that were not
// built alike. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

// alike returns an error that names the first difference.
func (p Params) alike(other Params) error {
	if p.K != other.K {
		return fmt.Errorf("topk: %w: %d counters against %d", ErrMismatch, p.K, other.K)
	}
	if p.Hash != other.Hash {
		return fmt.Errorf("topk: %w: hash function %v against another, %v", ErrMismatch, p.Hash, other.Hash)
	}
	return nil
}

// A SpaceSaving keeps k counters whose counts are never below the truth. Make one
// with NewSpaceSaving or UnmarshalBinary: the zero value has no counters. Methods
// that change nothing may run at the same time as each other, but not while
// another method changes the structure.
type SpaceSaving struct {
	params  Params
	total   uint64
	summary summary // extra is the bound on the error, not above least
}

// NewSpaceSaving makes an empty one. It refuses parameters out of range.
func NewSpaceSaving(p Params) (*SpaceSaving, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return &SpaceSaving{params: p, summary: newSummary(p.Hash)}, nil
}

// Add gives a key more weight. A weight of 0 changes nothing.
func (s *SpaceSaving) Add(key, weight uint64) {
	if weight == 0 {
		return
	}
	s.total = addSaturating(s.total, weight)
	m := &s.summary
	if c := m.find(key); c >= 0 {
		m.raise(c, addSaturating(m.buckets[m.counters[c].bucket].count, weight))
		return
	}
	if m.held < s.params.K {
		m.insert(key, weight, 0)
		return
	}
	least := m.least()
	m.replace(key, addSaturating(least, weight), least)
}

// AddBytes gives the key of a byte string more weight: see Key.
func (s *SpaceSaving) AddBytes(key []byte, weight uint64) { s.Add(s.Key(key), weight) }

// Key is the key that stands for a byte string: its hash. A key just added has a
// counter, and it may lose it to any other: to list the texts, keep the text of
// a key when it is added, and forget those that Held denies from time to time.
func (s *SpaceSaving) Key(text []byte) uint64 { return s.params.Hash.Bytes(text) }

// Count bounds the weight of a key from above, and by Over from below: for a key
// without a counter they are Least() and 0.
func (s *SpaceSaving) Count(key uint64) sketchproof.Heavy {
	m := &s.summary
	if c := m.find(key); c >= 0 {
		return sketchproof.Heavy{Key: key, Count: m.buckets[m.counters[c].bucket].count, Over: m.counters[c].extra}
	}
	return sketchproof.Heavy{Key: key, Count: s.Least(), Over: s.Least()}
}

// CountBytes is Count for a byte string.
func (s *SpaceSaving) CountBytes(key []byte) sketchproof.Heavy { return s.Count(s.Key(key)) }

// Held reports whether a key has a counter.
func (s *SpaceSaving) Held(key uint64) bool { return s.summary.find(key) >= 0 }

// Top lists at most n keys with their bounds, the heaviest first; of equal ones,
// the smaller key.
func (s *SpaceSaving) Top(n int) []sketchproof.Heavy {
	return heavyOf(s.summary.heaviest(n), func(e entry) uint64 { return e.extra })
}

// K is the number of counters.
func (s *SpaceSaving) K() int { return s.params.K }

// Len is the number of counters in use.
func (s *SpaceSaving) Len() int { return s.summary.held }

// Hash is the hash function.
func (s *SpaceSaving) Hash() hashing.Hasher { return s.params.Hash }

// Params are what NewSpaceSaving makes an empty one like this of.
func (s *SpaceSaving) Params() Params { return s.params }

// Total is N, the weight of the stream, or math.MaxUint64 if that is larger.
func (s *SpaceSaving) Total() uint64 { return s.total }

// Least is the smallest count of k, and 0 while a counter is free: no key without
// a counter weighs more, and no count is over by more.
func (s *SpaceSaving) Least() uint64 {
	if s.summary.held < s.params.K {
		return 0
	}
	return s.summary.least()
}

// SizeBytes is the memory of counters, list and index.
func (s *SpaceSaving) SizeBytes() int { return s.summary.sizeBytes() }

// Clone returns a copy that shares nothing with s.
func (s *SpaceSaving) Clone() *SpaceSaving {
	c := *s
	c.summary = s.summary.clone()
	return &c
}

// Equal reports whether both were built alike, hold the same and would treat
// every stream alike from here.
func (s *SpaceSaving) Equal(other *SpaceSaving) bool {
	return s.params == other.params && s.total == other.total &&
		slices.Equal(s.summary.entries(), other.summary.entries())
}

// Reset empties it.
func (s *SpaceSaving) Reset() {
	s.total, s.summary = 0, newSummary(s.params.Hash)
}

// Merge takes in another's counters, which it leaves unchanged: a key without a
// counter counts Least() on that side, and the k greatest sums stay (Agarwal et
// al. 2012; Cafaro, Pulimeno, Tempesta 2016). All bounds hold of the joined
// stream, with the errors of both added: at most N/k again. It returns an error
// that names the difference, and changes nothing, when the two were not built
// alike.
//
// Merging is not adding: the counts add up to at most N, not to N.
func (s *SpaceSaving) Merge(other *SpaceSaving) error {
	if err := s.params.alike(other.params); err != nil {
		return err
	}
	here := s.Least()
	var list []entry
	for _, e := range s.summary.entries() {
		more := other.Count(e.key)
		list = append(list, entry{e.key, addSaturating(e.count, more.Count), addSaturating(e.extra, more.Over)})
	}
	for _, e := range other.summary.entries() {
		if !s.Held(e.key) {
			list = append(list, entry{e.key, addSaturating(e.count, here), addSaturating(e.extra, here)})
		}
	}
	byCount(list)
	s.summary.fill(list[max(0, len(list)-s.params.K):])
	s.total = addSaturating(s.total, other.total)
	return nil
}
