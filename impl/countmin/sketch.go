package countmin

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

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
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

// A Sketch is a count-min table. Make one with New or UnmarshalBinary: the
// zero value has no rows. Methods that change nothing may run at the same time
// as each other, but not while another method changes the sketch.
//
// Weights and counters have 64 bits and stop at math.MaxUint64 (see Saturated).
type Sketch struct {
	width, depth uint64
	span         uint64   // counters in the rows that one word serves
	cells        []uint64 // depth rows of width counters, one after the other
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
	w, d := uint64(p.Width), uint64(p.Depth)
	if err := checkTable(w, d); err != nil {
		return nil, err
	}
	return &Sketch{
		width: w, depth: d, span: w * rowsPerWord(w, d), cells: make([]uint64, w*d),
		hash: p.Hash, rows: p.Rows, conservative: p.Conservative,
	}, nil
}

func checkScheme(r RowScheme, h hashing.Hasher) error {
	if r != Derived && r != Independent {
		return fmt.Errorf("countmin: %v, must be Derived or Independent", r)
	}
	if !h.Family().Valid() {
		return fmt.Errorf("countmin: %w: %d", hashing.ErrFamily, h.Family())
	}
	return nil
}

// checkTable refuses tables that are too large, naming the bytes asked for.
func checkTable(w, d uint64) error {
	hi, cells := bits.Mul64(w, d)
	if hi != 0 || cells > MaxTableBytes/8 || cells > uint64(math.MaxInt)/8 {
		return fmt.Errorf("countmin: %d x %d counters take %.0f bytes, at most %d are allowed",
			d, w, 8*float64(w)*float64(d), min(MaxTableBytes, uint64(math.MaxInt)))
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

// Hash is the hash function of the sketch.
func (s *Sketch) Hash() hashing.Hasher { return s.hash }

// SizeBytes is the size of the table in bytes: 8 for each counter.
func (s *Sketch) SizeBytes() int { return 8 * len(s.cells) }

// Total is N, the sum of all weights added, or math.MaxUint64 if the sum is
// larger.
func (s *Sketch) Total() uint64 { return s.total }

// Saturated reports whether the weights added reach math.MaxUint64 together.
// From then on a counter may have stopped at math.MaxUint64, and an estimate
// of math.MaxUint64 means that much or more.
func (s *Sketch) Saturated() bool { return s.total == math.MaxUint64 }

// Row returns a copy of the counters of row r. It panics unless r is from 0 to
// Depth()-1.
func (s *Sketch) Row(r int) []uint64 {
	s.mustHaveRow(r)
	return slices.Clone(s.cells[uint64(r)*s.width : (uint64(r)+1)*s.width])
}

func (s *Sketch) mustHaveRow(r int) {
	if r < 0 || uint64(r) >= s.depth {
		panic(fmt.Sprintf("countmin: row %d of a sketch with %d rows", r, s.depth))
	}
}

// Clone returns a sketch with the same contents that shares nothing with s.
func (s *Sketch) Clone() *Sketch {
	c := *s
	c.cells = slices.Clone(s.cells)
	return &c
}

// Equal reports whether both sketches were built alike and hold the same
// counters and total.
func (s *Sketch) Equal(other *Sketch) bool {
	return s.alike(other) == nil && s.total == other.total && slices.Equal(s.cells, other.cells)
}

// Reset empties the sketch and keeps its geometry and hash function.
func (s *Sketch) Reset() {
	clear(s.cells)
	s.total = 0
}

// Merge adds the table of other, which it leaves unchanged: afterwards s is the
// sketch of both streams, bit for bit. It returns an error that names the
// difference, and changes nothing, when the two were not built alike, or when
// they use conservative update: how far a counter is raised then depends on
// the order of the stream, and a sum of tables is the sketch of no stream.
func (s *Sketch) Merge(other *Sketch) error {
	if err := s.alike(other); err != nil {
		return fmt.Errorf("countmin: cannot merge: %w", err)
	}
	if s.conservative {
		return fmt.Errorf("countmin: cannot merge sketches with conservative update")
	}
	for i, c := range other.cells {
		s.cells[i] = addSaturating(s.cells[i], c)
	}
	s.total = addSaturating(s.total, other.total)
	return nil
}

// alike returns an error that names the first difference in what was built.
func (s *Sketch) alike(other *Sketch) error {
	switch {
	case s.width != other.width:
		return fmt.Errorf("width %d against %d", s.width, other.width)
	case s.depth != other.depth:
		return fmt.Errorf("depth %d against %d", s.depth, other.depth)
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

func addSaturating(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return sum
}
