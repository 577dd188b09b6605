package minhash

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A BBit is b bits of each minimum of a Signature (Li, König 2010). It takes no
// more keys and does not merge: keep the Signature for that. Make one with
// [Signature.Compress] or UnmarshalBinary. It never changes, so all may read it.
//
// The bits are the low ones of the minimum mixed once more: multipliers are odd,
// so the low bits of a minimum are those of the key's hash times a constant, the
// same for all functions that chose that key.
type BBit struct {
	params Params
	bits   int
	words  []uint64 // 64/b values a word, low bits first; zeros after the last
}

// Compress keeps b bits of each minimum: b is 1, 2, 4 or 8. The empty set has no
// minima and is refused with an error that wraps ErrEmpty.
func (s *Signature) Compress(b int) (*BBit, error) {
	if err := checkBits(uint64(b)); err != nil {
		return nil, fmt.Errorf("minhash: %w", err)
	}
	if s.Empty() {
		return nil, fmt.Errorf("minhash: compression: %w", ErrEmpty)
	}
	c := &BBit{s.params, b, make([]uint64, bitWords(s.params.K, b))}
	perWord := 64 / b
	for i, v := range s.values {
		low := hashing.Mix(v) & (1<<b - 1)
		c.words[i/perWord] |= low << (i % perWord * b)
	}
	return c, nil
}

func checkBits(b uint64) error {
	if b != 1 && b != 2 && b != 4 && b != 8 {
		return fmt.Errorf("%d bits of a value, allowed are 1, 2, 4 and 8", b)
	}
	return nil
}

// bitWords is the number of words that k values of b bits take.
func bitWords(k, b int) int { return (k*b + 63) / 64 }

// Matches is the number of values that agree: binomial of k and [BBitMatch]. The
// error names the difference when the two were not made alike.
func (c *BBit) Matches(other *BBit) (int, error) {
	if err := c.params.alike(other.params); err != nil {
		return 0, fmt.Errorf("minhash: cannot compare: %w: %w", ErrMismatch, err)
	}
	if c.bits != other.bits {
		return 0, fmt.Errorf("minhash: cannot compare: %w: %d bits of a value against %d", ErrMismatch, c.bits, other.bits)
	}
	words := other.words[:len(c.words)]
	differ := 0
	for i, w := range c.words {
		differ += bits.OnesCount64(fold(w^words[i], c.bits))
	}
	return c.params.K - differ, nil
}

// fold sets the lowest bit of each field of b bits to whether one of them is set,
// and clears the others.
func fold(x uint64, b int) uint64 {
	switch b {
	case 2:
		return (x | x>>1) & 0x5555555555555555
	case 4:
		x |= x >> 1
		return (x | x>>2) & 0x1111111111111111
	case 8:
		x |= x >> 1
		x |= x >> 2
		return (x | x>>4) & 0x0101010101010101
	default:
		return x
	}
}

// Unclamped is the estimate freed of the 2^-b of values that agree by chance (Li,
// König 2010, Theorem 1, for sets that are small against 2^64): unbiased, with
// variance [BBitVariance], and for unlike sets often below 0.
func (c *BBit) Unclamped(other *BBit) (float64, error) {
	n, err := c.Matches(other)
	if err != nil {
		return 0, err
	}
	return unchance(n, c.params.K, c.bits), nil
}

// unchance frees n of k agreements of those that come by chance.
func unchance(n, k, b int) float64 {
	chance := 1 / float64(uint64(1)<<b)
	return (float64(n)/float64(k) - chance) / (1 - chance)
}

// Similarity is Unclamped, or 0 where that is below: so it is biased upwards for
// sets that are hardly alike.
func (c *BBit) Similarity(other *BBit) (float64, error) {
	j, err := c.Unclamped(other)
	return max(j, 0), err
}

// Params returns how the Signature was built.
func (c *BBit) Params() Params { return c.params }

// Hash is the hash function.
func (c *BBit) Hash() hashing.Hasher { return c.params.Hash }

// K is the number of values.
func (c *BBit) K() int { return c.params.K }

// Bits is b.
func (c *BBit) Bits() int { return c.bits }

// SizeBytes is the memory of the values, k·b bits in whole words.
func (c *BBit) SizeBytes() int { return 8 * len(c.words) }

// Equal reports whether both were made alike and hold the same values.
func (c *BBit) Equal(o *BBit) bool {
	return c.params == o.params && c.bits == o.bits && slices.Equal(c.words, o.words)
}
