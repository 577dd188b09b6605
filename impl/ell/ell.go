package ell

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/window"
)

// MinPrecision and MaxPrecision bound the precision p, MaxT and MaxD the bits t
// and d.
const (
	MinPrecision = 4
	MaxPrecision = 18
	MaxT         = 3
	MaxD         = 40
)

// Params are the geometry of a sketch.
type Params struct {
	// Precision is p, 4 to 18: there are m = 2^p registers of 6 + T + D bits.
	Precision int
	// T, 0 to 3, splits every number of leading zeros into 2^T values.
	T int
	// D, 0 to 40, is how many values under the greatest a register knows of.
	D int
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

// Standard is the geometry that Ertl 2024 settles on, t = 2 and d = 20.
func Standard(precision int, hash hashing.Hasher) Params {
	return Params{Precision: precision, T: 2, D: 20, Hash: hash}
}

func (p Params) check() error {
	if p.Precision < MinPrecision || p.Precision > MaxPrecision {
		return fmt.Errorf("ell: precision %d, allowed are %d to %d", p.Precision, MinPrecision, MaxPrecision)
	}
	if p.T < 0 || p.T > MaxT {
		return fmt.Errorf("ell: T %d, allowed are 0 to %d", p.T, MaxT)
	}
	if p.D < 0 || p.D > MaxD {
		return fmt.Errorf("ell: D %d, allowed are 0 to %d", p.D, MaxD)
	}
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("ell: %w", err)
	}
	return nil
}

func (p Params) window() window.Geometry {
	return window.Geometry{P: uint(p.Precision), T: uint(p.T), D: uint(p.D)}
}

func (p Params) shape() window.Shape { return p.window().Shape() }

// bytes is the size of the registers, one after the other without gaps.
func (p Params) bytes() int { return int(p.window().Bits()) << p.Precision / 8 }

// slack follows the registers in memory, so that each lies in a word of eight
// bytes. It is always zero.
const slack = 7

// A Sketch estimates the number of distinct keys. Its registers depend on the set
// of keys only, not on their order or how often they came. Reading from several
// goroutines at once is safe, writing is not. The zero value is only good for
// UnmarshalBinary.
type Sketch struct {
	params Params
	geo    window.Geometry
	// Register i is the bits from i times its size on, little endian: the greatest
	// value times 2^D, plus 2^(D-j) where the value j under it was given too.
	regs []byte
	// tally is what the likelihood needs to know of the registers. It is kept up by
	// additions. After a merge, which may change all registers, stale says that it
	// is not to be used; the next change sets it right. Readers never write it.
	tally window.Tally
	stale bool
	// size is that of a register in bits, and floor[u] the greatest of the bits
	// after the index, in the high bits of a word, that may change a register whose
	// greatest value is u: values under the window change nothing.
	size  uint64
	floor []uint64
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
	return over(p, make([]byte, p.bytes()+slack)), nil
}

// over is a sketch over registers and slack, its tally not set.
func over(p Params, regs []byte) *Sketch {
	g := p.window()
	return &Sketch{params: p, geo: g, regs: regs, size: uint64(g.Bits()), floor: floors[p.T][p.D]()}
}

// floors[t][d] are computed once and for all sketches.
var floors = func() (all [MaxT + 1][MaxD + 1]func() []uint64) {
	for t := range all {
		for d := range all[t] {
			all[t][d] = sync.OnceValue(func() []uint64 {
				f := make([]uint64, 64<<t)
				for u := range f {
					zeros := max(0, u-d-1) >> t // of the value u - d
					f[u] = 1<<(64-zeros) - 1
				}
				return f
			})
		}
	}
	return all
}()

// Add takes in key.
func (s *Sketch) Add(key uint64) { s.AddHash(s.params.Hash.Uint64(key)) }

// AddBytes takes in a byte string. A number may be the same key as its eight bytes: do not mix the two. The
// slice is not kept.
func (s *Sketch) AddBytes(key []byte) { s.AddHash(s.params.Hash.Bytes(key)) }

// AddHash takes in a key by its well-mixed 64-bit hash, which is cut in three: the
// first p bits are the register; the last t bits are a number r, 0 to 2^t - 1; z,
// 0 to 64-p-t, is how many zeros lead the 64-p-t bits between them. The register
// is given the value z 2^t + r + 1. With t = 0 that is how impl/hll and impl/ull
// cut a hash.
func (s *Sketch) AddHash(hash uint64) {
	if i := hash >> (-s.geo.P & 63); hash<<(s.geo.P&63) <= s.floor[s.register(i)>>(s.geo.D&63)] {
		s.take(hash)
	}
}

// take is AddHash without the short cut.
func (s *Sketch) take(hash uint64) {
	i, value := cut(hash, s.geo.P, s.geo.T)
	if r := s.register(i); !s.told(r, value) {
		s.give(i, r, value)
	}
}

// cut is the register and the value of a hash. The masks tell the compiler that
// shifts are under 64; -p & 63 is 64 - p.
func cut(hash uint64, p, t uint) (i, value uint64) {
	zeros := uint64(bits.LeadingZeros64(hash<<(p&63) | 1<<((p+t-1)&63)))
	return hash >> (-p & 63), zeros<<(t&63) + hash&(1<<(t&63)-1) + 1
}

// told reports whether a register would not change by being given the value.
func (s *Sketch) told(r, value uint64) bool {
	d := s.geo.D & 63
	marks := r&(1<<d-1) | 1<<d
	// Where the value has its mark; under the window it has none and tells nothing.
	at := int(value) + int(d) - int(r>>d)
	return at < 0 || marks>>uint(at)&1 != 0
}

// register is the bits of register i.
func (s *Sketch) register(i uint64) uint64 {
	at := i * s.size
	return binary.LittleEndian.Uint64(s.regs[at>>3:]) >> (at & 7) & (1<<(s.size&63) - 1)
}

func (s *Sketch) setRegister(i, r uint64) {
	at := i * s.size
	b := s.regs[at>>3 : at>>3+8]
	old := binary.LittleEndian.Uint64(b)
	mask := uint64(1<<(s.size&63)-1) << (at & 7)
	binary.LittleEndian.PutUint64(b, old&^mask|r<<(at&7))
}

// give gives register i, which is old, a value that changes it.
func (s *Sketch) give(i, old, value uint64) {
	if s.stale {
		s.tally = s.count()
		s.stale = false
	}
	s.tally.Give(s.geo, old, value)
	s.setRegister(i, s.geo.Given(old, value))
}

// count looks at every register.
func (s *Sketch) count() window.Tally {
	var t window.Tally
	for i := range uint64(s.M()) {
		t.Count(s.geo, s.register(i))
	}
	return t
}

// Register returns register i for i below M: the greatest value u it was given, 0
// for none, and marks of D bits, of which bit D-j says whether u-j was given.
func (s *Sketch) Register(i int) (greatest int, marks uint64) {
	r := s.register(uint64(i))
	return int(r >> s.geo.D), r & (1<<s.geo.D - 1)
}

// Params returns the geometry.
func (s *Sketch) Params() Params { return s.params }

// Hash is the hash function.
func (s *Sketch) Hash() hashing.Hasher { return s.params.Hash }

// Precision is p.
func (s *Sketch) Precision() int { return s.params.Precision }

// M is the number of registers, 2^p.
func (s *Sketch) M() int { return 1 << s.params.Precision }

// RegisterBits is the size of a register, in memory as in the serialized form:
// 6 + T + D bits.
func (s *Sketch) RegisterBits() int { return int(s.geo.Bits()) }

// SizeBytes is the size of the packed registers in bytes, which is also what is
// written of them. Seven bytes of slack and a tally of 264 bytes, whatever the
// precision, are kept beside them.
func (s *Sketch) SizeBytes() int { return s.params.bytes() }

// Clone returns an independent copy.
func (s *Sketch) Clone() *Sketch {
	t := *s
	t.regs = bytes.Clone(s.regs)
	return &t
}

// Equal reports whether both have the same geometry, hash function and registers.
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
// changes nothing, when geometry or hash function differ.
func (s *Sketch) Merge(other *Sketch) error {
	if a, b := s.Precision(), other.Precision(); a != b {
		return fmt.Errorf("ell: %w: precision %d and %d", ErrMismatch, a, b)
	}
	if a, b := s.geo, other.geo; a != b {
		return fmt.Errorf("ell: %w: t = %d, d = %d and t = %d, d = %d", ErrMismatch, a.T, a.D, b.T, b.D)
	}
	if a, b := s.params.Hash, other.params.Hash; a != b {
		return fmt.Errorf("ell: %w: hash function %v and another, %v", ErrMismatch, a, b)
	}
	for i := range uint64(s.M()) {
		if a, b := s.register(i), other.register(i); a != b {
			s.setRegister(i, s.geo.Union(a, b))
		}
	}
	s.stale = true
	return nil
}
