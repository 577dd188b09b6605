package reservoir

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A Part is a uniform sample of a part of a stream: min(k, Seen) of Seen items.
type Part[T any] struct {
	Sample []T
	Seen   uint64
}

// Combine draws a uniform sample of capacity k of all parts together. The number of
// items that it takes from each is multivariate hypergeometric, by drawing one item
// after the other of all that are left: every set of k of all items is equally
// likely. What the samples share is not known: parts must have no item in common.
//
// It returns an error for a capacity below 0, for a sample that is no sample of
// capacity k or more of its part, and for more than 2^64-1 items. The parts stay as
// they were.
func Combine[T any](k int, seed uint64, parts ...Part[T]) (Part[T], error) {
	if k < 0 {
		return Part[T]{}, fmt.Errorf("reservoir: capacity %d, must be at least 0", k)
	}
	var seen, overflow uint64
	pools, left := make([][]T, len(parts)), make([]uint64, len(parts))
	for i, p := range parts {
		if n := uint64(len(p.Sample)); n > p.Seen || n < min(uint64(k), p.Seen) {
			return Part[T]{}, fmt.Errorf("reservoir: part %d has %d items of %d, must have at least %d and no more than it saw",
				i, n, p.Seen, min(uint64(k), p.Seen))
		}
		if seen, overflow = bits.Add64(seen, p.Seen, 0); overflow != 0 {
			return Part[T]{}, errors.New("reservoir: more than 2^64-1 items")
		}
		pools[i], left[i] = slices.Clone(p.Sample), p.Seen
	}
	r := rand.New(rand.NewPCG(seed, 3))
	all := Part[T]{Sample: make([]T, 0, min(uint64(k), seen)), Seen: seen}
	for ; len(all.Sample) < k && seen > 0; seen-- {
		// The next of all items that are left is one of part i's, and which one of
		// them is what its sample is a fair choice of.
		i, at := 0, r.Uint64N(seen)
		for ; at >= left[i]; i++ {
			at -= left[i]
		}
		left[i]--
		pool := pools[i]
		j, last := r.IntN(len(pool)), len(pool)-1
		all.Sample = append(all.Sample, pool[j])
		pool[j] = pool[last]
		pools[i] = pool[:last]
	}
	return all, nil
}
