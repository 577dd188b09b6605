package quotient

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

const (
	// MaxSlots is the largest number of slots.
	MaxSlots = uint64(1) << 40
	// MaxRemainderBits is the longest remainder.
	MaxRemainderBits = 48
	// maxFingerprints is the largest number of different fingerprints. It leaves
	// the hashes of any two of them alike in number to a sixteenth.
	maxFingerprints = uint64(1) << 60
)

// Params are the geometry of a filter.
type Params struct {
	// Slots is the number of quotients and of the entries that fit, 1 to 2^40. It
	// need not be a power of two.
	Slots uint64
	// RemainderBits is the length of a remainder (r in the paper), 1 to 48, from 2
	// with Counting. Slots times 2^RemainderBits, the number of different
	// fingerprints, is at most 2^60.
	RemainderBits int
	// Counting makes the filter a multiset: a key added twice is held twice.
	// Without it a fingerprint that is held already is not added again.
	Counting bool
	// Hash is the function that keys are mixed with.
	Hash hashing.Hasher
}

func (p Params) check() error {
	least := 1
	if p.Counting {
		least = 2
	}
	switch {
	case p.Slots < 1 || p.Slots > MaxSlots:
		return fmt.Errorf("quotient: %d slots, allowed are 1 to 2^40", p.Slots)
	case p.RemainderBits < least || p.RemainderBits > MaxRemainderBits:
		return fmt.Errorf("quotient: %d remainder bits, allowed are %d to %d", p.RemainderBits, least, MaxRemainderBits)
	case p.Slots > maxFingerprints>>p.RemainderBits:
		return fmt.Errorf("quotient: %d slots of %d remainder bits, allowed are at most 2^60 fingerprints in all", p.Slots, p.RemainderBits)
	}
	if family, _, _ := p.Hash.Parts(); !family.Valid() {
		return fmt.Errorf("quotient: Hash is the zero Hasher: use hashing.New")
	}
	if p.tableBytes() > math.MaxInt-slackBytes {
		return fmt.Errorf("quotient: %d slots of %d remainder bits do not fit this machine", p.Slots, p.RemainderBits)
	}
	return nil
}

// fingerprints is the number of different ones.
func (p Params) fingerprints() uint64 { return p.Slots << p.RemainderBits }

// tableSlots is the length of the table. What n random entries push beyond n
// quotients is the maximum of a Brownian bridge times the square root of n: more
// than twice that root once in 3000 full tables, e^(-2*2^2), and less often by far
// in tables that are less full.
func (p Params) tableSlots() uint64 {
	tail := 2*uint64(math.Ceil(math.Sqrt(float64(p.Slots)))) + 32
	return (p.Slots + tail + blockSlots - 1) / blockSlots * blockSlots
}

func (p Params) tableBytes() uint64 {
	return p.tableSlots() / blockSlots * strideOf(uint64(p.RemainderBits))
}

// A Filter is a quotient filter. Reading from several goroutines at once is safe,
// writing is not. The zero value is only good for UnmarshalBinary.
type Filter struct {
	params Params
	table  table
	count  uint64 // keys, copies included
	used   uint64 // slots
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
)

// New returns an empty filter. Its error says which values are allowed.
func New(p Params) (*Filter, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return empty(p), nil
}

func empty(p Params) *Filter {
	return &Filter{params: p, table: newTable(p)}
}

// Contains reports whether key may be held. False is certain.
func (f *Filter) Contains(key uint64) bool { return f.ContainsHash(f.params.Hash.Uint64(key)) }

// ContainsBytes is Contains for a byte string. Bytes and numbers are different
// keys.
func (f *Filter) ContainsBytes(key []byte) bool { return f.ContainsHash(f.params.Hash.Bytes(key)) }

// ContainsHash is Contains for a caller who holds a good 64-bit hash of the key.
// It is used as it is.
func (f *Filter) ContainsHash(hash uint64) bool {
	return f.table.has(hash) && (!f.params.Counting || f.countIn(hash) != 0)
}

// Add adds key. It returns sketchproof.ErrFull when there is no room: when the
// entries are as many as Slots, or where they crowd so much at the end of the table
// that one more would leave it. The filter is then unchanged. Without Counting a
// fingerprint that is held already needs no room and is never refused.
func (f *Filter) Add(key uint64) error { return f.AddHash(f.params.Hash.Uint64(key)) }

// AddBytes is Add for a byte string.
func (f *Filter) AddBytes(key []byte) error { return f.AddHash(f.params.Hash.Bytes(key)) }

// AddHash is Add for a hash.
func (f *Filter) AddHash(hash uint64) error {
	q, remainder := f.table.split(hash)
	if f.params.Counting {
		return f.addTo(q, remainder)
	}
	t := &f.table
	fresh := !t.occupied(q)
	p := t.after(q)
	end := p
	if fresh {
		p = max(p, q)
	} else {
		for start := t.start(q, end-1); p > start && t.get(p-1) >= remainder; p-- {
			if t.get(p-1) == remainder {
				return nil
			}
		}
	}
	if f.used == f.params.Slots || t.free(p) == t.slots {
		return sketchproof.ErrFull
	}
	t.insert(q, p, remainder, fresh, p == end)
	f.used++
	f.count++
	return nil
}

// Remove forgets key, or one copy of it with Counting. It returns
// sketchproof.ErrNotFound, and changes nothing, when key is certainly absent. A key
// that was never added but that Contains finds takes a key with the same
// fingerprint with it; and without Counting, so does each of several keys added with
// one fingerprint: they are held as one. Only remove keys that were added, and
// with Counting where some may share a fingerprint.
func (f *Filter) Remove(key uint64) error { return f.RemoveHash(f.params.Hash.Uint64(key)) }

// RemoveBytes is Remove for a byte string.
func (f *Filter) RemoveBytes(key []byte) error { return f.RemoveHash(f.params.Hash.Bytes(key)) }

// RemoveHash is Remove for a hash.
func (f *Filter) RemoveHash(hash uint64) error {
	q, remainder := f.table.split(hash)
	t := &f.table
	if !t.occupied(q) {
		return sketchproof.ErrNotFound
	}
	if f.params.Counting {
		return f.removeFrom(q, remainder)
	}
	end := t.after(q) - 1
	start := t.start(q, end)
	for p := end; ; p-- {
		v := t.get(p)
		if v == remainder {
			t.remove(q, start, p, end)
			f.used--
			f.count--
			return nil
		}
		if v < remainder || p == start {
			return sketchproof.ErrNotFound
		}
	}
}

// Count is the number of copies held of key, keys of the same fingerprint included:
// never below the truth. Without Counting it is 0 or 1.
func (f *Filter) Count(key uint64) uint64 { return f.CountHash(f.params.Hash.Uint64(key)) }

// CountBytes is Count for a byte string.
func (f *Filter) CountBytes(key []byte) uint64 { return f.CountHash(f.params.Hash.Bytes(key)) }

// CountHash is Count for a hash.
func (f *Filter) CountHash(hash uint64) uint64 {
	switch {
	case !f.table.has(hash):
		return 0
	case f.params.Counting:
		return f.countIn(hash)
	}
	return 1
}

// Params returns the geometry.
func (f *Filter) Params() Params { return f.params }

// Slots is the number of quotients, and of the entries that fit.
func (f *Filter) Slots() uint64 { return f.params.Slots }

// RemainderBits is the length of a remainder in bits.
func (f *Filter) RemainderBits() int { return f.params.RemainderBits }

// Counting reports whether the filter is a multiset.
func (f *Filter) Counting() bool { return f.params.Counting }

// Len is the number of keys held, with Counting copies included. Without it keys
// of one fingerprint are one.
func (f *Filter) Len() uint64 { return f.count }

// Used is the number of slots that are taken: by fingerprints, and by the counters
// of those held more than once.
func (f *Filter) Used() uint64 { return f.used }

// Load is the share of slots that are taken, 0 to 1.
func (f *Filter) Load() float64 { return float64(f.used) / float64(f.params.Slots) }

// SizeBytes is the size of the table in bytes: RemainderBits + 2.25 bits for each
// of its slots, of which there are 2 sqrt(Slots) + 32 more than Slots, rounded up
// to blocks of 64.
func (f *Filter) SizeBytes() int { return len(f.table.data) }
