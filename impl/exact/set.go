package exact

import (
	"maps"
	"slices"

	"github.com/sketchproof/sketchproof"
)

var (
	_ sketchproof.Filter       = (*Map)(nil)
	_ sketchproof.Adder        = (*Map)(nil)
	_ sketchproof.Remover      = (*Map)(nil)
	_ sketchproof.BytesFilter  = (*Map)(nil)
	_ sketchproof.BytesAdder   = (*Map)(nil)
	_ sketchproof.Merger[*Map] = (*Map)(nil)
	_ sketchproof.Filter       = (*Sorted)(nil)
)

// A Map is a hash set: Go maps without values. Numbers and byte strings are
// kept apart: the number 1 and its eight bytes are different keys.
type Map struct {
	numbers map[uint64]struct{}
	texts   map[string]struct{}
	// A Go map never shrinks, so its size is that of its largest day.
	mostNumbers, mostTexts int
	held                   int // bytes of the strings in texts
}

// NewMap makes an empty set.
func NewMap() *Map {
	return &Map{numbers: map[uint64]struct{}{}, texts: map[string]struct{}{}}
}

// Add adds the key. The error is always nil.
func (s *Map) Add(key uint64) error {
	s.numbers[key] = struct{}{}
	s.mostNumbers = max(s.mostNumbers, len(s.numbers))
	return nil
}

// AddBytes adds a copy of the byte string. The error is always nil.
func (s *Map) AddBytes(key []byte) error {
	if _, ok := s.texts[string(key)]; !ok {
		s.texts[string(key)] = struct{}{}
		s.held += textBytes(key)
		s.mostTexts = max(s.mostTexts, len(s.texts))
	}
	return nil
}

// Contains reports whether the key was added, and is never wrong.
func (s *Map) Contains(key uint64) bool {
	_, ok := s.numbers[key]
	return ok
}

// ContainsBytes is Contains for a byte string.
func (s *Map) ContainsBytes(key []byte) bool {
	_, ok := s.texts[string(key)]
	return ok
}

// Remove forgets the key, however often it was added: a set does not count. It
// returns sketchproof.ErrNotFound for a key that is not in.
func (s *Map) Remove(key uint64) error {
	if !s.Contains(key) {
		return sketchproof.ErrNotFound
	}
	delete(s.numbers, key)
	return nil
}

// Len is the number of distinct keys held.
func (s *Map) Len() int { return len(s.numbers) + len(s.texts) }

// Merge adds the keys of other, which is unchanged. The error is always nil.
func (s *Map) Merge(other *Map) error {
	maps.Copy(s.numbers, other.numbers)
	s.mostNumbers = max(s.mostNumbers, len(s.numbers))
	for text := range other.texts {
		if err := s.AddBytes([]byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// SizeBytes estimates the memory of the maps and strings from the number of keys
// at their largest and the geometry of Go's maps on a 64-bit machine. A test
// holds it within a tenth of the heap's growth from 890 keys on. Removing many
// keys and adding others may make the map larger than this says.
func (s *Map) SizeBytes() int {
	return mapBytes(s.mostNumbers, numberSlot) + mapBytes(s.mostTexts, textSlot) + s.held
}

// Sorted is a set that cannot change: its distinct keys in a sorted slice, 8
// bytes each, found by binary search.
type Sorted struct{ keys []uint64 }

// NewSorted makes the set of the keys. It copies them; repeats are held once.
func NewSorted(keys []uint64) *Sorted {
	sorted := slices.Clone(keys)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	if len(sorted) < len(keys) {
		sorted = append(make([]uint64, 0, len(sorted)), sorted...) // free the room of the repeats
	}
	return &Sorted{sorted}
}

// Contains reports whether the key is in the set, and is never wrong.
func (s *Sorted) Contains(key uint64) bool {
	_, ok := slices.BinarySearch(s.keys, key)
	return ok
}

// Len is the number of distinct keys held.
func (s *Sorted) Len() int { return len(s.keys) }

// SizeBytes is 8 bytes a key.
func (s *Sorted) SizeBytes() int { return 8 * len(s.keys) }
