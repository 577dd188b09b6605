package blocked

import (
	"fmt"
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
	case f.kind != other.kind:
		return fmt.Errorf("blocked: %w: kind is %v and %v", ErrMismatch, f.kind, other.kind)
	case f.blocks != other.blocks:
		return fmt.Errorf("blocked: %w: %d and %d blocks", ErrMismatch, f.blocks, other.blocks)
	case f.k != other.k:
		return fmt.Errorf("blocked: %w: k is %d and %d bits", ErrMismatch, f.k, other.k)
	case f.hash != other.hash && f.hash.String() == other.hash.String():
		return fmt.Errorf("blocked: %w: hash is %v under two keys", ErrMismatch, f.hash)
	case f.hash != other.hash:
		return fmt.Errorf("blocked: %w: hash is %v and %v", ErrMismatch, f.hash, other.hash)
	}
	return nil
}

// Merge makes f the filter of both sets of keys: the bitwise or, which is bit for
// bit what adding all keys to one filter gives. It returns ErrMismatch, and changes
// nothing, unless kind, number of blocks, k and hash are the same. It never changes
// other.
func (f *Filter) Merge(other *Filter) error {
	if err := f.alike(other); err != nil {
		return err
	}
	for i, w := range other.words {
		f.words[i] |= w
	}
	return nil
}

// Clone returns a filter of its own with the same bits.
func (f *Filter) Clone() *Filter {
	c := *f
	c.words = slices.Clone(f.words)
	return &c
}

// Equal reports whether the two were built alike and hold the same bits.
func (f *Filter) Equal(other *Filter) bool {
	return f.alike(other) == nil && slices.Equal(f.words, other.words)
}

// Reset clears every bit.
func (f *Filter) Reset() { clear(f.words) }
