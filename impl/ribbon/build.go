package ribbon

import (
	"errors"
	"math"
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// An outcome is how one attempt ended.
type outcome int

const (
	solved      outcome = iota
	conflicting         // an equation contradicts others
	duplicated          // a key comes twice
)

// build makes the filter of the hashes.
//
// Standard attempts one and two have the rows of the rule, from the third on
// there are 2, 4, 8 ... percent more, up to 128, so that a solution is found: the
// chance of a conflict falls exponentially with the room. The homogeneous form
// always has one, and looks for a better one while patience lasts.
func build(hashes []uint64, p Params) (*Filter, error) {
	distinct, added := false, 0
	for attempt := 1; attempt <= maxAttempts; attempt++ {
		more := 0.0
		if attempt > 2 && p.Form == Standard {
			more = 0.01 * float64(uint64(1)<<min(attempt-2, 7))
		}
		f := setUp(p.shapeFor(len(hashes), more), attempt, p.Hash)
		f.keys = len(hashes)
		if f.keys == 0 {
			return f, nil
		}
		b := newBand(f.shape, f.salt)
		b.distinct = distinct
		o := b.addAll(hashes)
		added += b.ops
		switch o {
		case solved:
			if b.followed > p.tolerated(f.keys) && attempt < patience {
				continue
			}
			f.added = added
			f.words = b.solve()
			return f, nil
		case duplicated:
			// The shape is that of the distinct keys, so count them and begin again.
			hashes = slices.Clone(hashes)
			slices.Sort(hashes)
			hashes = slices.Compact(hashes)
			distinct = true
			attempt = 0
		case conflicting:
		}
	}
	return nil, ErrBuild
}

// maxAttempts ends a build that finds no solution, which no set of fair hashes
// comes near to.
const maxAttempts = 64

// ErrBuild is returned when no attempt to build succeeded. No set of fair
// hashes comes near to it; hashes that were forged, or are none, may.
var ErrBuild = errors.New("ribbon: no attempt to build the filter succeeded")

// patience is the number of attempts at a homogeneous filter without crowds.
const patience = 8

// tolerated is the number of redundant equations that a filter of n keys may
// have. In the homogeneous form they tell of a stretch crowded with keys, which
// finds every absent key that starts in it: of a small filter, one may raise the
// rate manifold. So the form takes no more than half above what the rule for the
// overhead counts on, unless the overhead was chosen.
func (p Params) tolerated(n int) int {
	if p.Form == Standard || p.Overhead != 0 {
		return math.MaxInt
	}
	follows := FPR(p.Bits) * worth * p.Bits / float64(p.Width)
	return int(1.5 * follows * float64(n) * redundantShare(p.Width))
}

// A band is the system in echelon form: row i, if it is not zero, is an equation
// whose first coefficient, bit 0, is that of row i of the solution.
type band struct {
	shape
	salt, mask uint64
	distinct   bool // no key comes twice

	rows     []uint64 // coefficients
	high     []uint64 // coefficients 64 to 127, for width 128
	asked    []uint32 // what the equations ask for; nil in the homogeneous form
	ops      int      // row additions
	followed int      // equations that followed from others
}

func newBand(s shape, salt uint64) *band {
	slots := s.blocks * blockRows
	b := &band{shape: s, salt: salt, mask: maskOf(s.width), rows: make([]uint64, slots)}
	if s.width > 64 {
		b.high = make([]uint64, slots)
	}
	if s.form == Standard {
		b.asked = make([]uint32, slots)
	}
	return b
}

// addAll adds the equations of all hashes. They are dealt into buckets of near
// starts first, so that the rows at work stay in the cache.
func (b *band) addAll(hashes []uint64) outcome {
	dealt, ends := deal(hashes, b.salt)
	from := 0
	for _, to := range ends {
		if o := b.add(dealt[from:to]); o != solved {
			return o
		}
		from = to
	}
	return solved
}

// deal orders the remixed hashes by their high bits, some 500 keys to a value,
// and returns where the keys of each value end.
func deal(hashes []uint64, salt uint64) (dealt []uint64, ends []int) {
	const bucket, most = 500, 12 // more than 2^12 targets at a time thrash the TLB
	width := min(bits.Len(uint(len(hashes)/bucket)), most)
	ends = make([]int, 1<<width)
	dealt = make([]uint64, len(hashes))
	if width == 0 {
		for i, hash := range hashes {
			dealt[i] = remixed(hash, salt)
		}
		ends[0] = len(hashes)
		return dealt, ends
	}
	shift := 64 - width
	for _, hash := range hashes {
		ends[remixed(hash, salt)>>shift]++
	}
	sum := 0
	for i, n := range ends {
		ends[i] = sum
		sum += n
	}
	for _, hash := range hashes {
		h := remixed(hash, salt)
		at := &ends[h>>shift]
		dealt[*at] = h
		*at++
	}
	return dealt, ends
}

// add adds the equations of one bucket.
func (b *band) add(hs []uint64) outcome {
	for i, h := range hs {
		at, ok := uint64(nowhere), true
		switch {
		case b.width > 64:
			at, ok = b.addWide(h)
		case b.form == Standard:
			at, ok = b.addStandard(h)
		default:
			at = b.addHomogeneous(h)
		}
		if !ok {
			return conflicting
		}
		if at == nowhere {
			b.followed++
			if !b.distinct && slices.Contains(hs[:i], h) {
				return duplicated
			}
		}
	}
	return solved
}

// nowhere stands for the row of an equation that followed from others.
const nowhere = math.MaxUint64

// addHomogeneous adds an equation that asks for zero, and returns the row that
// it leads, or nowhere.
func (b *band) addHomogeneous(h uint64) (at uint64) {
	c := fold(h, first)&b.mask | 1
	at = hashing.Reduce(h, b.starts)
	for rows := b.rows; ; b.ops++ {
		row := rows[at]
		if row == 0 {
			rows[at] = c
			return at
		}
		c ^= row
		if c == 0 {
			return nowhere
		}
		skip := bits.TrailingZeros64(c)
		c >>= skip & 63
		at += uint64(skip)
	}
}

// addStandard is addHomogeneous with bits asked for; it is not ok if the equation it contradicts those before.
func (b *band) addStandard(h uint64) (at uint64, ok bool) {
	c := fold(h, first)&b.mask | 1
	at = hashing.Reduce(h, b.starts)
	want := uint32(resultOf(h)) & b.columnMask()
	for rows, asked := b.rows, b.asked; ; b.ops++ {
		row := rows[at]
		if row == 0 {
			rows[at], asked[at] = c, want
			return at, true
		}
		c ^= row
		want ^= asked[at]
		if c == 0 {
			return nowhere, want == 0
		}
		skip := bits.TrailingZeros64(c)
		c >>= skip & 63
		at += uint64(skip)
	}
}

// addWide is both for 128 coefficients.
func (b *band) addWide(h uint64) (at uint64, ok bool) {
	lo, hi := fold(h, first)|1, fold(h, second)
	at = hashing.Reduce(h, b.starts)
	var want uint32
	if b.form == Standard {
		want = uint32(resultOf(h)) & b.columnMask()
	}
	for ; ; b.ops++ {
		row := b.rows[at]
		if row == 0 {
			b.rows[at], b.high[at] = lo, hi
			if b.form == Standard {
				b.asked[at] = want
			}
			return at, true
		}
		lo ^= row
		hi ^= b.high[at]
		if b.form == Standard {
			want ^= b.asked[at]
		}
		if lo == 0 {
			if hi == 0 {
				return nowhere, want == 0
			}
			lo, hi = hi, 0
			at += 64
		}
		skip := bits.TrailingZeros64(lo) & 63
		lo = lo>>skip | hi<<1<<(63-skip)
		hi >>= skip
		at += uint64(skip)
	}
}

// columnMask are the bits that any block has a column for. A key that starts
// among the blocks without the last column is held to it too, as if they had it:
// so what is a conflict does not depend on the order of the keys.
func (b *band) columnMask() uint32 {
	cols := b.cols
	if b.low < b.blocks {
		cols++
	}
	return uint32(1<<cols - 1)
}
