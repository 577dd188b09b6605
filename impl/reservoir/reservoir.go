package reservoir

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A Draw gives a number from 0 to i, all i+1 of them equally likely. It is
// called once for each item after the first k; i is the number of items that
// came before.
type Draw func(i uint64) uint64

// Seeded is a fair Draw: the PCG generator of math/rand/v2 with the seed,
// without the bias of a modulus. The same seed gives the same sample.
func Seeded(seed uint64) Draw {
	return drawnFrom(rand.NewPCG(seed, 0))
}

func drawnFrom(source *rand.PCG) Draw {
	r := rand.New(source)
	return func(i uint64) uint64 {
		if i == math.MaxUint64 {
			return r.Uint64()
		}
		return r.Uint64N(i + 1)
	}
}

// Hashed is a Draw that can be replayed by hand: the hash of the number i,
// modulo i+1. It has no state. A number is unfair by at most one part in
// 2^64/(i+1).
func Hashed(h hashing.Hasher) Draw {
	return func(i uint64) uint64 {
		if i == math.MaxUint64 {
			return h.Uint64(i)
		}
		return h.Uint64(i) % (i + 1)
	}
}

// An R samples a stream by algorithm R. Make one with New or WithDraw. It is
// not safe for use by several goroutines at once.
type R[T any] struct {
	capacity     int
	sample       []T
	seen         uint64
	replacements uint64
	draw         Draw
	source       *rand.PCG // of draw, nil where a caller gave it
}

// New returns an empty reservoir for capacity items, with the draws of
// Seeded(seed). It refuses a capacity below 0; capacity 0 keeps nothing.
func New[T any](capacity int, seed uint64) (*R[T], error) {
	source := rand.NewPCG(seed, 0)
	r, err := WithDraw[T](capacity, drawnFrom(source))
	if err == nil {
		r.source = source
	}
	return r, err
}

// WithDraw is New with the caller's own source of draws.
func WithDraw[T any](capacity int, draw Draw) (*R[T], error) {
	if capacity < 0 {
		return nil, fmt.Errorf("reservoir: capacity %d, must be at least 0", capacity)
	}
	if draw == nil {
		return nil, errors.New("reservoir: no source of draws, use Seeded or Hashed")
	}
	return &R[T]{capacity: capacity, draw: draw}, nil
}

// Add shows the reservoir the next item of the stream. It panics when the
// source draws a number that is out of range.
func (r *R[T]) Add(item T) {
	i := r.seen
	r.seen++
	if i < uint64(r.capacity) {
		r.sample = append(r.sample, item)
		return
	}
	j := r.draw(i)
	if j > i {
		panic(fmt.Sprintf("reservoir: the source drew %d, outside 0 to %d", j, i))
	}
	if j < uint64(r.capacity) {
		r.sample[j] = item
		r.replacements++
	}
}

// Sample returns a copy of the sample, in slot order: min(Seen(), Capacity())
// items. The order is not random: an early item that stays keeps its slot.
func (r *R[T]) Sample() []T { return slices.Clone(r.sample) }

// Capacity is k, the largest size of the sample.
func (r *R[T]) Capacity() int { return r.capacity }

// Seen is the number of items shown.
func (r *R[T]) Seen() uint64 { return r.seen }

// Replacements is the number of items that took the place of another.
func (r *R[T]) Replacements() uint64 { return r.replacements }
