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
	// for a Counting filter. Slots times 2^RemainderBits, the number of different
	// fingerprints, is at most 2^60.
	RemainderBits int
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

func (p Params) check(counting bool) error {
	least := 1
	if counting {
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
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("quotient: %w", err)
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

// A Filter is a quotient filter that holds every fingerprint once. So it cannot forget
// a key: another key may have the same fingerprint. A Counting filter can. Reading from
// several goroutines at once is safe, writing is not. The zero value is only good for
// UnmarshalBinary.
type Filter struct {
	params   Params
	counting bool
	table    table
	count    uint64 // keys, copies included
	used     uint64 // slots
}

var (
	_ sketchproof.Filter           = (*Filter)(nil)
	_ sketchproof.Adder            = (*Filter)(nil)
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
	if err := p.check(false); err != nil {
		return nil, err
	}
	return empty(p, false), nil
}

func empty(p Params, counting bool) *Filter {
	return &Filter{params: p, counting: counting, table: newTable(p)}
}

// Contains reports whether key may be held. False is certain.
func (f *Filter) Contains(key uint64) bool { return f.ContainsHash(f.params.Hash.Uint64(key)) }

// ContainsBytes is Contains for a byte string. A number may be the same
// key as its eight bytes: do not mix the two.
func (f *Filter) ContainsBytes(key []byte) bool { return f.ContainsHash(f.params.Hash.Bytes(key)) }

// ContainsHash is Contains for a caller who holds a good 64-bit hash of the key.
// It is used as it is.
func (f *Filter) ContainsHash(hash uint64) bool {
	return f.table.has(hash) && (!f.counting || f.countIn(hash) != 0)
}

// Add adds key. It returns sketchproof.ErrFull when there is no room: when the
// entries are as many as Slots, or where they crowd so much at the end of the table
// that one more would leave it. The filter is then unchanged. What a Filter holds already
// needs no room and is never refused.
func (f *Filter) Add(key uint64) error { return f.AddHash(f.params.Hash.Uint64(key)) }

// AddBytes is Add for a byte string.
func (f *Filter) AddBytes(key []byte) error { return f.AddHash(f.params.Hash.Bytes(key)) }

// AddHash is Add for a hash.
func (f *Filter) AddHash(hash uint64) error {
	q, remainder := f.table.split(hash)
	if f.counting {
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
	u := t.free(p)
	if f.used == f.params.Slots || u == t.slots {
		return sketchproof.ErrFull
	}
	t.insert(q, p, u, remainder, fresh, p == end)
	f.used++
	f.count++
	return nil
}

// Params returns the geometry.
func (f *Filter) Params() Params { return f.params }

// Hash is the hash function.
func (f *Filter) Hash() hashing.Hasher { return f.params.Hash }

// Slots is the number of quotients, and of the entries that fit.
func (f *Filter) Slots() uint64 { return f.params.Slots }

// RemainderBits is the length of a remainder in bits.
func (f *Filter) RemainderBits() int { return f.params.RemainderBits }

// Len is the number of fingerprints held, in a Counting filter with their copies: of
// keys. It is math.MaxInt for more.
func (f *Filter) Len() int { return int(min(f.count, math.MaxInt)) }

// Used is the number of slots that are taken: by fingerprints, and by the counters
// of those held more than once.
func (f *Filter) Used() uint64 { return f.used }

// Load is the share of slots that are taken, 0 to 1.
func (f *Filter) Load() float64 { return float64(f.used) / float64(f.params.Slots) }

// SizeBytes is the size of the table in bytes: RemainderBits + 2.25 bits for each
// of its slots, of which there are 2 sqrt(Slots) + 32 more than Slots, rounded up
// to blocks of 64.
func (f *Filter) SizeBytes() int { return len(f.table.data) }
