package hll

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// MinPrecision and MaxPrecision bound the precision p.
const (
	MinPrecision = 4
	MaxPrecision = 18
)

// Registers says how registers are laid out. It changes memory and speed, and
// with Params.Sparse how early registers take over, but no register.
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
	// Sparse starts with a set of hashes, cut to 32 bits, and turns to registers
	// when the set would take more memory than they do. Until then a sketch is
	// small, and Estimate exact to 5 in 10^5; see sparse.go.
	Sparse bool
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

func (p Params) check() error {
	if p.Precision < MinPrecision || p.Precision > MaxPrecision {
		return fmt.Errorf("hll: precision %d, allowed are %d to %d", p.Precision, MinPrecision, MaxPrecision)
	}
	if p.Registers > Packed6 {
		return fmt.Errorf("hll: %v, allowed are Bytes8 and Packed6", p.Registers)
	}
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("hll: %w", err)
	}
	return nil
}

// A Sketch estimates the number of distinct keys. Its registers depend on the
// set of keys only, not on their order or how often they came. Reading from
// several goroutines at once is safe, writing is not. The zero value is only
// good for UnmarshalBinary.
type Sketch struct {
	// hot, scale and up are what AddHash looks at: the registers, and what makes
	// a hash the bits after its index, and its index. See arm.
	hot   []byte
	scale uint64
	up    uint8
	stale bool // see hist

	params Params
	regs   []byte   // in the form of params, nil in the sparse form
	codes  *codeSet // nil but in the sparse form
	// hist[k] counts the registers of value k, so that an estimate need not look
	// at them all. It is kept up by additions, which change few registers. After
	// a merge, which may change them all, and in the sparse form, stale says that
	// it is not to be used; the next change of a register sets it right. Readers
	// never write it.
	hist histogram
}

var (
	_ sketchproof.Cardinality      = (*Sketch)(nil)
	_ sketchproof.BytesCardinality = (*Sketch)(nil)
	_ sketchproof.HashCardinality  = (*Sketch)(nil)
	_ sketchproof.Merger[*Sketch]  = (*Sketch)(nil)
	_ sketchproof.BatchAdder       = (*Sketch)(nil)
	_ sketchproof.BytesBatchAdder  = (*Sketch)(nil)
	_ sketchproof.HashBatchAdder   = (*Sketch)(nil)
)

// New returns an empty sketch. Its error says which values are allowed.
func New(p Params) (*Sketch, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	s := &Sketch{params: p}
	s.Reset()
	return s, nil
}

// nothing are registers that every hash changes.
var nothing = make([]byte, 2)

// arm sets what AddHash looks at. It follows every change of form. Without
// registers of eight bits, every hash is sent to take.
func (s *Sketch) arm() {
	if s.codes != nil || s.params.Registers != Bytes8 {
		s.hot, s.scale, s.up = nothing, 0, 63
		return
	}
	s.hot, s.scale, s.up = s.regs, 1<<s.params.Precision, uint8(64-s.params.Precision)
}

// ceiling[r] is the greatest 64 bits that start with r zeros: what comes after the
// index of a hash whose rank is above r.
var ceiling = func() (t [256]uint64) {
	for r := range 64 {
		t[r] = math.MaxUint64 >> r
	}
	return t
}()

// Add takes in key.
func (s *Sketch) Add(key uint64) { s.AddHash(s.params.Hash.Uint64(key)) }

// AddBytes takes in a byte string. A number may be the same key as its eight bytes: do not mix the two. The
// slice is not kept.
func (s *Sketch) AddBytes(key []byte) { s.AddHash(s.params.Hash.Bytes(key)) }

// AddHash takes in a key by its well-mixed 64-bit hash: the first p bits are the
// register, and the leading zeros of the other 64 - p, plus one, the value that
// it must have at least. So values are 0 (no key) to 65 - p.
//
// Most hashes change nothing. The test for it is small enough to be inlined.
func (s *Sketch) AddHash(hash uint64) {
	if hash*s.scale <= ceiling[s.hot[hash>>(s.up&63)]] {
		s.take(hash)
	}
}

// take is AddHash for whatever form and hash. For registers of eight bits it does
// itself what raise does, with less to ask.
func (s *Sketch) take(hash uint64) {
	if s.codes != nil {
		s.takeCode(codeOf(hash))
		return
	}
	i, rank := place(hash, uint(s.params.Precision))
	if s.scale == 0 || s.stale {
		if rank > s.Register(int(i)) {
			s.raise(i, rank)
		}
		return
	}
	register := &s.hot[i]
	if old := *register; rank > old {
		s.hist[old&63]--
		s.hist[rank&63]++
		*register = rank
	}
}

// place is the register of a hash and its rank.
func place(hash uint64, p uint) (i uint64, rank uint8) {
	// The masks tell the compiler that shifts are under 64; -p & 63 is 64 - p.
	return hash >> (-p & 63), uint8(bits.LeadingZeros64(hash<<(p&63)|1<<((p-1)&63))) + 1
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

// Register returns the value of register i, 0 to 65 - p, for i below M. In the
// sparse form it looks through the whole set.
func (s *Sketch) Register(i int) uint8 {
	if s.codes != nil {
		return s.codes.register(i, s.params.Precision)
	}
	if s.params.Registers == Packed6 {
		return packedAt(s.regs, uint64(i))
	}
	return s.regs[i]
}

// Params returns the geometry.
func (s *Sketch) Params() Params { return s.params }

// Hash is the hash function.
func (s *Sketch) Hash() hashing.Hasher { return s.params.Hash }

// Precision is p.
func (s *Sketch) Precision() int { return s.params.Precision }

// M is the number of registers, 2^p.
func (s *Sketch) M() int { return 1 << s.params.Precision }

// SizeBytes is the size of the registers, or of the table of the sparse form, in
// bytes. A histogram of 256 bytes, whatever the precision, is kept beside them.
func (s *Sketch) SizeBytes() int {
	if s.codes != nil {
		return 4 * len(s.codes.slots)
	}
	return len(s.regs)
}

// Clone returns an independent copy.
func (s *Sketch) Clone() *Sketch {
	t := *s
	t.regs = bytes.Clone(s.regs)
	if s.codes != nil {
		t.codes = s.codes.clone()
	}
	t.arm()
	return &t
}

// Equal reports whether both have the same parameters, are in the same form and
// hold the same registers, or the same set.
func (s *Sketch) Equal(t *Sketch) bool {
	if s.params != t.params || (s.codes == nil) != (t.codes == nil) {
		return false
	}
	if s.codes != nil {
		return s.codes.equal(t.codes)
	}
	return bytes.Equal(s.regs, t.regs)
}

// Reset forgets all keys. A sketch with Params.Sparse is sparse again.
func (s *Sketch) Reset() {
	if s.params.Sparse {
		s.startSparse()
		return
	}
	if s.regs == nil {
		s.regs = make([]byte, s.params.Registers.bytes(s.M()))
	}
	clear(s.regs)
	s.hist = histogram{0: int32(s.M())}
	s.stale = false
	s.arm()
}

// ErrMismatch is returned, wrapped with the difference, for two sketches that were not
// built alike. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

// Merge takes in the keys of other, which is left as it is: every register
// becomes the larger of the two. It returns ErrMismatch with the difference,
// and changes nothing, when precision or hash function differ; Reduce makes
// precisions alike. The forms may differ: two sparse sketches make a sparse one
// while their union is small enough, all others registers.
func (s *Sketch) Merge(other *Sketch) error {
	if a, b := s.Precision(), other.Precision(); a != b {
		return fmt.Errorf("hll: %w: precision %d and %d: Reduce the greater", ErrMismatch, a, b)
	}
	if a, b := s.params.Hash, other.params.Hash; a != b {
		return fmt.Errorf("hll: %w: hash function %v and another, %v", ErrMismatch, a, b)
	}
	if other.codes != nil {
		s.takeCodes(other.codes)
		return nil
	}
	if s.codes != nil {
		s.turnDense()
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
