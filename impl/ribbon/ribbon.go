package ribbon

import (
	"fmt"
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A Form is what the equations of the keys ask for.
type Form uint8

const (
	// Standard asks for r bits of the key's hash. Its rate is 2^-r whatever the
	// load; equations may contradict one another, and then another hash
	// function is tried.
	Standard Form = iota
	// Homogeneous asks for zero. Equations never contradict one another, but an
	// absent key whose equation follows from those of the keys is always found.
	Homogeneous
)

// String is the form's name: standard or homogeneous.
func (f Form) String() string {
	switch f {
	case Standard:
		return "standard"
	case Homogeneous:
		return "homogeneous"
	default:
		return fmt.Sprintf("unknown form %d", uint8(f))
	}
}

const (
	// MaxBits is the largest r.
	MaxBits = 32
	// MaxKeys is the largest number of keys.
	MaxKeys = 1 << 36

	// blockRows is the number of rows that share a word of each column.
	blockRows = 64
)

// Params say which filter to make.
type Params struct {
	// Width is w, the number of coefficients of a key: 32, 64 or 128. Wider is
	// smaller, and slower to build and to ask.
	Width int
	// Bits is r, from 1 to MaxBits, whole or not.
	Bits float64
	// Form is Standard, the zero value, or Homogeneous.
	Form Form
	// Overhead is the number of starts over the number of keys, less one: from
	// 0.001 to 100. 0 leaves it to Overhead, the function.
	Overhead float64
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

// check returns an error that says what is allowed, for all but Hash, which Size
// leaves to the caller.
func (p Params) check(n int) error {
	switch {
	case p.Width != 32 && p.Width != 64 && p.Width != 128:
		return fmt.Errorf("ribbon: width %d: it is 32, 64 or 128", p.Width)
	case !(p.Bits >= 1 && p.Bits <= MaxBits):
		return fmt.Errorf("ribbon: %v bits: r is 1 to %d", p.Bits, MaxBits)
	case p.Form > Homogeneous:
		return fmt.Errorf("ribbon: %v: the forms are %v and %v", p.Form, Standard, Homogeneous)
	case p.Overhead != 0 && !(p.Overhead >= 0.001 && p.Overhead <= 100):
		return fmt.Errorf("ribbon: overhead %v: it is 0.001 to 100, or 0 for the usual", p.Overhead)
	case uint64(n) > MaxKeys:
		return fmt.Errorf("ribbon: %d keys: at most %d", n, uint64(MaxKeys))
	}
	return nil
}

// checkBuild is check, and of Hash too.
func (p Params) checkBuild(n int) error {
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("ribbon: %w", err)
	}
	return p.check(n)
}

// A Filter is a ribbon filter. Make one with New, NewFromBytes or
// NewFromHashes; the zero value is good for UnmarshalBinary, and holds nothing.
type Filter struct {
	shape
	salt  uint64 // of the attempt that succeeded
	mask  uint64 // of the coefficients, for widths up to 64
	asked uint64 // mask of the bits that a key asks for: none in the homogeneous form
	// Column c of block i is a word at offset(i)+c, its bit b the row 64i+b.
	words []uint64
	keys  int
	tries int
	added int // row additions
	hash  hashing.Hasher
}

// A shape is where the rows are. The blocks before the low-th have cols
// columns, those after it one more, so that the blocks that a key reaches into
// have all columns of the one it starts in.
type shape struct {
	width  int
	form   Form
	starts uint64 // number of starts; 0 in a filter of no keys
	blocks uint64
	low    uint64
	cols   uint64
}

var (
	_ sketchproof.Filter           = (*Filter)(nil)
	_ sketchproof.BytesFilter      = (*Filter)(nil)
	_ sketchproof.HashFilter       = (*Filter)(nil)
	_ sketchproof.BatchFilter      = (*Filter)(nil)
	_ sketchproof.HashBatchFilter  = (*Filter)(nil)
	_ sketchproof.BytesBatchFilter = (*Filter)(nil)
)

// New makes the filter of the keys; duplicates are allowed and change nothing.
// It returns an error for parameters out of range, before it allocates
// anything. It takes about 30 bytes a key beside the filter while it builds.
func New(keys []uint64, p Params) (*Filter, error) {
	if err := p.checkBuild(len(keys)); err != nil {
		return nil, err
	}
	hashes := make([]uint64, len(keys))
	p.Hash.Uint64Each(hashes, keys)
	return build(hashes, p)
}

// NewFromBytes is New for byte strings.
func NewFromBytes(keys [][]byte, p Params) (*Filter, error) {
	if err := p.checkBuild(len(keys)); err != nil {
		return nil, err
	}
	hashes := make([]uint64, len(keys))
	p.Hash.BytesEach(hashes, keys)
	return build(hashes, p)
}

// NewFromHashes is New for good 64-bit hashes in place of keys. It leaves the
// slice as it is. Params.Hash is what Contains will use.
func NewFromHashes(hashes []uint64, p Params) (*Filter, error) {
	if err := p.checkBuild(len(hashes)); err != nil {
		return nil, err
	}
	return build(hashes, p)
}

// reach is how many of the last rows no key starts in. A key of up to 64
// coefficients reads its block and the next, one of 128 two more; both exist.
func reach(width int) uint64 { return max(uint64(width), blockRows) }

// shapeFor is the shape for n keys, with a share more starts than the rule has.
func (p Params) shapeFor(n int, more float64) shape {
	s := shape{width: p.Width, form: p.Form, cols: uint64(math.Floor(p.Bits))}
	if n == 0 {
		return s
	}
	overhead := p.Overhead
	if overhead == 0 {
		overhead = Overhead(n, p.Width, p.Bits, p.Form)
	}
	starts := uint64(math.Ceil(float64(n) * (1 + overhead) * (1 + more)))
	s.blocks = (starts + reach(p.Width) + blockRows - 1) / blockRows
	s.starts = s.blocks*blockRows - reach(p.Width)
	// Rounded down, so that the rate is never above that of r bits.
	rest := p.Bits - math.Floor(p.Bits)
	s.low = uint64(float64(s.starts) * (1 - rest) / blockRows)
	switch {
	case rest == 0:
		s.low = s.blocks
	case s.low == 0:
		s.low, s.cols = s.blocks, s.cols+1
	}
	return s
}

// size is the number of words.
func (s shape) size() uint64 { return s.low*s.cols + (s.blocks-s.low)*(s.cols+1) }

// columns is the number of columns of a block, and where they are.
func (s shape) columns(block uint64) (offset, cols uint64) {
	offset, cols = block*s.cols, s.cols
	if block >= s.low {
		offset += block - s.low
		cols++
	}
	return offset, cols
}

// setUp makes an empty filter of the shape.
func setUp(s shape, tries int, hash hashing.Hasher) *Filter {
	f := &Filter{shape: s, salt: saltOf(tries), mask: maskOf(s.width), tries: tries, hash: hash}
	if s.form == Standard {
		f.asked = math.MaxUint64
	}
	return f
}

// maskOf are the coefficients of a key among the first 64.
func maskOf(width int) uint64 { return math.MaxUint64 >> (64 - min(width, 64)) }

// Width is the number of coefficients of a key.
func (f *Filter) Width() int { return f.width }

// Form is Standard or Homogeneous.
func (f *Filter) Form() Form { return f.form }

// Len is the number of distinct keys that the filter was built of, by their hashes.
func (f *Filter) Len() int { return f.keys }

// Slots is the number of rows of the solution.
func (f *Filter) Slots() uint64 { return f.blocks * blockRows }

// Starts is the number of rows at which a key may start: those but the last w.
func (f *Filter) Starts() uint64 { return f.starts }

// Bits is the mean number of columns over the starts: r as it was built, at
// least as much as was asked for. FPR of it is the rate of the standard form.
func (f *Filter) Bits() float64 {
	if f.starts == 0 {
		return float64(f.cols)
	}
	below := min(f.low*blockRows, f.starts)
	return float64(f.cols) + float64(f.starts-below)/float64(f.starts)
}

// Attempts is the number of hash functions that were tried: the standard form
// tries another when equations contradict one another, the homogeneous form when
// many are redundant.
func (f *Filter) Attempts() int { return f.tries }

// RowAdditions is the number of row additions that all attempts took: the work
// that a Bloom or xor filter has no like of. It is 0 in a filter that was not
// built but read.
func (f *Filter) RowAdditions() int { return f.added }

// Hash is the hash function.
func (f *Filter) Hash() hashing.Hasher { return f.hash }

// SizeBytes is the memory of the solution.
func (f *Filter) SizeBytes() int { return 8 * len(f.words) }

// Equal reports whether the two have the same geometry, hash function and
// solution: whether they marshal to the same bytes.
func (f *Filter) Equal(other *Filter) bool {
	return f.shape == other.shape && f.keys == other.keys && f.tries == other.tries &&
		f.hash == other.hash && slices.Equal(f.words, other.words)
}
