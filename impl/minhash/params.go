package minhash

import (
	"errors"
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// MaxK is the largest k: a standard error of at most 0.2 %.
const MaxK = 1 << 16

// ErrEmpty is returned, wrapped, where two empty sets are compared, as 0/0 is no
// similarity, and where the empty set is compressed.
var ErrEmpty = errors.New("empty set")

var errBothEmpty = fmt.Errorf("minhash: cannot compare an %w with another", ErrEmpty)

// Params say how to build a signature.
type Params struct {
	// K is the number of values kept, 1 to MaxK.
	K int
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

func (p Params) check() error {
	if p.K < 1 || p.K > MaxK {
		return fmt.Errorf("minhash: k = %d, allowed are 1 to %d", p.K, MaxK)
	}
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("minhash: %w", err)
	}
	return nil
}

// ErrMismatch is returned, wrapped with the difference, for two signatures that were not
// built alike. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

// alike returns an error that names the first difference.
func (p Params) alike(q Params) error {
	if p.K != q.K {
		return fmt.Errorf("k = %d against %d", p.K, q.K)
	}
	if p.Hash != q.Hash {
		return fmt.Errorf("hash function %v against another, %v", p.Hash, q.Hash)
	}
	return nil
}

// same returns other as what the receiver is.
func same[T any](other sketchproof.Signature) (*T, error) {
	o, ok := any(other).(*T)
	if !ok || o == nil {
		return nil, fmt.Errorf("minhash: a %T cannot be compared with a %T", (*T)(nil), other)
	}
	return o, nil
}

// none marks a value that no key has set. It is above all others.
const none = ^uint64(0)

// anySet reports whether a value was set, that is, whether the set has a key.
func anySet(values []uint64) bool {
	for _, v := range values {
		if v != none {
			return true
		}
	}
	return false
}

// filled returns k values that no key has set.
func filled(k int) []uint64 {
	values := make([]uint64, k)
	for i := range values {
		values[i] = none
	}
	return values
}

// minima sets each value to the smaller of both.
func minima(dst, src []uint64) {
	src = src[:len(dst)]
	for i, v := range src {
		dst[i] = min(dst[i], v)
	}
}
