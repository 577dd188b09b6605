package counting

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Size returns the fewest cells, and the number of hashes, with which a filter
// holds n keys at the false-positive rate p or less: bloom.Size by the rule
// Exact, since a counting filter errs just as the Bloom filter of its non-zero
// cells. The scheme is Derived, and Hash is left to the caller. It returns an
// error for p outside (0, 1) or below 2^-64, for a width other than 4, 8 and
// 16, and where the table would be larger than New allows.
//
// The promise is about n keys held at once, however many came and went, as long
// as no cell overflows: see OverflowBound.
func Size(n uint64, p float64, cellBits int) (Params, error) {
	m, k, err := bloom.Size(n, p, bloom.Exact)
	if err != nil {
		return Params{}, fmt.Errorf("counting: %w", err)
	}
	if m > math.MaxInt {
		return Params{}, fmt.Errorf("counting: %d keys at rate %v ask for %d cells, at most %d are allowed", n, p, m, math.MaxInt)
	}
	params := Params{Cells: int(m), Hashes: int(k), CellBits: cellBits}
	tried := params
	tried.Hash = hashing.XX(0) // any: it has no size
	if _, err := tried.filter(); err != nil {
		return Params{}, err
	}
	return params, nil
}

// ForRate makes an empty filter that is sized for n keys at the false-positive
// rate p; see Size for what is allowed.
func ForRate(n uint64, p float64, cellBits int, hash hashing.Hasher) (*Filter, error) {
	params, err := Size(n, p, cellBits)
	if err != nil {
		return nil, err
	}
	params.Hash = hash
	return New(params)
}
