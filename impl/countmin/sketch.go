package countmin

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A RowScheme is the way in which a key gets its column in each row. The
// number is part of the serialized form and is never re-used.
type RowScheme uint8

const (
	// Derived hashes a key once, stretches the hash to as many 64-bit words as
	// the columns need, by splitmix64, and takes the columns as the digits of
	// these words in base w. The rows act as independent functions. It is the
	// default, and the fast one.
	Derived RowScheme = 0
	// Independent hashes a key once per row, with r added to the seed, and
	// takes the remainder by the width: the rule behind printed figures.
	Independent RowScheme = 1
)

func (r RowScheme) String() string {
	switch r {
	case Derived:
		return "derived"
	case Independent:
		return "independent"
	default:
		return fmt.Sprintf("unknown row scheme %d", uint8(r))
	}
}

// MaxDepth is the largest number of rows: e^-64 is below any chance of failure
// that could be observed.
const MaxDepth = 64

// MaxTableBytes is the largest table that New makes: 16 GiB.
const MaxTableBytes uint64 = 1 << 34

// Params says how to build a Sketch.
type Params struct {
	// Width is the number of counters in a row, at least 1.
	Width int
	// Depth is the number of rows, from 1 to MaxDepth.
	Depth int
	// Rows is the row scheme; the zero value is Derived.
	Rows RowScheme
	// Conservative turns on conservative update.
	Conservative bool
	// CellBits is the size of a counter, 64 or 32; 0 stands for 64.
	CellBits int
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

// A Sketch is a count-min table. Make one with New or UnmarshalBinary: the
// zero value has no rows. Methods that change nothing may run at the same time
// as each other, but not while another method changes the sketch.
//
// Weights have 64 bits; counters have 64 or 32 and stop at the largest number
// they hold (see Saturated).
type Sketch struct {
	width, depth uint64
	span         uint64   // counters in the rows that one word serves
	cells        []uint64 // depth rows of width counters, one after the other
	narrow       []uint32 // the same of 32 bits, in place of cells
	total        uint64   // never below any counter: see addTotal
	hash         hashing.Hasher
	rows         RowScheme
	conservative bool
}

// New returns an empty sketch. It refuses parameters out of range, and a table
// above MaxTableBytes before it allocates any of it.
func New(p Params) (*Sketch, error) {
	if p.Width < 1 {
		return nil, fmt.Errorf("countmin: width %d, must be at least 1", p.Width)
	}
	if p.Depth < 1 || p.Depth > MaxDepth {
		return nil, fmt.Errorf("countmin: depth %d, must be from 1 to %d", p.Depth, MaxDepth)
	}
	if err := checkScheme(p.Rows, p.Hash); err != nil {
		return nil, err
	}
	if p.CellBits != 0 && p.CellBits != 32 && p.CellBits != 64 {
		return nil, fmt.Errorf("countmin: counters of %d bits, must be 64 or 32", p.CellBits)
	}
	w, d := uint64(p.Width), uint64(p.Depth)
	s := &Sketch{width: w, depth: d, hash: p.Hash, rows: p.Rows, conservative: p.Conservative}
	if err := checkTable(w, d, cellBytes(p.CellBits == 32)); err != nil {
		return nil, err
	}
	s.span = w * rowsPerWord(w, d)
	if p.CellBits == 32 {
		s.narrow = make([]uint32, w*d)
	} else {
		s.cells = make([]uint64, w*d)
	}
	return s, nil
}

func cellBytes(narrow bool) uint64 {
	if narrow {
		return 4
	}
	return 8
}

func checkScheme(r RowScheme, h hashing.Hasher) error {
	if r != Derived && r != Independent {
		return fmt.Errorf("countmin: %v, must be Derived or Independent", r)
	}
	if err := h.Check(); err != nil {
		return fmt.Errorf("countmin: %w", err)
	}
	return nil
}

// checkTable refuses tables that are too large, naming the bytes asked for.
func checkTable(w, d, size uint64) error {
	hi, cells := bits.Mul64(w, d)
	if hi != 0 || cells > MaxTableBytes/size || cells > uint64(math.MaxInt)/size {
		return fmt.Errorf("countmin: %d x %d counters take %.0f bytes, at most %d are allowed",
			d, w, float64(size)*float64(w)*float64(d), min(MaxTableBytes, uint64(math.MaxInt)))
	}
	return nil
}

// Width is the number of counters in a row, w.
func (s *Sketch) Width() int { return int(s.width) }

// Depth is the number of rows, d.
func (s *Sketch) Depth() int { return int(s.depth) }

// Rows is the row scheme.
func (s *Sketch) Rows() RowScheme { return s.rows }

// Conservative reports whether the sketch uses conservative update.
func (s *Sketch) Conservative() bool { return s.conservative }

// Hash is the hash function.
func (s *Sketch) Hash() hashing.Hasher { return s.hash }

// Params are what New makes an empty sketch like this one of, CellBits put in.
func (s *Sketch) Params() Params {
	return Params{
		Width: s.Width(), Depth: s.Depth(), Rows: s.rows,
		Conservative: s.conservative, CellBits: s.CellBits(), Hash: s.hash,
	}
}

// CellBits is the size of a counter, 64 or 32.
func (s *Sketch) CellBits() int { return int(8 * cellBytes(s.narrow != nil)) }

// SizeBytes is the size of the table in bytes: 8 for each counter, or 4.
func (s *Sketch) SizeBytes() int { return 8*len(s.cells) + 4*len(s.narrow) }

// Total is N, the sum of all weights added, or math.MaxUint64 if the sum is
// larger.
func (s *Sketch) Total() uint64 { return s.total }

// Saturated reports whether the weights added reach the largest number that a
// counter holds, math.MaxUint64 or math.MaxUint32, together. From then on a counter
// may have stopped there. A key whose counters all have is estimated by Total(),
// and a total of math.MaxUint64 means that much or more.
func (s *Sketch) Saturated() bool { return s.total >= s.limit() }

// limit is the largest number that a counter holds.
func (s *Sketch) limit() uint64 {
	if s.narrow != nil {
		return math.MaxUint32
	}
	return math.MaxUint64
}

// Row returns a copy of the counters of row r. It panics unless r is from 0 to
// Depth()-1.
func (s *Sketch) Row(r int) []uint64 {
	s.mustHaveRow(r)
	row := make([]uint64, s.width)
	for i := range row {
		row[i] = s.cell(uint64(r)*s.width + uint64(i))
	}
	return row
}

func (s *Sketch) mustHaveRow(r int) {
	if r < 0 || uint64(r) >= s.depth {
		panic(fmt.Sprintf("countmin: row %d of a sketch with %d rows", r, s.depth))
	}
}

// Clone returns a sketch with the same contents that shares nothing with s.
func (s *Sketch) Clone() *Sketch {
	c := *s
	c.cells, c.narrow = slices.Clone(s.cells), slices.Clone(s.narrow)
	return &c
}

// Equal reports whether both sketches were built alike and hold the same
// counters and total.
func (s *Sketch) Equal(other *Sketch) bool {
	return s.alike(other) == nil && s.total == other.total && slices.Equal(s.cells, other.cells) &&
		slices.Equal(s.narrow, other.narrow)
}

// Reset empties the sketch and keeps its geometry and hash function.
func (s *Sketch) Reset() {
	clear(s.cells)
	clear(s.narrow)
	s.total = 0
}

// Merge adds the table of other, which it leaves unchanged: afterwards s is the
// sketch of both streams, bit for bit. It returns an error that names the
// difference, and changes nothing, when the two were not built alike, or when
// they use conservative update: how far a counter is raised then depends on
// the order of the stream, and a sum of tables is the sketch of no stream.
func (s *Sketch) Merge(other *Sketch) error {
	if err := s.alike(other); err != nil {
		return fmt.Errorf("countmin: %w: %w", ErrMismatch, err)
	}
	if s.conservative {
		return fmt.Errorf("countmin: cannot merge sketches with conservative update")
	}
	for i, c := range other.cells {
		s.cells[i] = addSaturating(s.cells[i], c)
	}
	for i, c := range other.narrow {
		s.narrow[i] = addSaturating(s.narrow[i], c)
	}
	s.total = addSaturating(s.total, other.total)
	return nil
}

// ErrMismatch is returned, wrapped with the difference, for two sketches that were not
// built alike. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

// alike returns an error that names the first difference in what was built.
func (s *Sketch) alike(other *Sketch) error {
	switch {
	case s.width != other.width:
		return fmt.Errorf("width %d against %d", s.width, other.width)
	case s.depth != other.depth:
		return fmt.Errorf("depth %d against %d", s.depth, other.depth)
	case s.CellBits() != other.CellBits():
		return fmt.Errorf("counters of %d bits against %d", s.CellBits(), other.CellBits())
	case s.rows != other.rows:
		return fmt.Errorf("row scheme %v against %v", s.rows, other.rows)
	case s.conservative != other.conservative:
		return fmt.Errorf("conservative update %t against %t", s.conservative, other.conservative)
	case s.hash != other.hash:
		return fmt.Errorf("hash function %v against another, %v", s.hash, other.hash)
	default:
		return nil
	}
}
