package counting

import (
	"fmt"
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A Scheme is the way in which a key gets its k cells. The number is part of
// the serialized form and is never re-used. Under both schemes two cells of a
// key may be the same one, which then counts the key twice.
type Scheme uint8

const (
	// Derived hashes a key once and multiplies the hash once more for each cell,
	// as the scheme of that name in impl/bloom does: with one m, k and hash
	// function, the cells that are not 0 are the bits that a Bloom filter of the
	// same keys sets. It is the default, and the fast one.
	Derived Scheme = 0
	// Independent hashes a key k times, with 0 to k-1 added to the seed, and
	// takes the remainder by m: the rule behind printed figures.
	Independent Scheme = 1
)

func (c Scheme) String() string {
	switch c {
	case Derived:
		return "derived"
	case Independent:
		return "independent"
	default:
		return fmt.Sprintf("unknown scheme %d", uint8(c))
	}
}

// MaxHashes is the largest number of cells for each key.
const MaxHashes = 64

// MaxTableBytes is the largest table that New makes: 16 GiB.
const MaxTableBytes uint64 = 1 << 34

// Params says how to build a Filter.
type Params struct {
	// Cells is m, the number of cells, at least 1.
	Cells int
	// Hashes is k, the number of cells that a key raises, from 1 to MaxHashes.
	Hashes int
	// CellBits is the width of a cell: 4, 8 or 16.
	CellBits int
	// Scheme is how a key gets its cells; the zero value is Derived.
	Scheme Scheme
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

// A Filter is a counting Bloom filter. Make one with New or UnmarshalBinary:
// the zero value has no cells. Methods that change nothing may run at the same
// time as each other, but not while another method changes the filter.
type Filter struct {
	cells     table
	k         uint64
	scheme    Scheme
	hash      hashing.Hasher
	overflows uint64
}

// New returns an empty filter. It refuses parameters out of range, and a table
// above MaxTableBytes before it allocates any of it.
func New(p Params) (*Filter, error) {
	f, err := p.filter()
	if err != nil {
		return nil, err
	}
	f.cells.words = make([]uint64, f.cells.length())
	return f, nil
}

// filter is the filter of the parameters, checked, without its table.
func (p Params) filter() (*Filter, error) {
	switch { // negative numbers, before they lose their sign
	case p.Cells < 0:
		return nil, fmt.Errorf("counting: %d cells, must be at least 1", p.Cells)
	case p.Hashes < 0:
		return nil, fmt.Errorf("counting: %d hashes, must be from 1 to %d", p.Hashes, MaxHashes)
	case p.CellBits < 0:
		return nil, fmt.Errorf("counting: cells of %d bits, must be 4, 8 or 16", p.CellBits)
	}
	f := &Filter{
		cells: table{m: uint64(p.Cells), width: uint64(p.CellBits)},
		k:     uint64(p.Hashes), scheme: p.Scheme, hash: p.Hash,
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("counting: %w", err)
	}
	return f, nil
}

// check refuses a geometry out of range, before the table is allocated.
func (f *Filter) check() error {
	c := f.cells
	switch {
	case c.m < 1:
		return fmt.Errorf("%d cells, must be at least 1", c.m)
	case f.k < 1 || f.k > MaxHashes:
		return fmt.Errorf("%d hashes, must be from 1 to %d", f.k, MaxHashes)
	case c.width != 4 && c.width != 8 && c.width != 16:
		return fmt.Errorf("cells of %d bits, must be 4, 8 or 16", c.width)
	case f.scheme != Derived && f.scheme != Independent:
		return fmt.Errorf("%v, must be Derived or Independent", f.scheme)
	}
	if err := f.hash.Check(); err != nil {
		return err
	}
	if limit := min(MaxTableBytes, uint64(math.MaxInt)); c.length() > limit/8 {
		return fmt.Errorf("%d cells of %d bits take %.0f bytes, at most %d are allowed",
			c.m, c.width, 8*float64(c.length()), limit)
	}
	return nil
}

// Cells is the number of cells, m.
func (f *Filter) Cells() int { return int(f.cells.m) }

// Hashes is the number of cells for each key, k.
func (f *Filter) Hashes() int { return int(f.k) }

// CellBits is the width of a cell: 4, 8 or 16.
func (f *Filter) CellBits() int { return int(f.cells.width) }

// Scheme is the way in which a key gets its cells.
func (f *Filter) Scheme() Scheme { return f.scheme }

// Hash is the hash function.
func (f *Filter) Hash() hashing.Hasher { return f.hash }

// Params are what New makes an empty filter like this one of.
func (f *Filter) Params() Params {
	return Params{Cells: f.Cells(), Hashes: f.Hashes(), CellBits: f.CellBits(), Scheme: f.scheme, Hash: f.hash}
}

// SizeBytes is the size of the table in bytes, in whole words of 8 bytes.
func (f *Filter) SizeBytes() int { return 8 * len(f.cells.words) }

// Cell is the value of cell i. It panics unless i is from 0 to Cells()-1.
func (f *Filter) Cell(i int) int {
	if i < 0 || uint64(i) >= f.cells.m {
		panic(fmt.Sprintf("counting: cell %d of a filter with %d cells", i, f.cells.m))
	}
	return int(f.cells.at(uint64(i)))
}

// Overflows is the number of increments that were lost because the cell stood
// at its maximum, or math.MaxUint64 if there were more.
func (f *Filter) Overflows() uint64 { return f.overflows }

// Reset empties the filter and keeps its geometry and hash function.
func (f *Filter) Reset() {
	clear(f.cells.words)
	f.overflows = 0
}

// Clone returns a filter with the same contents that shares nothing with f.
func (f *Filter) Clone() *Filter {
	c := *f
	c.cells.words = slices.Clone(f.cells.words)
	return &c
}

// Equal reports whether both filters were built alike and hold the same cells
// and overflows.
func (f *Filter) Equal(other *Filter) bool {
	return f.alike(other) == nil && f.overflows == other.overflows &&
		slices.Equal(f.cells.words, other.cells.words)
}

// Merge adds the cells of other, which it leaves unchanged. Cells stop at their
// maximum. When keys were only ever added, f is afterwards the filter of all
// additions to both, bit for bit: the union of multisets. A key that both held is
// in it twice, and gone after two removals. The union of sets, where it counts
// once, cannot be had from the cells: they do not tell whose increments they
// hold, and the larger of two cells would be too small for keys that share it.
// It returns an error that names the difference, and changes nothing, when the
// two were not built alike.
func (f *Filter) Merge(other *Filter) error {
	if err := f.alike(other); err != nil {
		return fmt.Errorf("counting: %w: %w", ErrMismatch, err)
	}
	f.lose(other.overflows)
	// Words whose cells are all in the lower half of their range cannot overflow.
	upper := math.MaxUint64 / f.cells.top() << (f.cells.width - 1)
	perWord := 64 / f.cells.width
	for i, w := range other.cells.words {
		if (f.cells.words[i]|w)&upper == 0 {
			f.cells.words[i] += w
			continue
		}
		for c := uint64(i) * perWord; c < uint64(i+1)*perWord; c++ {
			sum := f.cells.at(c) + other.cells.at(c)
			if top := f.cells.top(); sum > top {
				f.lose(sum - top)
				sum = top
			}
			f.cells.set(c, sum)
		}
	}
	return nil
}

// lose counts increments that found no room.
func (f *Filter) lose(increments uint64) {
	f.overflows += min(increments, math.MaxUint64-f.overflows)
}

// ErrMismatch is returned, wrapped with the difference, for two filters that were not
// built alike. It is the same for all structures.
var ErrMismatch = sketchproof.ErrMismatch

// alike returns an error that names the first difference in what was built.
func (f *Filter) alike(other *Filter) error {
	switch {
	case f.cells.m != other.cells.m:
		return fmt.Errorf("%d cells against %d", f.cells.m, other.cells.m)
	case f.k != other.k:
		return fmt.Errorf("%d hashes against %d", f.k, other.k)
	case f.cells.width != other.cells.width:
		return fmt.Errorf("cells of %d bits against %d", f.cells.width, other.cells.width)
	case f.scheme != other.scheme:
		return fmt.Errorf("%v scheme against %v", f.scheme, other.scheme)
	case f.hash != other.hash:
		return fmt.Errorf("hash function %v against another, %v", f.hash, other.hash)
	default:
		return nil
	}
}

var (
	_ sketchproof.Filter           = (*Filter)(nil)
	_ sketchproof.Adder            = (*Filter)(nil)
	_ sketchproof.Remover          = (*Filter)(nil)
	_ sketchproof.BytesFilter      = (*Filter)(nil)
	_ sketchproof.BytesAdder       = (*Filter)(nil)
	_ sketchproof.HashFilter       = (*Filter)(nil)
	_ sketchproof.HashAdder        = (*Filter)(nil)
	_ sketchproof.BatchFilter      = (*Filter)(nil)
	_ sketchproof.BatchAdder       = (*Filter)(nil)
	_ sketchproof.HashBatchFilter  = (*Filter)(nil)
	_ sketchproof.HashBatchAdder   = (*Filter)(nil)
	_ sketchproof.BytesBatchFilter = (*Filter)(nil)
	_ sketchproof.BytesBatchAdder  = (*Filter)(nil)
	_ sketchproof.Merger[*Filter]  = (*Filter)(nil)
)
