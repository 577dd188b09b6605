package reservoir

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// The geometry word is the capacity. Payloads are words, little endian: what the
// sampler counts, the two words of its generator's state, and the sample; that of a
// Weighted is pairs of a tag and an item, in the order of the heap. No sampler has a
// hash function: the frame's is XX64 of seed 0.
const (
	rName        = "RSVR"
	lName        = "RSVL"
	weightedName = "RSVW"
	version      = 1
)

var errItems = errors.New("reservoir: only a sample of uint64 has a serialized form")

// words are items as they are written.
func words[T any](items []T) ([]uint64, error) {
	if w, ok := any(items).([]uint64); ok {
		return w, nil
	}
	return nil, errItems
}

func encode(name string, capacity int, source *rand.PCG, counts, items []uint64) ([]byte, error) {
	if source == nil {
		return nil, errors.New("reservoir: a sampler has a serialized form if it was made with a seed: other sources of draws have none")
	}
	state, err := source.MarshalBinary()
	if err != nil {
		return nil, err
	}
	state = state[len(state)-16:]
	list := append(counts[:len(counts):len(counts)], binary.BigEndian.Uint64(state), binary.BigEndian.Uint64(state[8:]))
	list = append(list, items...)
	h := frame.Header{Structure: name, Version: version, Hash: hashing.XX(0), Geometry: []uint64{uint64(capacity)}}
	return frame.Marshal(h, 8*len(list), func(b []byte) []byte {
		for _, w := range list {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return b
	})
}

// decode reads a frame of so many counts; seen is the first, and each item of the
// sample has so many words.
func decode(data []byte, name string, counts, each int) (capacity int, source *rand.PCG, head, items []uint64, err error) {
	h, payload, err := frame.Decode(data, name, version, 1)
	if err != nil {
		return 0, nil, nil, nil, fmt.Errorf("reservoir: %w", err)
	}
	if h.Geometry[0] > math.MaxInt {
		return 0, nil, nil, nil, corrupt("capacity %d, must be at most %d", h.Geometry[0], math.MaxInt)
	}
	if h.Hash != hashing.XX(0) {
		return 0, nil, nil, nil, corrupt("a hash function, which no sampler has")
	}
	capacity = int(h.Geometry[0])
	if len(payload)%8 != 0 || len(payload) < 8*(counts+2) {
		return 0, nil, nil, nil, corrupt("%d bytes, must be whole words, at least %d", len(payload), counts+2)
	}
	list := make([]uint64, len(payload)/8)
	for i := range list {
		list[i] = binary.LittleEndian.Uint64(payload[8*i:])
	}
	head, items = list[:counts], list[counts+2:]
	if held := min(uint64(capacity), head[0]); len(items)%each != 0 || uint64(len(items)/each) != held {
		return 0, nil, nil, nil, corrupt("%d words of a sample of %d items", len(items), held)
	}
	// A generator's seed is its state.
	return capacity, rand.NewPCG(list[counts], list[counts+1]), head, items, nil
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("reservoir: %w: %s", frame.ErrCorrupt, fmt.Sprintf(format, args...))
}

// MarshalBinary returns the reservoir as bytes: 8 for each item, and 84. What is
// read from them goes on with a stream as r would. It fails for items other than
// uint64, and for a reservoir that draws from a source other than a seed.
func (r *R[T]) MarshalBinary() ([]byte, error) {
	items, err := words(r.sample)
	if err != nil {
		return nil, err
	}
	return encode(rName, r.capacity, r.source, []uint64{r.seen, r.replacements}, items)
}

// AppendBinary appends what MarshalBinary returns.
func (r *R[T]) AppendBinary(b []byte) ([]byte, error) {
	data, err := r.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes r the reservoir that data was written from. Bytes that no
// reservoir can have written give an error, and r is then unchanged.
func (r *R[T]) UnmarshalBinary(data []byte) error {
	capacity, source, head, items, err := decode(data, rName, 2, 1)
	if err != nil {
		return err
	}
	if head[1] > head[0]-uint64(len(items)) {
		return corrupt("%d replacements after %d items", head[1], head[0])
	}
	sample, ok := any(items).([]T)
	if !ok {
		return errItems
	}
	*r = R[T]{capacity, sample, head[0], head[1], drawnFrom(source), source}
	return nil
}

// MarshalBinary returns the reservoir as bytes: 8 for each item, and 100. What is
// read from them goes on with a stream as l would. It fails for items other than
// uint64, and for the zero value.
func (l *L[T]) MarshalBinary() ([]byte, error) {
	items, err := words(l.sample)
	if err != nil {
		return nil, err
	}
	return encode(lName, l.capacity, l.source, []uint64{l.seen, l.next, math.Float64bits(l.w), l.replacements}, items)
}

// AppendBinary appends what MarshalBinary returns.
func (l *L[T]) AppendBinary(b []byte) ([]byte, error) {
	data, err := l.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes l the reservoir that data was written from. Bytes that no
// reservoir can have written give an error, and l is then unchanged.
func (l *L[T]) UnmarshalBinary(data []byte) error {
	capacity, source, head, items, err := decode(data, lName, 4, 1)
	if err != nil {
		return err
	}
	seen, next, w := head[0], head[1], math.Float64frombits(head[2])
	full := capacity > 0 && len(items) == capacity
	switch {
	case !full && (next != 0 || w != 1):
		return corrupt("a highest tag of %v, and number %d comes next, in a sample that is not full", w, next)
	case full && !(w >= 0 && w <= 1 && !math.Signbit(w)):
		return corrupt("a highest tag of %v, must be from 0 to 1", w)
	case full && next <= seen && seen < math.MaxUint64:
		return corrupt("number %d comes next after %d items", next, seen)
	case head[3] > seen-uint64(len(items)):
		return corrupt("%d replacements after %d items", head[3], seen)
	}
	sample, ok := any(items).([]T)
	if !ok {
		return errItems
	}
	*l = L[T]{capacity, sample, seen, next, w, head[3], source, rand.New(source)}
	return nil
}

// MarshalBinary returns the sample as bytes: 16 for each item, and 84. What is read
// from them goes on with a stream as s would. It fails for items other than uint64,
// and for the zero value.
func (s *Weighted[T]) MarshalBinary() ([]byte, error) {
	heap, ok := any(s.heap).(tags[uint64])
	if !ok {
		return nil, errItems
	}
	pairs := make([]uint64, 0, 2*len(heap))
	for _, x := range heap {
		pairs = append(pairs, math.Float64bits(x.key), x.item)
	}
	return encode(weightedName, s.capacity, s.source, []uint64{s.seen, math.Float64bits(s.jump)}, pairs)
}

// AppendBinary appends what MarshalBinary returns.
func (s *Weighted[T]) AppendBinary(b []byte) ([]byte, error) {
	data, err := s.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes s the sample that data was written from. Bytes that no
// sample can have written give an error, and s is then unchanged.
func (s *Weighted[T]) UnmarshalBinary(data []byte) error {
	capacity, source, head, pairs, err := decode(data, weightedName, 2, 2)
	if err != nil {
		return err
	}
	list := make(tags[uint64], len(pairs)/2)
	for i := range list {
		list[i] = tag[uint64]{math.Float64frombits(pairs[2*i]), pairs[2*i+1]}
		if key := list[i].key; !(key >= 0) || math.Signbit(key) {
			return corrupt("a tag of %v, must be at least 0", key)
		}
		if i > 0 && list.Less(i, (i-1)/2) {
			return corrupt("tag %d is above its parent in the heap", i)
		}
	}
	jump := math.Float64frombits(head[1])
	if !(jump >= 0) || math.Signbit(jump) || jump > 0 && len(list) < capacity || jump > 0 && capacity == 0 {
		return corrupt("a weight of %v to pass over, %d items of %d", jump, len(list), capacity)
	}
	heap, ok := any(list).(tags[T])
	if !ok {
		return errItems
	}
	*s = Weighted[T]{capacity, heap, head[0], jump, source, rand.New(source)}
	return nil
}
