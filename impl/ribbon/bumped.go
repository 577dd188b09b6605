package ribbon

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

const (
	// bucketStarts is the number of starts that share a threshold.
	bucketStarts = 128
	// marksPerWord is the number of buckets whose marks share a word.
	marksPerWord = 32
	// fewKeys is the number of keys that are no longer worth a layer.
	fewKeys = 1500
	// mostLayers is never reached: each layer bumps a small share of its keys.
	mostLayers = 16
)

// thresholds are the offsets in a bucket below which keys are bumped. Most
// buckets need one of the first.
var thresholds = [4]uint64{0, 10, 32, bucketStarts}

// excess is the number of keys over the number of starts of a layer, less one,
// by width: too many to fit, so that hardly a row is left without an equation.
func excess(width int) float64 { return 4 / float64(width) }

// A Bumped is a bumped ribbon filter (Dillinger, Hübschle-Schneider, Sanders,
// Walzer 2022, "Fast succinct retrieval and approximate membership using
// ribbon", BuRR). It is given more keys than it has rows. Where those of a
// bucket do not fit, the keys that start in its first part are bumped: into
// another, smaller filter of the same kind. Two bits a bucket say which. Every
// layer is so full that the whole takes less than 1 % more than r bits a key;
// the last, of few keys, is a Filter in the standard form.
//
// The rate is that of the standard form. Make one with NewBumped,
// NewBumpedFromBytes or NewBumpedFromHashes; the zero value is good for
// UnmarshalBinary, and holds nothing.
type Bumped struct {
	layers []layer
	last   Filter // and the hash function
	keys   int
}

// A layer holds the keys that are not bumped.
type layer struct {
	Filter
	marks []uint64 // two bits a bucket: an index of thresholds
}

var (
	_ sketchproof.Filter           = (*Bumped)(nil)
	_ sketchproof.BytesFilter      = (*Bumped)(nil)
	_ sketchproof.HashFilter       = (*Bumped)(nil)
	_ sketchproof.BatchFilter      = (*Bumped)(nil)
	_ sketchproof.HashBatchFilter  = (*Bumped)(nil)
	_ sketchproof.BytesBatchFilter = (*Bumped)(nil)
)

// NewBumped makes the filter of the keys; duplicates are allowed and change
// nothing. Size makes the parameters, of the standard form and with the
// overhead left to the filter. It returns an error for parameters out of range.
func NewBumped(keys []uint64, p Params) (*Bumped, error) {
	if err := p.checkBumped(len(keys)); err != nil {
		return nil, err
	}
	hashes := make([]uint64, len(keys))
	p.Hash.Uint64Each(hashes, keys)
	return buildBumped(hashes, p)
}

// NewBumpedFromBytes is NewBumped for byte strings.
func NewBumpedFromBytes(keys [][]byte, p Params) (*Bumped, error) {
	if err := p.checkBumped(len(keys)); err != nil {
		return nil, err
	}
	hashes := make([]uint64, len(keys))
	p.Hash.BytesEach(hashes, keys)
	return buildBumped(hashes, p)
}

// NewBumpedFromHashes is NewBumped for good 64-bit hashes in place of keys. It
// leaves the slice as it is.
func NewBumpedFromHashes(hashes []uint64, p Params) (*Bumped, error) {
	if err := p.checkBumped(len(hashes)); err != nil {
		return nil, err
	}
	return buildBumped(hashes, p)
}

// checkBumped is checkBuild for a bumped filter.
func (p Params) checkBumped(n int) error {
	if p.Form != Standard || p.Overhead != 0 {
		return fmt.Errorf("ribbon: a bumped filter has the %v form and no overhead of choice", Standard)
	}
	if p.Width == 32 {
		return fmt.Errorf("ribbon: width 32 would bump a quarter of the keys: a bumped filter takes 64 or 128")
	}
	return p.checkBuild(n)
}

// buildBumped makes the filter of the hashes. Each layer hashes what the one
// before it made of the hash.
func buildBumped(hashes []uint64, p Params) (*Bumped, error) {
	f := &Bumped{}
	for len(f.layers) < mostLayers {
		salt := layerSalt(len(f.layers))
		sorted := sortedDistinct(hashes, salt)
		if f.keys == 0 {
			f.keys = len(sorted)
		}
		if len(sorted) <= fewKeys {
			break
		}
		l, bumped := buildLayer(sorted, salt, p)
		f.layers = append(f.layers, l)
		hashes = bumped
	}
	last, err := build(hashes, p)
	if err != nil {
		return nil, err
	}
	f.last = *last
	if len(f.layers) == 0 {
		f.keys = f.last.keys
	}
	return f, nil
}

// layerSalt sets layers apart from one another and from attempts.
func layerSalt(i int) uint64 { return saltOf(-1 - i) }

// sortedDistinct remixes and sorts hashes. Starts go up with the hash, whatever
// their number.
func sortedDistinct(hashes []uint64, salt uint64) []uint64 {
	dealt, ends := deal(hashes, salt)
	from := 0
	for _, to := range ends {
		slices.Sort(dealt[from:to])
		from = to
	}
	return slices.Compact(dealt)
}

// buildLayer makes a layer of the remixed hashes, and returns those it bumps.
func buildLayer(sorted []uint64, salt uint64, p Params) (l layer, bumped []uint64) {
	p.Overhead = -excess(p.Width) / (1 + excess(p.Width))
	l.Filter = *setUp(p.shapeFor(len(sorted), 0), 1, p.Hash)
	l.keys, l.salt = len(sorted), salt
	b := newBand(l.shape, salt)
	l.marks = make([]uint64, l.markWords())
	bumped = make([]uint64, 0, len(sorted)/8)
	from := 0
	for bucket := range l.buckets() {
		to := from + before(sorted[from:], (bucket+1)*bucketStarts, l.starts)
		mark, kept := b.fill(sorted[from:to], bucket*bucketStarts)
		bumped = append(bumped, sorted[from:to-kept]...)
		l.marks[bucket/marksPerWord] |= mark << (bucket % marksPerWord * 2)
		from = to
	}
	l.words = b.solve()
	return l, bumped
}

// before is the number of hashes, which are sorted, that start before a row.
func before(sorted []uint64, row, starts uint64) int {
	n, _ := slices.BinarySearchFunc(sorted[:min(len(sorted), 4*bucketStarts)], row, func(h, row uint64) int {
		return cmp.Compare(hashing.Reduce(h, starts), row)
	})
	if n == 4*bucketStarts && n < len(sorted) { // a crowd that chance does not make
		n, _ = slices.BinarySearchFunc(sorted, row, func(h, row uint64) int {
			return cmp.Compare(hashing.Reduce(h, starts), row)
		})
	}
	return n
}

// fill adds the keys of a bucket: those above the last threshold, and if all of
// these went in those above the one before, and so on. It returns the index of
// the threshold below which keys are bumped, and how many are kept. All keys
// between two thresholds go in or none, so that their order does not matter.
func (b *band) fill(sorted []uint64, first uint64) (mark uint64, kept int) {
	for mark = uint64(len(thresholds) - 1); mark > 0; mark-- {
		rest := sorted[:len(sorted)-kept]
		part := rest[before(rest, first+thresholds[mark-1], b.starts):]
		if !b.addOrNone(part) {
			break
		}
		kept += len(part)
	}
	return mark, kept
}

// addOrNone adds equations, or takes back those it added if one contradicts.
func (b *band) addOrNone(hs []uint64) bool {
	var buffer [4 * bucketStarts]uint64
	led := buffer[:0]
	for _, h := range hs {
		var at uint64
		var ok bool
		if b.width > 64 {
			at, ok = b.addWide(h)
		} else {
			at, ok = b.addStandard(h)
		}
		if !ok {
			// What led a row last was not used by any before it.
			for _, at := range led {
				b.rows[at], b.asked[at] = 0, 0
				if b.width > 64 {
					b.high[at] = 0
				}
			}
			return false
		}
		if at != nowhere {
			led = append(led, at)
		}
	}
	return true
}

// buckets is the number of buckets, markWords that of words for their thresholds.
func (s shape) buckets() uint64   { return (s.starts + bucketStarts - 1) / bucketStarts }
func (s shape) markWords() uint64 { return (s.buckets() + marksPerWord - 1) / marksPerWord }

// bumps reports whether keys of that start are bumped.
func (l *layer) bumps(start uint64) bool {
	bucket := start / bucketStarts
	mark := l.marks[bucket/marksPerWord] >> (bucket % marksPerWord * 2) & 3
	return start%bucketStarts < thresholds[mark]
}

// Contains reports whether the key may be one of those that the filter was
// built of: false is certain.
func (f *Bumped) Contains(key uint64) bool { return f.ContainsHash(f.last.hash.Uint64(key)) }

// ContainsBytes is Contains for a byte string.
func (f *Bumped) ContainsBytes(key []byte) bool { return f.ContainsHash(f.last.hash.Bytes(key)) }

// ContainsHash is Contains for a hash that NewBumpedFromHashes would take.
func (f *Bumped) ContainsHash(hash uint64) bool {
	for i := range f.layers {
		l := &f.layers[i]
		hash = remixed(hash, l.salt)
		if !l.bumps(hashing.Reduce(hash, l.starts)) {
			if l.width > 64 {
				return l.holdsWide(hash)
			}
			return l.holds(hash)
		}
	}
	return f.last.ContainsHash(hash)
}

// Len is the number of distinct keys that the filter was built of, by their hashes.
func (f *Bumped) Len() int { return f.keys }

// Layers is the number of layers before the last.
func (f *Bumped) Layers() int { return len(f.layers) }

// Hash is the hash function.
func (f *Bumped) Hash() hashing.Hasher { return f.last.hash }

// Rate is FPR of the columns, over all layers: a layer answers for the starts
// that it does not bump, the next for the others.
func (f *Bumped) Rate() float64 {
	rate, here := 0.0, 1.0
	for i := range f.layers {
		l := &f.layers[i]
		var kept, hits float64
		for start := range l.starts {
			if !l.bumps(start) {
				_, cols := l.columns(start / blockRows)
				kept++
				hits += math.Ldexp(1, -int(cols))
			}
		}
		rate += here * hits / float64(l.starts)
		here *= 1 - kept/float64(l.starts)
	}
	if f.last.starts > 0 {
		rate += here * FPR(f.last.Bits())
	}
	return rate
}

// SizeBytes is the memory of the solutions and thresholds.
func (f *Bumped) SizeBytes() int {
	size := f.last.SizeBytes()
	for i := range f.layers {
		size += f.layers[i].SizeBytes() + 8*len(f.layers[i].marks)
	}
	return size
}

// Equal reports whether the two have the same geometry, hash function, thresholds
// and solutions: whether they marshal to the same bytes.
func (f *Bumped) Equal(other *Bumped) bool {
	return f.keys == other.keys && f.last.Equal(&other.last) &&
		slices.EqualFunc(f.layers, other.layers, func(a, b layer) bool {
			return a.Equal(&b.Filter) && slices.Equal(a.marks, b.marks)
		})
}
