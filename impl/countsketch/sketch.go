package countsketch

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var _ sketchproof.Merger[*Sketch] = (*Sketch)(nil)

// MaxDepth is the largest number of rows.
const MaxDepth = 63

// MaxTableBytes is the largest table that New makes: 16 GiB.
const MaxTableBytes uint64 = 1 << 34

// Params says how to build a Sketch.
type Params struct {
	// Width is the number of counters in a row, at least 1.
	Width int
	// Depth is the number of rows, odd, from 1 to MaxDepth: the median of an even
	// number is no row's.
	Depth int
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

// A Sketch is a table of signed counters. Make one with New or UnmarshalBinary:
// the zero value has no rows. Methods that change nothing may run at the same
// time as each other, but not while another method changes the sketch.
//
// Counters have 64 bits and stop at both ends (see Saturated).
type Sketch struct {
	width, depth uint64
	span         uint64  // counters in the rows that one word serves
	cells        []int64 // depth rows of width counters, one after the other
	total        uint64  // the sum of all |weights|: never below a counter's size
	hash         hashing.Hasher
}

// New returns an empty sketch. It refuses parameters out of range, and a table
// above MaxTableBytes before it allocates any of it.
func New(p Params) (*Sketch, error) {
	if p.Width < 1 {
		return nil, fmt.Errorf("countsketch: width %d, must be at least 1", p.Width)
	}
	if p.Depth < 1 || p.Depth > MaxDepth || p.Depth%2 == 0 {
		return nil, fmt.Errorf("countsketch: depth %d, must be odd and from 1 to %d", p.Depth, MaxDepth)
	}
	if err := p.Hash.Check(); err != nil {
		return nil, fmt.Errorf("countsketch: %w", err)
	}
	s, err := sized(uint64(p.Width), uint64(p.Depth), p.Hash)
	if err != nil {
		return nil, fmt.Errorf("countsketch: %w", err)
	}
	s.cells = make([]int64, s.width*s.depth)
	return s, nil
}

// sized is a sketch without its table. It refuses one that is too large, naming
// the bytes asked for.
func sized(w, d uint64, h hashing.Hasher) (*Sketch, error) {
	hi, cells := bits.Mul64(w, d)
	if hi != 0 || cells > MaxTableBytes/8 || cells > uint64(math.MaxInt)/8 {
		return nil, fmt.Errorf("%d x %d counters take %.0f bytes, at most %d are allowed",
			d, w, 8*float64(w)*float64(d), min(MaxTableBytes, uint64(math.MaxInt)))
	}
	return &Sketch{width: w, depth: d, span: w * rowsPerWord(w, d), hash: h}, nil
}

// rowsPerWord is the number of rows that one word serves, a number of the
// splitmix64 stream that starts at the key's hash: its digits in base 2w are the
// columns and signs of as many rows. See package countmin, which reads columns in
// base w, for what the bound of 2^58 keeps.
func rowsPerWord(w, d uint64) uint64 {
	const finest = 1 << 58
	rows, cells := uint64(1), 2*w
	for rows < d && cells <= finest/(2*w) {
		rows, cells = rows+1, cells*2*w
	}
	return rows
}

// Width is the number of counters in a row, w.
func (s *Sketch) Width() int { return int(s.width) }

// Depth is the number of rows, d.
func (s *Sketch) Depth() int { return int(s.depth) }

// Hash is the hash function.
func (s *Sketch) Hash() hashing.Hasher { return s.hash }

// Params are what New makes an empty sketch like this one of.
func (s *Sketch) Params() Params { return Params{Width: s.Width(), Depth: s.Depth(), Hash: s.hash} }

// SizeBytes is the size of the table in bytes: 8 for each counter.
func (s *Sketch) SizeBytes() int { return 8 * len(s.cells) }

// Total is the sum of the sizes of all weights added, whatever their sign, or
// math.MaxInt64 if the sum is larger.
func (s *Sketch) Total() uint64 { return s.total }

// Saturated reports whether the sizes of the weights add up to math.MaxInt64 or
// more. From then on a counter may have stopped at either end, and the laws of
// the sketch do not hold any more.
func (s *Sketch) Saturated() bool { return s.total == math.MaxInt64 }

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
// sketch of both streams, bit for bit unless it is saturated. It returns an error
// that names the difference, and changes nothing, when the two were not built
// alike.
func (s *Sketch) Merge(other *Sketch) error { return s.combine(other, 1) }

// Subtract is Merge with every weight of other negated: afterwards s is the
// sketch of what changed from other's stream to that of s.
func (s *Sketch) Subtract(other *Sketch) error { return s.combine(other, -1) }

func (s *Sketch) combine(other *Sketch, sign int64) error {
	if err := s.alike(other); err != nil {
		return fmt.Errorf("countsketch: %w: %w", ErrMismatch, err)
	}
	for i, c := range other.cells {
		s.cells[i] = plus(s.cells[i], sign*c) // no counter is math.MinInt64
	}
	s.total = min(s.total+other.total, math.MaxInt64)
	return nil
}

// ErrMismatch is returned, wrapped with the difference, for two sketches that were not
// built alike. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

func (s *Sketch) alike(other *Sketch) error {
	switch {
	case s.width != other.width:
		return fmt.Errorf("width %d against %d", s.width, other.width)
	case s.depth != other.depth:
		return fmt.Errorf("depth %d against %d", s.depth, other.depth)
	case s.hash != other.hash:
		return fmt.Errorf("hash function %v against another, %v", s.hash, other.hash)
	default:
		return nil
	}
}

// plus adds and stops at math.MaxInt64 and its negative.
func plus(a, b int64) int64 {
	sum := a + b
	switch {
	case a > 0 && b > 0 && sum < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && (sum >= 0 || sum == math.MinInt64):
		return -math.MaxInt64
	}
	return sum
}
