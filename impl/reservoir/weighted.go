package reservoir

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A tag is an item and the number by which the lowest are sampled.
type tag[T any] struct {
	key  float64
	item T
}

func (a tag[T]) order(b tag[T]) int { return cmp.Compare(a.key, b.key) }

// tags are a heap with the highest on top.
type tags[T any] []tag[T]

func (h tags[T]) Len() int           { return len(h) }
func (h tags[T]) Less(i, j int) bool { return h[i].key > h[j].key }
func (h tags[T]) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *tags[T]) Push(x any)        { *h = append(*h, x.(tag[T])) }
func (h *tags[T]) Pop() any          { panic("reservoir: a sample never shrinks") }

// A Weighted samples a stream of weighted items without replacement by A-ExpJ
// (Efraimidis and Spirakis 2006): the sample has the law of k draws one after the
// other, each of what is left, with chances in proportion to the weights.
//
// Every item of weight w is given an arrival time, exponential with rate w, and the
// first k to arrive are the sample: the keys of the paper, u^(1/w), are exp of minus
// these times. Items are passed over without a draw until weights add up to an
// exponential jump; so it draws O(k log(n/k)) numbers.
//
// Make one with NewWeighted. It is not safe for use by several goroutines at once.
type Weighted[T any] struct {
	capacity int
	heap     tags[T]
	seen     uint64
	jump     float64 // weight to pass over before the next item gets in, once the sample is full
	source   *rand.PCG
	rand     *rand.Rand // of the source
}

// NewWeighted returns an empty reservoir for capacity items. It refuses a capacity
// below 0; capacity 0 keeps nothing. The same seed and stream give the same sample.
func NewWeighted[T any](capacity int, seed uint64) (*Weighted[T], error) {
	if capacity < 0 {
		return nil, fmt.Errorf("reservoir: capacity %d, must be at least 0", capacity)
	}
	source := rand.NewPCG(seed, 2)
	return &Weighted[T]{capacity: capacity, source: source, rand: rand.New(source)}, nil
}

// Add shows an item of weight 1. With all weights equal the sample is uniform.
func (s *Weighted[T]) Add(item T) { _ = s.AddWeighted(item, 1) }

// AddWeighted shows an item. It returns an error, and changes nothing, for a weight
// that is not a positive finite number.
func (s *Weighted[T]) AddWeighted(item T, weight float64) error {
	if !(weight > 0 && weight <= math.MaxFloat64) {
		return fmt.Errorf("reservoir: weight %v, must be positive and finite", weight)
	}
	s.seen++
	if len(s.heap) < s.capacity {
		heap.Push(&s.heap, tag[T]{-math.Log(uniform(s.rand)) / weight, item})
		s.draw()
		return nil
	}
	if s.capacity == 0 {
		return nil
	}
	if s.jump -= weight; s.jump > 0 {
		return nil
	}
	// It arrives before the last of the sample: a time below that, by its law.
	last := s.heap[0].key
	early := -math.Expm1(-weight * last) // the chance
	s.heap[0] = tag[T]{-math.Log1p(-uniform(s.rand)*early) / weight, item}
	heap.Fix(&s.heap, 0)
	s.draw()
	return nil
}

// draw draws the next jump of a full sample: arrivals before the last one's time
// are a Poisson process in weight, of that rate.
func (s *Weighted[T]) draw() {
	if len(s.heap) == s.capacity {
		s.jump = -math.Log(uniform(s.rand)) / s.heap[0].key
	}
}

// Merge makes s a sample of both streams, and leaves src as it was. It returns an
// error, and changes nothing, for another capacity, for s itself, and for more than
// 2^64-1 items. The first to arrive of both are the sample of both, exactly; the
// streams must share no item, or it counts with both weights.
func (s *Weighted[T]) Merge(src *Weighted[T]) error {
	seen, overflow := bits.Add64(s.seen, src.seen, 0)
	switch {
	case s == src:
		return errors.New("reservoir: merge of a sample with itself")
	case s.capacity != src.capacity:
		return fmt.Errorf("reservoir: %w: capacities %d and %d", ErrMismatch, s.capacity, src.capacity)
	case overflow != 0:
		return errors.New("reservoir: merge of more than 2^64-1 items")
	}
	s.seen = seen
	if len(src.heap) == 0 {
		return nil
	}
	all := slices.Concat(s.heap, src.heap)
	slices.SortStableFunc(all, tag[T].order)
	all = all[:min(len(all), s.capacity)]
	slices.Reverse(all) // from the highest on is a heap
	s.heap = all
	s.draw()
	return nil
}

// Sample returns a copy of the sample: min(Seen(), Capacity()) items, the first to
// arrive first, as k draws one after the other would give them.
func (s *Weighted[T]) Sample() []T {
	sorted := slices.Clone(s.heap)
	slices.SortStableFunc(sorted, tag[T].order)
	items := make([]T, len(sorted))
	for i, x := range sorted {
		items[i] = x.item
	}
	return items
}

// Capacity is k, the largest size of the sample.
func (s *Weighted[T]) Capacity() int { return s.capacity }

// Seen is the number of items shown.
func (s *Weighted[T]) Seen() uint64 { return s.seen }
