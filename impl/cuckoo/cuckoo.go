package cuckoo

import (
	"fmt"
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// DefaultMaxKicks is the number of kicks after which an insertion gives up,
// when Params say nothing (Fan et al. 2014, section 5).
const DefaultMaxKicks = 500

const (
	minBits, maxBits = 4, 32
	maxSlots         = 8
	// maxBuckets leaves at least 32 of 64 hash bits for the tag.
	maxBuckets  = uint64(1) << 32
	maxMaxKicks = 1 << 20
)

// Params are the geometry of a filter.
type Params struct {
	// Buckets is the number of buckets, 1 to 2^32. It need not be a power of two.
	Buckets uint64
	// Slots is the number of tags in a bucket (b in the paper), 1 to 8.
	Slots int
	// FingerprintBits is the length of a tag in bits (f in the paper), 4 to 32.
	FingerprintBits int
	// SemiSorted keeps the tags of a bucket in order, and so takes one bit less
	// for each. Reading a bucket takes longer. It needs four slots and tags of at
	// least five bits.
	SemiSorted bool
	// MaxKicks bounds the tags that one insertion moves, at most 2^20. Zero
	// means DefaultMaxKicks.
	MaxKicks int
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

func (p Params) check() error {
	switch {
	case p.Buckets < 1 || p.Buckets > maxBuckets:
		return fmt.Errorf("cuckoo: %d buckets, allowed are 1 to 2^32", p.Buckets)
	case p.Slots < 1 || p.Slots > maxSlots:
		return fmt.Errorf("cuckoo: %d slots in a bucket, allowed are 1 to %d", p.Slots, maxSlots)
	case p.FingerprintBits < minBits || p.FingerprintBits > maxBits:
		return fmt.Errorf("cuckoo: %d fingerprint bits, allowed are %d to %d", p.FingerprintBits, minBits, maxBits)
	case p.SemiSorted && p.Slots != sortedSlots:
		return fmt.Errorf("cuckoo: %d slots in a semi-sorted bucket, allowed are %d", p.Slots, sortedSlots)
	case p.SemiSorted && p.FingerprintBits <= highBits:
		return fmt.Errorf("cuckoo: %d fingerprint bits in a semi-sorted bucket, allowed are %d to %d", p.FingerprintBits, highBits+1, maxBits)
	case p.MaxKicks < 1 || p.MaxKicks > maxMaxKicks:
		return fmt.Errorf("cuckoo: at most %d kicks, allowed are 1 to %d (0 for %d)", p.MaxKicks, maxMaxKicks, DefaultMaxKicks)
	}
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("cuckoo: %w", err)
	}
	// The bits are at most 2^40, but neither the table nor the count of slots
	// may outgrow an int on a 32-bit machine.
	if p.tableBits()/8 > math.MaxInt-16 || p.Buckets*uint64(p.Slots) > math.MaxInt {
		return fmt.Errorf("cuckoo: %d buckets of %d slots do not fit this machine", p.Buckets, p.Slots)
	}
	return nil
}

func (p Params) tableBits() uint64 { return p.Buckets * p.bucketBits() }

func (p Params) bucketBits() uint64 {
	if p.SemiSorted {
		return uint64(p.Slots * (p.FingerprintBits - 1))
	}
	return uint64(p.Slots * p.FingerprintBits)
}

// A Filter is a cuckoo filter. It is a multiset: a key added twice is held
// twice. Reading from several goroutines at once is safe, writing is not. The
// zero value is only good for UnmarshalBinary.
type Filter struct {
	params Params
	table  table
	pair   pairing
	count  int
	kicks  uint64
	// path is room for the tags that a walk through semi-sorted buckets moved.
	path []uint32
}

var (
	_ sketchproof.Filter      = (*Filter)(nil)
	_ sketchproof.Adder       = (*Filter)(nil)
	_ sketchproof.Remover     = (*Filter)(nil)
	_ sketchproof.BytesFilter = (*Filter)(nil)
	_ sketchproof.BytesAdder  = (*Filter)(nil)
	_ sketchproof.HashFilter  = (*Filter)(nil)
	_ sketchproof.HashAdder   = (*Filter)(nil)
)

// New returns an empty filter. Its error says which values are allowed.
func New(p Params) (*Filter, error) {
	if p.MaxKicks == 0 {
		p.MaxKicks = DefaultMaxKicks
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	return empty(p), nil
}

func empty(p Params) *Filter {
	return &Filter{params: p, table: newTable(p), pair: pairingOf(p)}
}

// place splits a hash, read as a fraction in [0, 1), into two digits: the
// bucket is its first digit in base Buckets, the tag its next in base 2^f - 1.
// So the two come from different bits, and tags are uniform on 1 to 2^f - 1.
func (f *Filter) place(hash uint64) (bucket, tag uint64) {
	return split(hash, f.params.Buckets, f.table.mask)
}

// Contains reports whether key may be held. False is certain.
func (f *Filter) Contains(key uint64) bool { return f.ContainsHash(f.params.Hash.Uint64(key)) }

// ContainsBytes is Contains for a byte string. A number may be the same
// key as its eight bytes: do not mix the two.
func (f *Filter) ContainsBytes(key []byte) bool { return f.ContainsHash(f.params.Hash.Bytes(key)) }

// ContainsHash is Contains for a caller who holds a good 64-bit hash of the
// key. It is used as it is.
func (f *Filter) ContainsHash(hash uint64) bool {
	i, tag := f.place(hash)
	// Where a bucket is one load, both start before either is looked at: they
	// overlap, and the only branch is the caller's.
	if f.table.form == octets {
		j := f.pair.partner(i, mixed[uint8(tag)])
		return f.table.octets(i, tag)|f.table.octets(j, tag) != 0
	}
	j := f.pair.partner(i, f.pair.mix(tag))
	if f.table.form == window {
		return f.table.match(i, tag)|f.table.match(j, tag) != 0
	}
	return f.inEither(i, j, tag)
}

// inEither is ContainsHash where a bucket is not one window.
func (f *Filter) inEither(i, j, tag uint64) bool {
	if f.table.form == sorted {
		return f.table.holdsSorted(i, tag)|f.table.holdsSorted(j, tag) != 0
	}
	_, found := f.table.find(i, tag)
	if !found {
		_, found = f.table.find(j, tag)
	}
	return found
}

// Remove forgets one copy of key. It returns sketchproof.ErrNotFound, and
// changes nothing, when key is certainly absent. Removing a key that was never
// added may remove another key that has the same tag and bucket.
func (f *Filter) Remove(key uint64) error { return f.RemoveHash(f.params.Hash.Uint64(key)) }

// RemoveBytes is Remove for a byte string.
func (f *Filter) RemoveBytes(key []byte) error { return f.RemoveHash(f.params.Hash.Bytes(key)) }

// RemoveHash is Remove for a hash.
func (f *Filter) RemoveHash(hash uint64) error {
	i, tag := f.place(hash)
	if !f.forget(i, tag) && !f.forget(f.pair.other(i, tag), tag) {
		return sketchproof.ErrNotFound
	}
	f.count--
	return nil
}

// forget empties a slot of bucket i that holds tag, if there is one.
func (f *Filter) forget(i, tag uint64) bool {
	if f.table.form == sorted {
		return f.table.exchange(i, tag, 0)
	}
	at, found := f.table.find(i, tag)
	if found {
		f.table.put(at, 0)
	}
	return found
}

// AlternateBucket returns the other bucket of a tag that may lie in bucket i.
// It is its own inverse for every bucket count. i is below Buckets and tag is
// from 1 to 2^FingerprintBits - 1; anything else panics. The two buckets differ,
// but for one bucket of every tag when the number of buckets is odd: an
// involution on an odd number of things leaves one in place.
func (f *Filter) AlternateBucket(i uint64, tag uint32) uint64 {
	if i >= f.params.Buckets || tag == 0 || uint64(tag) > f.table.mask {
		panic(fmt.Sprintf("cuckoo: bucket %d of %d, tag %d of %d bits", i, f.params.Buckets, tag, f.params.FingerprintBits))
	}
	return f.pair.other(i, uint64(tag))
}

// Place returns the two buckets and the tag of a hash: all that the filter knows
// of a key. A look-up reads the two buckets and nothing else.
func (f *Filter) Place(hash uint64) (first, second uint64, tag uint32) {
	i, t := f.place(hash)
	return i, f.pair.other(i, t), uint32(t)
}

// Params returns the geometry, with MaxKicks filled in.
func (f *Filter) Params() Params { return f.params }

// Hash is the hash function.
func (f *Filter) Hash() hashing.Hasher { return f.params.Hash }

// Len is the number of keys held, copies included.
func (f *Filter) Len() int { return f.count }

// Load is the share of slots that are taken (the load factor a), 0 to 1.
func (f *Filter) Load() float64 {
	return float64(f.count) / (float64(f.params.Buckets) * float64(f.params.Slots))
}

// Buckets is the number of buckets.
func (f *Filter) Buckets() uint64 { return f.params.Buckets }

// Slots is the number of slots in a bucket.
func (f *Filter) Slots() int { return f.params.Slots }

// FingerprintBits is the length of a tag in bits.
func (f *Filter) FingerprintBits() int { return f.params.FingerprintBits }

// SizeBytes is the size of the table in bytes.
func (f *Filter) SizeBytes() int { return len(f.table.bytes) }

// Kicks is the number of tags moved since the filter was made, reset or read
// from bytes, those of refused insertions included. It is not serialized.
func (f *Filter) Kicks() uint64 { return f.kicks }

// Clone returns an independent copy.
func (f *Filter) Clone() *Filter {
	g := *f
	g.table.bytes, g.path = slices.Clone(f.table.bytes), nil
	return &g
}

// Equal reports whether f and g have the same geometry and hash function, and
// the same tag in every slot. The same keys added in another order may lie in
// other slots.
func (f *Filter) Equal(g *Filter) bool {
	return f.params == g.params && slices.Equal(f.table.bytes, g.table.bytes)
}

// Reset forgets all keys.
func (f *Filter) Reset() {
	clear(f.table.bytes)
	f.count, f.kicks = 0, 0
}
