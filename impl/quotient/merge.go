package quotient

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof"
)

// ErrMismatch is returned, wrapped with the difference, for two filters that were not
// built alike and cannot be merged. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

// alike returns an error that names the first difference between two filters that
// keeps one from taking the other's fingerprints.
func (f *Filter) alike(other *Filter) error {
	a, b := f.params, other.params
	switch {
	case a.fingerprints() != b.fingerprints():
		return fmt.Errorf("quotient: %w: %d slots of %d remainder bits and %d slots of %d have different fingerprints",
			ErrMismatch, a.Slots, a.RemainderBits, b.Slots, b.RemainderBits)
	case f.counting != other.counting:
		return fmt.Errorf("quotient: %w: one of the two is counting", ErrMismatch)
	case a.Hash != b.Hash && a.Hash.String() == b.Hash.String():
		return fmt.Errorf("quotient: %w: hash is %v under two keys", ErrMismatch, a.Hash)
	case a.Hash != b.Hash:
		return fmt.Errorf("quotient: %w: hash is %v and %v", ErrMismatch, a.Hash, b.Hash)
	}
	return nil
}

// Merge makes f the filter of both sets of keys: byte for byte what adding all keys to one filter gives. The tables may
// be of unlike size when the fingerprints are the same, which is when Slots times
// 2^RemainderBits is: f keeps its geometry. It returns ErrMismatch for other
// filters, and sketchproof.ErrFull when f has no room: see Grow. f is then unchanged.
// It never changes other. It takes a second table while it runs.
func (f *Filter) Merge(other *Filter) error {
	if err := f.alike(other); err != nil {
		return err
	}
	to := builder{f: empty(f.params, f.counting)}
	a, b := f.table.cursor(f.counting), other.table.cursor(f.counting)
	moreA, moreB := a.next(), b.next()
	for moreA || moreB {
		fits := false
		switch {
		case !moreB || moreA && a.fingerprint() < b.fingerprint():
			fits = to.add(a.fingerprint(), a.count)
			moreA = a.next()
		case !moreA || b.fingerprint() < a.fingerprint():
			fits = to.add(b.fingerprint(), b.count)
			moreB = b.next()
		default:
			count := uint64(1)
			if f.counting {
				count = a.count + b.count
			}
			fits = to.add(a.fingerprint(), count)
			moreA, moreB = a.next(), b.next()
		}
		if !fits {
			return sketchproof.ErrFull
		}
	}
	*f = *to.finish()
	return nil
}

// Grow doubles the slots and shortens the remainders by a bit, without the keys: the
// fingerprints stay, and so does the rate at the keys held. What it makes is byte for
// byte the filter of that geometry. It returns an error, and changes nothing, where
// New would refuse the geometry.
func (f *Filter) Grow() error {
	p := f.params
	p.Slots, p.RemainderBits = 2*p.Slots, p.RemainderBits-1
	return f.resize(p)
}

// Shrink halves the slots and lengthens the remainders by a bit. It returns an error,
// and changes nothing, when the number of slots is odd or the remainders are as long
// as they may be, and sketchproof.ErrFull when half the slots do not hold the entries.
func (f *Filter) Shrink() error {
	p := f.params
	if p.Slots%2 != 0 {
		return fmt.Errorf("quotient: %d slots: an even number can be halved", p.Slots)
	}
	p.Slots, p.RemainderBits = p.Slots/2, p.RemainderBits+1
	return f.resize(p)
}

func (f *Filter) resize(p Params) error {
	if err := p.check(f.counting); err != nil {
		return err
	}
	to := builder{f: empty(p, f.counting)}
	for c := f.table.cursor(f.counting); c.next(); {
		if !to.add(c.fingerprint(), c.count) {
			return sketchproof.ErrFull
		}
	}
	*f = *to.finish()
	return nil
}

// Clone returns a filter of its own with the same entries.
func (f *Filter) Clone() *Filter {
	c := *f
	c.table.data = slices.Clone(f.table.data)
	return &c
}

// Equal reports whether the two have the same geometry, hash and entries.
func (f *Filter) Equal(other *Filter) bool {
	return f.params == other.params && f.counting == other.counting && bytes.Equal(f.table.data, other.table.data)
}

// Reset forgets every key.
func (f *Filter) Reset() {
	clear(f.table.data)
	f.count, f.used = 0, 0
}
