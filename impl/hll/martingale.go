package hll

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A Martingale is a HyperLogLog that counts while it is filled (Ting 2014; Cohen
// 2015, where it is the historic inverse probability estimator). At each change of
// a register it adds 1/q, q the probability that a new key would have changed
// one. The estimate is unbiased at every n and spreads less than any that reads
// the registers alone: MartingaleError.
//
// It has the order of its keys in it, if not their repeats: it cannot be merged,
// and the same keys in another order make another estimate. For merges take its
// registers, a Sketch, at the price of the greater spread.
type Martingale struct {
	sketch Sketch
	// idle is how many of the 2^64 hashes would change nothing. It is exact: a
	// register of value v, below 65 - p, is changed by 2^(64-p-v) of them.
	idle     uint64
	estimate float64
}

var (
	_ sketchproof.Cardinality      = (*Martingale)(nil)
	_ sketchproof.BytesCardinality = (*Martingale)(nil)
	_ sketchproof.HashCardinality  = (*Martingale)(nil)
)

// NewMartingale returns an empty sketch. Its error says which values are
// allowed; Params.Sparse is not.
func NewMartingale(p Params) (*Martingale, error) {
	if p.Sparse {
		return nil, fmt.Errorf("hll: a Martingale has no sparse form")
	}
	s, err := New(p)
	if err != nil {
		return nil, err
	}
	return &Martingale{sketch: *s}, nil
}

// Add takes in key.
func (t *Martingale) Add(key uint64) { t.AddHash(t.sketch.params.Hash.Uint64(key)) }

// AddBytes takes in a byte string. A number may be the same key as its eight bytes: do not mix the two. The
// slice is not kept.
func (t *Martingale) AddBytes(key []byte) { t.AddHash(t.sketch.params.Hash.Bytes(key)) }

// AddHash takes in a key by its well-mixed 64-bit hash, as a Sketch does.
func (t *Martingale) AddHash(hash uint64) {
	s := &t.sketch
	if hash*s.scale <= ceiling[s.hot[hash>>(s.up&63)]] {
		t.take(hash)
	}
}

func (t *Martingale) take(hash uint64) {
	s := &t.sketch
	i, rank := place(hash, uint(s.params.Precision))
	old := s.Register(int(i))
	if rank <= old {
		return
	}
	if t.idle == 0 {
		t.estimate++ // all 2^64 hashes change something, which no word holds
	} else {
		t.estimate += 0x1p64 / float64(-t.idle)
	}
	t.idle += s.params.changing(old) - s.params.changing(rank)
	s.raise(i, rank)
}

// changing is how many hashes change a register of value v.
func (p Params) changing(v uint8) uint64 { return 1 << (64 - p.Precision) >> v }

// Estimate is the estimated number of distinct keys. It changes nothing.
func (t *Martingale) Estimate() float64 { return t.estimate }

// Sketch is a copy of the registers as a Sketch, which can be merged and read by
// any other estimator.
func (t *Martingale) Sketch() *Sketch { return t.sketch.Clone() }

// Params returns the geometry.
func (t *Martingale) Params() Params { return t.sketch.params }

// Hash is the hash function.
func (t *Martingale) Hash() hashing.Hasher { return t.sketch.params.Hash }

// Precision is p.
func (t *Martingale) Precision() int { return t.sketch.params.Precision }

// M is the number of registers, 2^p.
func (t *Martingale) M() int { return t.sketch.M() }

// Register returns the value of register i, 0 to 65 - p, for i below M.
func (t *Martingale) Register(i int) uint8 { return t.sketch.Register(i) }

// SizeBytes is the size of the registers and of the estimate in bytes.
func (t *Martingale) SizeBytes() int { return t.sketch.SizeBytes() + 8 }

// Clone returns an independent copy.
func (t *Martingale) Clone() *Martingale {
	return &Martingale{sketch: *t.sketch.Clone(), idle: t.idle, estimate: t.estimate}
}

// Equal reports whether both have the same parameters, registers and estimate.
func (t *Martingale) Equal(u *Martingale) bool {
	return t.estimate == u.estimate && t.sketch.Equal(&u.sketch)
}

// Reset forgets all keys.
func (t *Martingale) Reset() {
	t.sketch.Reset()
	t.idle, t.estimate = 0, 0
}

// count sets idle by the registers.
func (t *Martingale) count() {
	s := &t.sketch
	t.idle = 0
	for v, c := range s.hist {
		if c != 0 {
			t.idle -= uint64(c) * s.params.changing(uint8(v)) // from 2^64, which is 0
		}
	}
}

// possible reports whether the registers and the estimate can belong together:
// every register that is not empty was worth at least one key.
func (t *Martingale) possible() bool {
	s := &t.sketch
	used := float64(int32(s.M()) - s.hist[0])
	if used == 0 {
		return t.estimate == 0
	}
	return t.estimate >= used && !math.IsInf(t.estimate, 1)
}
