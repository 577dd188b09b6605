package reservoir

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/sketchproof/sketchproof"
)

// uniform is a number between 0 and 1, both excluded.
func uniform(r *rand.Rand) float64 { return (float64(r.Uint64()>>12) + 0.5) * 0x1p-52 }

// An L samples a stream by algorithm L (Li 1994): the same law as R, but it draws
// numbers only for items that get in, 2 + 3k(H_n - H_k) on average, and says how
// many items it will pass over whatever they are.
//
// It goes by tags: think of every item as given a uniform number, and of the sample
// as the k items with the lowest. All it keeps of the tags is w, the highest in
// the sample; the number of items up to the next lower tag is geometric.
//
// Make one with NewL. It is not safe for use by several goroutines at once.
type L[T any] struct {
	capacity     int
	sample       []T
	seen         uint64
	next         uint64 // the number of the item that gets in next, once the sample is full
	w            float64
	replacements uint64
	source       *rand.PCG
	rand         *rand.Rand // of the source
}

// NewL returns an empty reservoir for capacity items. It refuses a capacity below
// 0; capacity 0 keeps nothing. The same seed and stream give the same sample.
func NewL[T any](capacity int, seed uint64) (*L[T], error) {
	if capacity < 0 {
		return nil, fmt.Errorf("reservoir: capacity %d, must be at least 0", capacity)
	}
	source := rand.NewPCG(seed, 1)
	return &L[T]{capacity: capacity, w: 1, source: source, rand: rand.New(source)}, nil
}

// Add shows the reservoir the next item of the stream.
func (l *L[T]) Add(item T) {
	l.seen++
	if l.seen == l.next { // never while next is 0
		l.sample[l.rand.IntN(l.capacity)] = item
		l.replacements++
		l.lower()
	} else if len(l.sample) < l.capacity {
		if l.sample = append(l.sample, item); len(l.sample) == l.capacity {
			l.lower()
		}
	}
}

// lower draws the highest tag of a sample whose tags are all below w, and when the
// next item below it comes.
func (l *L[T]) lower() {
	l.w *= math.Exp(math.Log(uniform(l.rand)) / float64(l.capacity))
	l.skip()
}

// skip draws the number of items until a tag below w.
func (l *L[T]) skip() {
	passed := math.Floor(math.Log(uniform(l.rand)) / math.Log1p(-l.w))
	l.next = math.MaxUint64 // and it stays there where w is too small for any stream
	if passed < float64(math.MaxUint64-l.seen)-2048 {
		l.next = l.seen + uint64(passed) + 1
	}
}

// Skippable is the number of items that come next and will not get in, whatever
// they are: 0 while the sample is not full.
func (l *L[T]) Skippable() uint64 {
	if l.next == 0 {
		if l.capacity == 0 {
			return math.MaxUint64 - l.seen
		}
		return 0
	}
	return l.next - l.seen - 1
}

// Skip passes over n items without looking at them, as Add of each would. It
// returns an error, and changes nothing, when n is more than Skippable.
func (l *L[T]) Skip(n uint64) error {
	if most := l.Skippable(); n > most {
		return fmt.Errorf("reservoir: skip of %d items, at most %d will not get in", n, most)
	}
	l.seen += n
	return nil
}

// ErrMismatch is returned, wrapped with the difference, for two samplers that were not
// built alike: of two capacities. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

// Merge makes l a sample of both streams, as if it had seen the items of src after
// its own, and leaves src as it was. Every set of k of all items is equally likely.
// It returns an error, and changes nothing, for another capacity, for l itself, and
// for more than 2^64-1 items.
//
// It gives the samples tags again: one item of a full sample has the highest, w,
// and the others' are uniform below it. The k lowest of both are the sample of
// both. So many come from each as the hypergeometric law says.
func (l *L[T]) Merge(src *L[T]) error {
	seen, overflow := bits.Add64(l.seen, src.seen, 0)
	switch {
	case l == src:
		return errors.New("reservoir: merge of a sample with itself")
	case l.capacity != src.capacity:
		return fmt.Errorf("reservoir: %w: capacities %d and %d", ErrMismatch, l.capacity, src.capacity)
	case overflow != 0:
		return errors.New("reservoir: merge of more than 2^64-1 items")
	}
	l.seen = seen
	if l.capacity == 0 || len(src.sample) == 0 {
		return nil // next stays: with no items of src, none was passed over
	}
	all := slices.Concat(l.tagged(l.rand), src.tagged(l.rand))
	slices.SortStableFunc(all, tag[T].order)
	all = all[:min(len(all), l.capacity)]
	l.sample = l.sample[:0]
	for _, x := range all {
		l.sample = append(l.sample, x.item)
	}
	if len(l.sample) == l.capacity {
		l.w = all[l.capacity-1].key
		l.skip()
	}
	return nil
}

// tagged gives the items of the sample tags by their law.
func (l *L[T]) tagged(r *rand.Rand) []tag[T] {
	all := make([]tag[T], len(l.sample))
	for i, item := range l.sample {
		all[i] = tag[T]{l.w * uniform(r), item}
	}
	if len(l.sample) == l.capacity {
		all[r.IntN(len(all))].key = l.w
	}
	return all
}

// Sample returns a copy of the sample: min(Seen(), Capacity()) items. The order is
// not random.
func (l *L[T]) Sample() []T { return slices.Clone(l.sample) }

// Capacity is k, the largest size of the sample.
func (l *L[T]) Capacity() int { return l.capacity }

// Seen is the number of items shown or passed over.
func (l *L[T]) Seen() uint64 { return l.seen }

// Replacements is the number of items that took the place of another. Merges do
// not count.
func (l *L[T]) Replacements() uint64 { return l.replacements }
