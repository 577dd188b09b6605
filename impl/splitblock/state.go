package splitblock

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof"
)

// ErrMismatch is returned, wrapped with the difference, for two filters that were not
// built alike and cannot be merged. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

// alike returns an error that names the first difference in how two filters were
// built.
func (f *Filter) alike(other *Filter) error {
	switch {
	case len(f.blocks) != len(other.blocks):
		return fmt.Errorf("splitblock: %w: %d and %d blocks", ErrMismatch, len(f.blocks), len(other.blocks))
	case f.hash != other.hash && f.hash.String() == other.hash.String():
		return fmt.Errorf("splitblock: %w: hash is %v under two keys", ErrMismatch, f.hash)
	case f.hash != other.hash:
		return fmt.Errorf("splitblock: %w: hash is %v and %v", ErrMismatch, f.hash, other.hash)
	}
	return nil
}

// Merge makes f the filter of both sets of keys: the bitwise or, which is bit for
// bit what adding all keys to one filter gives. It returns ErrMismatch, and changes
// nothing, unless the number of blocks and the hash are the same. It never changes
// other.
func (f *Filter) Merge(other *Filter) error {
	if err := f.alike(other); err != nil {
		return err
	}
	for i := range f.blocks {
		b := &f.blocks[i]
		for lane, w := range other.blocks[i] {
			b[lane] |= w
		}
	}
	return nil
}

// Clone returns a filter of its own with the same bits.
func (f *Filter) Clone() *Filter {
	c := *f
	c.blocks = slices.Clone(f.blocks)
	return &c
}

// Equal reports whether the two were built alike and hold the same bits.
func (f *Filter) Equal(other *Filter) bool {
	return f.alike(other) == nil && slices.Equal(f.blocks, other.blocks)
}

// Reset clears every bit.
func (f *Filter) Reset() { clear(f.blocks) }

// RateEstimate is this very filter's false-positive rate as its bits show it: the
// mean over blocks of the chance that one bit drawn in each lane is set. It reads
// the whole filter.
func (f *Filter) RateEstimate() float64 {
	var sum float64
	for i := range f.blocks {
		rate := 1.0
		for _, w := range f.blocks[i] {
			rate *= float64(bits.OnesCount32(w)) / laneBits
		}
		sum += rate
	}
	return sum / float64(len(f.blocks))
}
