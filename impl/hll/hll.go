package hll

import (
	"bytes"
	"fmt"
	"math/bits"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// MinPrecision and MaxPrecision bound the precision p.
const (
	MinPrecision = 4
	MaxPrecision = 18
)

// Registers says how registers are laid out. It changes memory and speed, never
// an answer.
type Registers uint8

const (
	// Bytes8 takes a byte for a register: the fast form.
	Bytes8 Registers = iota
	// Packed6 takes six bits, four registers in three bytes.
	Packed6
)

func (r Registers) String() string {
	switch r {
	case Bytes8:
		return "8-bit"
	case Packed6:
		return "6-bit"
	default:
		return fmt.Sprintf("unknown register form %d", uint8(r))
	}
}

// bytes is the memory for m registers.
func (r Registers) bytes(m int) int {
	if r == Packed6 {
		return m / 4 * 3
	}
	return m
}

// Params are the geometry of a sketch.
type Params struct {
	// Precision is p, 4 to 18: there are m = 2^p registers.
	Precision int
	// Registers is their form, Bytes8 unless set.
	Registers Registers
	// Hash is the function that keys are mixed with.
	Hash hashing.Hasher
}

func (p Params) check() error {
	if p.Precision < MinPrecision || p.Precision > MaxPrecision {
		return fmt.Errorf("hll: precision %d, allowed are %d to %d", p.Precision, MinPrecision, MaxPrecision)
	}
	if p.Registers > Packed6 {
		return fmt.Errorf("hll: %v, allowed are Bytes8 and Packed6", p.Registers)
	}
	if family, _, _ := p.Hash.Parts(); !family.Valid() {
		return fmt.Errorf("hll: Hash is the zero Hasher: use hashing.New")
	}
	return nil
}

// A Sketch estimates the number of distinct keys. Its registers depend on the
// set of keys only, not on their order or how often they came. Reading from
// several goroutines at once is safe, writing is not. The zero value is only
// good for UnmarshalBinary.
type Sketch struct {
	params Params
	regs   []byte
	// hist[k] counts the registers of value k, so that an estimate need not look
	// at them all. It is kept up by additions, which change few registers. After
	// a merge, which may change them all, stale says that it is not to be used;
	// the next change of a register sets it right. Readers never write it.
	hist  histogram
	stale bool
}

var (
	_ sketchproof.Cardinality      = (*Sketch)(nil)
	_ sketchproof.BytesCardinality = (*Sketch)(nil)
	_ sketchproof.HashCardinality  = (*Sketch)(nil)
	_ sketchproof.Merger[*Sketch]  = (*Sketch)(nil)
)

// New returns an empty sketch. Its error says which values are allowed.
func New(p Params) (*Sketch, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	s := &Sketch{params: p, regs: make([]byte, p.Registers.bytes(1<<p.Precision))}
	s.hist[0] = int32(s.M())
	return s, nil
}

// Add takes in key.
func (s *Sketch) Add(key uint64) { s.AddHash(s.params.Hash.Uint64(key)) }

// AddBytes takes in a byte string. Bytes and numbers are different keys. The
// slice is not kept.
func (s *Sketch) AddBytes(key []byte) { s.AddHash(s.params.Hash.Bytes(key)) }

// AddHash takes in a key by its well-mixed 64-bit hash: the first p bits are the
// register, and the leading zeros of the other 64 - p, plus one, the value that
// it must have at least. So values are 0 (no key) to 65 - p.
func (s *Sketch) AddHash(hash uint64) {
	// The masks tell the compiler that shifts are under 64; -p & 63 is 64 - p.
	p := uint(s.params.Precision)
	i := hash >> (-p & 63)
	rank := uint8(bits.LeadingZeros64(hash<<(p&63)|1<<((p-1)&63))) + 1
	if rank > s.Register(int(i)) {
		s.raise(i, rank)
	}
}

// raise sets register i, which is less, to rank.
func (s *Sketch) raise(i uint64, rank uint8) {
	old := s.Register(int(i))
	if s.stale {
		s.hist = s.count()
		s.stale = false
	}
	s.hist[old&63]--
	s.hist[rank&63]++
	if s.params.Registers == Packed6 {
		setPacked(s.regs, i, rank)
	} else {
		s.regs[i] = rank
	}
}

// Register returns the value of register i, 0 to 65 - p, for i below M.
func (s *Sketch) Register(i int) uint8 {
	if s.params.Registers == Packed6 {
		return packedAt(s.regs, uint64(i))
	}
	return s.regs[i]
}

// Params returns the geometry.
func (s *Sketch) Params() Params { return s.params }

// Precision is p.
func (s *Sketch) Precision() int { return s.params.Precision }

// M is the number of registers, 2^p.
func (s *Sketch) M() int { return 1 << s.params.Precision }

// SizeBytes is the size of the registers in bytes. A histogram of 256 bytes,
// whatever the precision, is kept beside them.
func (s *Sketch) SizeBytes() int { return len(s.regs) }

// Clone returns an independent copy.
func (s *Sketch) Clone() *Sketch {
	t := *s
	t.regs = bytes.Clone(s.regs)
	return &t
}

// Equal reports whether both have the same precision, register form, hash
// function and registers.
func (s *Sketch) Equal(t *Sketch) bool {
	return s.params == t.params && bytes.Equal(s.regs, t.regs)
}

// Reset forgets all keys.
func (s *Sketch) Reset() {
	clear(s.regs)
	s.hist = histogram{0: int32(s.M())}
	s.stale = false
}

// Merge takes in the keys of other, which is left as it is: every register
// becomes the larger of the two. It returns an error that names the difference,
// and changes nothing, when precision or hash function differ. The register
// forms may differ.
func (s *Sketch) Merge(other *Sketch) error {
	if a, b := s.Precision(), other.Precision(); a != b {
		return fmt.Errorf("hll: merge of precision %d with precision %d", a, b)
	}
	if a, b := s.params.Hash, other.params.Hash; a != b {
		return fmt.Errorf("hll: merge of hash function %v with another, %v", a, b)
	}
	if s.params.Registers == Bytes8 && other.params.Registers == Bytes8 {
		maxBytes(s.regs, other.regs)
		s.stale = true
		return nil
	}
	for i := range s.M() {
		if v := other.Register(i); v > s.Register(i) {
			s.raise(uint64(i), v)
		}
	}
	return nil
}
