package ull

import (
	"bytes"
	"fmt"
	"math/bits"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/window"
)

// MinPrecision and MaxPrecision bound the precision p.
const (
	MinPrecision = 4
	MaxPrecision = 18
)

// Params are the geometry of a sketch.
type Params struct {
	// Precision is p, 4 to 18: there are m = 2^p registers of a byte.
	Precision int
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

func (p Params) check() error {
	if p.Precision < MinPrecision || p.Precision > MaxPrecision {
		return fmt.Errorf("ull: precision %d, allowed are %d to %d", p.Precision, MinPrecision, MaxPrecision)
	}
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("ull: %w", err)
	}
	return nil
}

func (p Params) window() window.Geometry {
	return window.Geometry{P: uint(p.Precision), T: shape.T, D: shape.D}
}

// A Sketch estimates the number of distinct keys. Its registers depend on the set
// of keys only, not on their order or how often they came. Reading from several
// goroutines at once is safe, writing is not. The zero value is only good for
// UnmarshalBinary.
type Sketch struct {
	params Params
	// A register is 4u + b: u is the greatest value that it was given, and the two
	// bits b say whether u-1 and u-2 were given too.
	regs []byte
	// tally is what the likelihood needs to know of the registers. It is kept up by
	// additions. After a merge, which may change all registers, stale says that it
	// is not to be used; the next change sets it right. Readers never write it.
	tally window.Tally
	stale bool
	// scale is 2^p and up 64 - p, for additions.
	scale uint64
	up    uint
}

var (
	_ sketchproof.Cardinality      = (*Sketch)(nil)
	_ sketchproof.BytesCardinality = (*Sketch)(nil)
	_ sketchproof.HashCardinality  = (*Sketch)(nil)
	_ sketchproof.Merger[*Sketch]  = (*Sketch)(nil)
	_ sketchproof.BatchAdder       = (*Sketch)(nil)
	_ sketchproof.HashBatchAdder   = (*Sketch)(nil)
	_ sketchproof.BytesBatchAdder  = (*Sketch)(nil)
)

// New returns an empty sketch. Its error says which values are allowed.
func New(p Params) (*Sketch, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return over(p, make([]byte, 1<<p.Precision)), nil
}

// over is a sketch over registers, its tally not set.
func over(p Params, regs []byte) *Sketch {
	return &Sketch{params: p, regs: regs, scale: 1 << p.Precision, up: uint(64 - p.Precision)}
}

// Add takes in key.
func (s *Sketch) Add(key uint64) { s.AddHash(s.params.Hash.Uint64(key)) }

// AddBytes takes in a byte string. A number may be the same key as its eight bytes: do not mix the two. The
// slice is not kept.
func (s *Sketch) AddBytes(key []byte) { s.AddHash(s.params.Hash.Bytes(key)) }

// AddHash takes in a key by its well-mixed 64-bit hash: the first p bits are the
// register, and the leading zeros of the other 64 - p, plus one, the value that
// it is given, 1 to 65 - p. That is how impl/hll cuts a hash.
//
// Most hashes change nothing. The test for it is small enough to be inlined.
func (s *Sketch) AddHash(hash uint64) {
	if hash*s.scale <= ceiling[s.regs[hash>>(s.up&63)]] {
		s.take(hash)
	}
}

// ceiling[r] is the greatest of the bits after the index, in the high bits of a
// word, that may change register r: those of the least value not yet given, of the
// window or above it.
var ceiling = func() (t [256]uint64) {
	for r := range t {
		u := r >> 2
		least := u + 1
		if u > 1 && r&2 == 0 {
			least = u - 1
		}
		if u > 2 && r&1 == 0 {
			least = u - 2
		}
		t[r] = 1<<(65-least) - 1 // all ones for 1
	}
	return t
}()

// take is AddHash without the short cut.
func (s *Sketch) take(hash uint64) {
	if i, rank := cut(hash, uint(s.params.Precision)); !told(s.regs[i], rank) {
		s.give(i, rank)
	}
}

// cut is the register and the value of a hash.
func cut(hash uint64, p uint) (i uint64, rank uint) {
	// The masks tell the compiler that shifts are under 64; -p & 63 is 64 - p.
	return hash >> (-p & 63), uint(bits.LeadingZeros64(hash<<(p&63)|1<<((p-1)&63))) + 1
}

// told reports whether a register would not change by being given rank: bit v + 2
// of what is shifted tells that of the value v. Those under the window count as
// given.
func told(r byte, rank uint) bool {
	u := uint(r>>2) & 63
	given := uint64(4|r&3)<<u | (1<<u - 1)
	return given>>((rank+2)&63)&1 != 0
}

// give gives register i a value that changes it.
func (s *Sketch) give(i uint64, rank uint) {
	if s.stale {
		s.tally = s.count()
		s.stale = false
	}
	s.regs[i] = byte(s.tally.GiveWithoutBranch(uint(s.params.Precision), uint64(s.regs[i]), uint64(rank)))
}

// count looks at every register.
func (s *Sketch) count() window.Tally {
	var t window.Tally
	g := s.params.window()
	var histogram [256]uint32
	for _, r := range s.regs {
		histogram[r]++
	}
	for r, n := range histogram {
		if n > 0 {
			t.CountMany(g, uint64(r), n)
		}
	}
	return t
}

// Register returns register i for i below M: the greatest value, and whether those
// one and two under it were given.
func (s *Sketch) Register(i int) (greatest uint8, one, two bool) {
	r := s.regs[i]
	return r >> 2, r&2 != 0, r&1 != 0
}

// Params returns the geometry.
func (s *Sketch) Params() Params { return s.params }

// Hash is the hash function.
func (s *Sketch) Hash() hashing.Hasher { return s.params.Hash }

// Precision is p.
func (s *Sketch) Precision() int { return s.params.Precision }

// M is the number of registers, 2^p.
func (s *Sketch) M() int { return 1 << s.params.Precision }

// SizeBytes is the size of the registers in bytes. A tally of 264 bytes, whatever
// the precision, is kept beside them.
func (s *Sketch) SizeBytes() int { return len(s.regs) }

// Clone returns an independent copy.
func (s *Sketch) Clone() *Sketch {
	t := *s
	t.regs = bytes.Clone(s.regs)
	return &t
}

// Equal reports whether both have the same precision, hash function and registers.
func (s *Sketch) Equal(t *Sketch) bool {
	return s.params == t.params && bytes.Equal(s.regs, t.regs)
}

// Reset forgets all keys.
func (s *Sketch) Reset() {
	clear(s.regs)
	s.tally, s.stale = window.Tally{}, false
}

// ErrMismatch is returned, wrapped with the difference, for two sketches that were not
// built alike. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

// Merge takes in the keys of other, which is left as it is: the registers become
// those of the union. It returns ErrMismatch with the difference, and
// changes nothing, when precision or hash function differ.
func (s *Sketch) Merge(other *Sketch) error {
	if a, b := s.Precision(), other.Precision(); a != b {
		return fmt.Errorf("ull: %w: precision %d and %d: Reduce the greater", ErrMismatch, a, b)
	}
	if a, b := s.params.Hash, other.params.Hash; a != b {
		return fmt.Errorf("ull: %w: hash function %v and another, %v", ErrMismatch, a, b)
	}
	for i, r := range other.regs {
		s.regs[i] = union(s.regs[i], r)
	}
	s.stale = true
	return nil
}

// union is the register of all that two were given. A register is taken apart
// into bits, bit v + 2 for the value v; the values under 1 do not exist.
func union(a, b byte) byte {
	given := uint64(4|a&3)<<(a>>2&63) | uint64(4|b&3)<<(b>>2&63)
	u := uint(61 - bits.LeadingZeros64(given))
	return byte(u<<2) | byte(given&^7>>(u&63))&3
}

// Reduce returns the sketch of the same keys with a smaller precision.
func (s *Sketch) Reduce(precision int) (*Sketch, error) {
	if precision > s.Precision() {
		return nil, fmt.Errorf("ull: reduction of precision %d to %d, which is greater", s.Precision(), precision)
	}
	p := s.params
	p.Precision = precision
	t, err := New(p)
	if err != nil {
		return nil, err
	}
	g := p.window()
	drop := uint(s.Precision() - precision)
	for i, r := range s.regs {
		// The bits of i that are left over stand before those that the values of r
		// count: where one of them is set, it ends the run of zeros.
		rest := uint64(i) & (1<<drop - 1)
		into := uint64(t.regs[i>>drop])
		switch {
		case r == 0:
		case rest != 0:
			into = g.Given(into, uint64(drop)-uint64(bits.Len64(rest))+1)
		default:
			into = g.Union(into, uint64(r)+uint64(drop)<<2)
		}
		t.regs[i>>drop] = byte(into)
	}
	t.tally = t.count()
	return t, nil
}
