package bloom

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof"
)

// ErrMismatch is returned, wrapped with the difference, for two filters that were not
// built alike and cannot be merged. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

// alike returns an error that names the first difference in how two filters
// were built.
func (f *Filter) alike(other *Filter) error {
	switch {
	case f.m != other.m:
		return fmt.Errorf("bloom: %w: m is %d and %d bits", ErrMismatch, f.m, other.m)
	case f.k != other.k:
		return fmt.Errorf("bloom: %w: k is %d and %d probes", ErrMismatch, f.k, other.k)
	case f.scheme != other.scheme:
		return fmt.Errorf("bloom: %w: scheme is %v and %v", ErrMismatch, f.scheme, other.scheme)
	case f.hash != other.hash && f.hash.String() == other.hash.String():
		return fmt.Errorf("bloom: %w: hash is %v under two keys", ErrMismatch, f.hash)
	case f.hash != other.hash:
		return fmt.Errorf("bloom: %w: hash is %v and %v", ErrMismatch, f.hash, other.hash)
	}
	return nil
}

// Merge makes f the filter of both sets of keys: the bitwise or, which is bit
// for bit what adding all keys to one filter gives. It returns ErrMismatch, and
// changes nothing, unless m, k, scheme and hash are the same. It never changes
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

// BitsSet counts the bits that are set: the occupied bits X of the formulas.
func (f *Filter) BitsSet() uint64 {
	var x uint64
	for _, w := range f.words {
		x += uint64(bits.OnesCount64(w))
	}
	return x
}

// Fill is the share of bits that are set.
func (f *Filter) Fill() float64 { return float64(f.BitsSet()) / float64(f.m) }

// RateEstimate is this very filter's false-positive rate as its bits show it,
// (X/m)^k with X bits set: exact for probes that are independent of them.
func (f *Filter) RateEstimate() float64 { return math.Pow(f.Fill(), float64(f.k)) }

// CountEstimate estimates the number of distinct keys added, -(m/k) ln(1 - X/m)
// with X bits set (Swamidass & Baldi 2007). It is +Inf for a full filter. For
// bias and spread see CountEstimateBiasSD.
func (f *Filter) CountEstimate() float64 {
	return -float64(f.m) / float64(f.k) * math.Log1p(-f.Fill())
}
