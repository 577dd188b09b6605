package ull

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A Martingale is a Sketch that counts along: whenever a key changes a register,
// its estimate grows by one over the probability that it would (Cohen 2015; Ting
// 2014). It is free of bias at every n, and its variance is a quarter less. Its
// estimate depends on the order of keys, not on repeats. There is no merge: what
// two estimates have counted twice is not known. The zero value is only good for
// UnmarshalBinary.
type Martingale struct {
	sketch   Sketch
	estimate float64
}

var (
	_ sketchproof.Cardinality      = (*Martingale)(nil)
	_ sketchproof.BytesCardinality = (*Martingale)(nil)
	_ sketchproof.HashCardinality  = (*Martingale)(nil)
	_ sketchproof.BatchAdder       = (*Martingale)(nil)
	_ sketchproof.HashBatchAdder   = (*Martingale)(nil)
	_ sketchproof.BytesBatchAdder  = (*Martingale)(nil)
)

// NewMartingale returns an empty one. Its error says which values are allowed.
func NewMartingale(p Params) (*Martingale, error) {
	s, err := New(p)
	if err != nil {
		return nil, err
	}
	return &Martingale{sketch: *s}, nil
}

// Add takes in key.
func (c *Martingale) Add(key uint64) { c.AddHash(c.sketch.params.Hash.Uint64(key)) }

// AddBytes takes in a byte string, which is not kept.
func (c *Martingale) AddBytes(key []byte) { c.AddHash(c.sketch.params.Hash.Bytes(key)) }

// AddHash takes in a key by its hash, cut as by [Sketch.AddHash].
func (c *Martingale) AddHash(hash uint64) {
	s := &c.sketch
	if hash*s.scale <= ceiling[s.regs[hash>>(s.up&63)]] {
		c.take(hash)
	}
}

func (c *Martingale) take(hash uint64) {
	s := &c.sketch
	if i, rank := cut(hash, uint(s.params.Precision)); !told(s.regs[i], rank) {
		c.estimate += 1 / s.tally.Open()
		s.give(i, rank)
	}
}

// Estimate is the estimated number of distinct keys.
func (c *Martingale) Estimate() float64 { return c.estimate }

// Sketch returns a copy of the registers, to be merged or read by maximum
// likelihood.
func (c *Martingale) Sketch() *Sketch { return c.sketch.Clone() }

// Params returns the geometry.
func (c *Martingale) Params() Params { return c.sketch.params }

// Hash is the hash function.
func (c *Martingale) Hash() hashing.Hasher { return c.sketch.params.Hash }

// M is the number of registers.
func (c *Martingale) M() int { return c.sketch.M() }

// SizeBytes is the size of registers and estimate in bytes. A tally of 264 bytes is
// kept beside them.
func (c *Martingale) SizeBytes() int { return c.sketch.SizeBytes() + 8 }

// Clone returns an independent copy.
func (c *Martingale) Clone() *Martingale {
	return &Martingale{*c.sketch.Clone(), c.estimate}
}

// Equal reports whether both have the same geometry, registers and estimate.
func (c *Martingale) Equal(d *Martingale) bool {
	return c.sketch.Equal(&d.sketch) && c.estimate == d.estimate
}

// Reset forgets all keys.
func (c *Martingale) Reset() {
	c.sketch.Reset()
	c.estimate = 0
}

// MarshalBinary writes the registers and the estimate. It fails only for
// the zero value.
func (c *Martingale) MarshalBinary() ([]byte, error) {
	return c.sketch.marshal(martingale, math.Float64bits(c.estimate))
}

// AppendBinary appends what MarshalBinary returns to b.
func (c *Martingale) AppendBinary(b []byte) ([]byte, error) {
	data, err := c.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary replaces c by what MarshalBinary wrote. Bytes that none writes,
// such as an estimate below the number of values that registers tell of, are
// refused with an error, and c is then unchanged.
func (c *Martingale) UnmarshalBinary(data []byte) error {
	s, more, err := unmarshal(data, martingale, 1)
	if err != nil {
		return err
	}
	estimate := math.Float64frombits(more[0])
	if err := s.tally.CheckMartingale(estimate); err != nil {
		return fmt.Errorf("ull: %w", err)
	}
	*c = Martingale{*s, estimate}
	return nil
}

// AddHashBatch is as many calls of AddHash. It returns their number and nil.
func (c *Martingale) AddHashBatch(hashes []uint64) (int, error) {
	for _, h := range hashes {
		c.AddHash(h)
	}
	return len(hashes), nil
}
