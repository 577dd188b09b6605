package infini

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

const (
	minLog, maxLog   = 6, 34
	minBits, maxBits = 2, 24
	maxStretch       = 16
)

// Params say which filter to start with.
type Params struct {
	// Log is the binary logarithm of the slots to start with, 6 to 34.
	Log int
	// FingerprintBits is the length of the first fingerprints, 2 to 24.
	FingerprintBits int
	// Stretch says how soon fingerprints get longer, 1 to 16: by two bits at
	// Stretch doublings, four at three times as many, six at seven times. A small one costs
	// space, a large one rate.
	Stretch int
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

// check returns an error that says what is allowed, for all but Hash, which Size
// leaves to the caller.
func (p Params) check() error {
	switch {
	case p.Log < minLog || p.Log > maxLog:
		return fmt.Errorf("infini: 2^%d slots, allowed are 2^%d to 2^%d", p.Log, minLog, maxLog)
	case p.FingerprintBits < minBits || p.FingerprintBits > maxBits:
		return fmt.Errorf("infini: fingerprints of %d bits, allowed are %d to %d", p.FingerprintBits, minBits, maxBits)
	case p.Stretch < 1 || p.Stretch > maxStretch:
		return fmt.Errorf("infini: stretch %d, allowed is 1 to %d", p.Stretch, maxStretch)
	case !p.fits(p.Log):
		return fmt.Errorf("infini: 2^%d slots do not fit this machine", p.Log)
	}
	return nil
}

// fits reports whether a table of 2^log slots may exist: neither its hashes nor
// its memory end before it does.
func (p Params) fits(log int) bool {
	bits := p.FingerprintBitsOf(log - p.Log)
	bytes := blocksOf(log)*8*uint64(bits+1+4) + 8
	return log <= maxLog && log+bits <= 64 && bytes <= math.MaxInt
}

// lastLog is that of the largest table that the filter grows to.
func (p Params) lastLog() int {
	log := p.Log
	for p.fits(log + 1) {
		log++
	}
	return log
}

// Size returns Params of a filter that starts with room for n keys (none are
// sized as one) and whose rate stays at most eps however it grows: Bound is
// at most eps. Of such it takes those with the shortest fingerprints after six
// doublings, then those with the shortest at the start, then the largest
// Stretch. It returns an error for eps outside (0, 1) or so small that it asks
// for fingerprints that are too long, below some 2e-7, and for n beyond the
// largest table.
func Size(n uint64, eps float64) (Params, error) {
	if !(eps > 0 && eps < 1) {
		return Params{}, fmt.Errorf("infini: the rate %v is not inside (0, 1)", eps)
	}
	log := minLog
	for Capacity(log) < n {
		if log++; log > maxLog {
			return Params{}, fmt.Errorf("infini: %d keys to start with: at most %d", n, Capacity(maxLog))
		}
	}
	const growth = 6
	var best Params
	for f := minBits; f <= maxBits; f++ {
		for c := maxStretch; c >= 1; c-- {
			p := Params{Log: log, FingerprintBits: f, Stretch: c}
			if p.check() != nil || Bound(p) > eps {
				continue
			}
			if best.Stretch == 0 || p.FingerprintBitsOf(growth) < best.FingerprintBitsOf(growth) {
				best = p
			}
			break // a smaller stretch is longer
		}
	}
	if best.Stretch == 0 {
		return Params{}, fmt.Errorf("infini: rate %v for %d keys asks for fingerprints of more than %d bits, or more memory than there can be", eps, n, maxBits)
	}
	return best, nil
}

// A Filter is a filter that grows. It is a multiset: a key added twice is held
// twice. Make one with New or ForRate; the zero value is good for
// UnmarshalBinary only.
type Filter struct {
	params  Params
	table   table
	keys    uint64
	entries uint64 // the keys that are in slots; the others' fingerprints are spent
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

// New makes an empty filter. It returns an error for parameters out of range,
// before it allocates anything.
func New(p Params) (*Filter, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := p.Hash.Check(); err != nil {
		return nil, fmt.Errorf("infini: %w", err)
	}
	return &Filter{params: p, table: newTable(p.Log, p.width(0))}, nil
}

// ForRate makes an empty filter of Size's parameters.
func ForRate(n uint64, eps float64, hash hashing.Hasher) (*Filter, error) {
	p, err := Size(n, eps)
	if err != nil {
		return nil, err
	}
	p.Hash = hash
	return New(p)
}

// width is the length of an entry after g doublings: older fingerprints have
// lost as many bits as the newest are longer, or more.
func (p Params) width(g int) uint64 { return uint64(p.FingerprintBitsOf(g)) + 1 }

// split cuts a hash into its quotient, and the fingerprint with room for the
// end mark.
func (f *Filter) split(hash uint64) (x, fingerprint uint64) {
	log, w := f.table.log, int(f.table.width)
	return hash >> (64 - log), hash << log >> (65 - w) << 1
}

// Contains reports whether key may be held. False is certain.
func (f *Filter) Contains(key uint64) bool { return f.ContainsHash(f.params.Hash.Uint64(key)) }

// ContainsBytes is Contains for a byte string.
func (f *Filter) ContainsBytes(key []byte) bool { return f.ContainsHash(f.params.Hash.Bytes(key)) }

// ContainsHash is Contains for a caller who holds a good 64-bit hash of the key.
func (f *Filter) ContainsHash(hash uint64) bool {
	x, fingerprint := f.split(hash)
	return f.table.contains(x, fingerprint)
}

// Add holds key, in a table of twice the size where this one is full. Doubling
// takes the time of all slots, and for that time the memory of both tables. Add
// returns sketchproof.ErrFull, and the filter answers as before, in two cases:
// one key was added too often, 4000 times in an empty table and some 400 times in
// a full one, or the table has grown
// to its limits: 2^34 slots, what the machine can address, or where quotient and
// fingerprint use up all 64 bits of the hash.
func (f *Filter) Add(key uint64) error { return f.AddHash(f.params.Hash.Uint64(key)) }

// AddBytes is Add for a byte string.
func (f *Filter) AddBytes(key []byte) error { return f.AddHash(f.params.Hash.Bytes(key)) }

// AddHash is Add for a good 64-bit hash.
func (f *Filter) AddHash(hash uint64) error {
	if f.entries >= Capacity(f.table.log) {
		if !f.params.fits(f.table.log + 1) {
			return sketchproof.ErrFull
		}
		f.double()
	}
	x, fingerprint := f.split(hash)
	if !f.table.insert(x, fingerprint|1) {
		return sketchproof.ErrFull
	}
	f.keys++
	f.entries++
	return nil
}

// double grows the table. No answer changes.
func (f *Filter) double() {
	f.table, f.entries = f.table.doubled(f.params.width(f.Doublings() + 1))
}

// Remove forgets one Add of key. It returns sketchproof.ErrNotFound, and changes
// nothing, when key is certainly absent. Removing a key that was never added may
// remove another that the filter takes for it.
//
// Of the entries that match it removes the longest. That loses no other key: what
// is left and shorter is a prefix of the removed one, and so stands for the key
// that it was of. A key so old that its fingerprint is spent is no longer counted,
// but goes on being found; once as many were removed as were spent, the next such
// removal returns sketchproof.ErrNotFound.
func (f *Filter) Remove(key uint64) error { return f.RemoveHash(f.params.Hash.Uint64(key)) }

// RemoveBytes is Remove for a byte string.
func (f *Filter) RemoveBytes(key []byte) error { return f.RemoveHash(f.params.Hash.Bytes(key)) }

// RemoveHash is Remove for a hash.
func (f *Filter) RemoveHash(hash uint64) error {
	x, fingerprint := f.split(hash)
	switch {
	case f.table.remove(x, fingerprint):
		f.entries--
	case f.keys == f.entries || !f.table.isVoid(x): // no key is without a slot, or not this one
		return sketchproof.ErrNotFound
	}
	f.keys--
	return nil
}

// Params are what the filter started with.
func (f *Filter) Params() Params { return f.params }

// Hash is the hash function.
func (f *Filter) Hash() hashing.Hasher { return f.params.Hash }

// Len is the number of keys held, repeats included. It is math.MaxInt for more.
func (f *Filter) Len() int { return int(min(f.keys, math.MaxInt)) }

// Slots is the number of slots now, the slack aside.
func (f *Filter) Slots() uint64 { return f.table.quotients() }

// Doublings is how many times the table has doubled.
func (f *Filter) Doublings() int { return f.table.log - f.params.Log }

// Load is the share of slots that are taken: at most 0.9.
func (f *Filter) Load() float64 { return float64(f.entries) / float64(f.Slots()) }

// SizeBytes is the memory of the table.
func (f *Filter) SizeBytes() int { return f.table.sizeBytes() }

// Lengths are the numbers of keys whose fingerprints now have 1, 2, 3 ... bits,
// at those indices. At 0 is the number of quotients in which everything is
// found, because a fingerprint there is spent.
func (f *Filter) Lengths() []uint64 {
	lengths := make([]uint64, f.table.width)
	for s := range f.table.length() {
		if e := f.table.at(s); e != 0 {
			lengths[int(f.table.width)-1-bits.TrailingZeros64(e)]++
		}
	}
	for _, w := range f.table.void {
		lengths[0] += uint64(bits.OnesCount64(w))
	}
	return lengths
}

// RateEstimate is this very filter's false-positive rate as its entries show it.
// It looks at every slot.
func (f *Filter) RateEstimate() float64 { return FPR(f.table.log, f.Lengths()) }

// Clone returns an independent copy.
func (f *Filter) Clone() *Filter {
	c := *f
	c.table.taken = slices.Clone(f.table.taken)
	c.table.ends = slices.Clone(f.table.ends)
	c.table.slots = slices.Clone(f.table.slots)
	c.table.void = slices.Clone(f.table.void)
	c.table.spill = slices.Clone(f.table.spill)
	return &c
}

// Equal reports whether both started alike and have the same entries in the same
// slots. The same keys added in another order may not be equal: what came before
// a doubling is shorter than what came after.
func (f *Filter) Equal(g *Filter) bool {
	return f.params == g.params && f.keys == g.keys && f.table.log == g.table.log &&
		slices.Equal(f.table.taken, g.table.taken) && slices.Equal(f.table.ends, g.table.ends) &&
		slices.Equal(f.table.slots, g.table.slots) && slices.Equal(f.table.void, g.table.void)
}

// Reset forgets all keys and goes back to the size of the start.
func (f *Filter) Reset() {
	f.table = newTable(f.params.Log, f.params.width(0))
	f.keys, f.entries = 0, 0
}
