package bloom

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

const (
	// MaxBits is the largest m: 2^40 bits, 128 GiB. New refuses more with an
	// error. It cannot know how much memory the machine has: within the limit,
	// a filter larger than that ends the program, as any allocation does.
	MaxBits uint64 = 1 << 40
	// MaxK is the largest number of probes, enough for a rate of 2^-64: beyond
	// it two keys may well share the whole 64-bit hash.
	MaxK uint64 = 64

	// maxM is MaxBits, or on a 32-bit machine the most that one slice can hold.
	maxM = 64 * min(MaxBits/64, math.MaxInt/8)
)

// Params say which filter to make.
type Params struct {
	// M is the number of bits, from 1 to MaxBits.
	M uint64
	// K is the number of probes a key, from 1 to MaxK.
	K uint64
	// Scheme draws the probes. The zero value is Derived.
	Scheme Scheme
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

// check returns an error that says what is allowed.
func (p Params) check() error {
	switch {
	case p.M < 1:
		return fmt.Errorf("bloom: a filter of 0 bits holds nothing: m is 1 to %d", maxM)
	case p.M > maxM:
		return fmt.Errorf("bloom: %d bits ask for %d bytes: m is 1 to %d", p.M, p.M/8, maxM)
	case p.K < 1 || p.K > MaxK:
		return fmt.Errorf("bloom: %d probes: k is 1 to %d", p.K, MaxK)
	case !p.Scheme.Valid():
		return fmt.Errorf("bloom: %v: the schemes are %v", p.Scheme, Schemes())
	case p.Scheme == Partitioned && p.M%p.K != 0:
		return fmt.Errorf("bloom: %d bits are not %d slices of one length: k must divide m", p.M, p.K)
	}
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("bloom: %w", err)
	}
	return nil
}

// words is the number of 64-bit words that hold m bits.
func words(m uint64) uint64 { return (m + 63) / 64 }

// A Filter is a classic Bloom filter (Bloom 1970). Make one with New or
// ForRate; the zero value is good for UnmarshalBinary only.
type Filter struct {
	words  []uint64 // bit i is bit i%64 of word i/64; bits from m on are 0
	m, k   uint64
	reach  uint64 // the bits that one probe of the chain is drawn from: m, or m/k of Partitioned
	scheme Scheme
	hash   hashing.Hasher
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
	_ sketchproof.Merger[*Filter]  = (*Filter)(nil)
)

// New makes an empty filter. It returns an error for parameters out of range,
// before it allocates anything.
func New(p Params) (*Filter, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	reach := p.M
	if p.Scheme == Partitioned {
		reach = p.M / p.K
	}
	return &Filter{
		words: make([]uint64, words(p.M)),
		m:     p.M, k: p.K, reach: reach, scheme: p.Scheme, hash: p.Hash,
	}, nil
}

// ForRate makes an empty filter of the Derived scheme that is sized for n keys
// at the false-positive rate p by the rule; see Size for what is allowed.
func ForRate(n uint64, p float64, rule Rounding, hash hashing.Hasher) (*Filter, error) {
	m, k, err := Size(n, p, rule)
	if err != nil {
		return nil, err
	}
	return New(Params{M: m, K: k, Hash: hash})
}

// ForRatePartitioned is ForRate for the Partitioned scheme, by SizePartitioned.
func ForRatePartitioned(n uint64, p float64, hash hashing.Hasher) (*Filter, error) {
	m, k, err := SizePartitioned(n, p)
	if err != nil {
		return nil, err
	}
	return New(Params{M: m, K: k, Scheme: Partitioned, Hash: hash})
}

// M is the number of bits.
func (f *Filter) M() uint64 { return f.m }

// K is the number of probes a key.
func (f *Filter) K() uint64 { return f.k }

// Scheme is how the probes are drawn.
func (f *Filter) Scheme() Scheme { return f.scheme }

// Hash is the hash function.
func (f *Filter) Hash() hashing.Hasher { return f.hash }

// Params are what New makes an empty filter like this one of.
func (f *Filter) Params() Params { return Params{M: f.m, K: f.k, Scheme: f.scheme, Hash: f.hash} }

// SizeBytes is the memory of the bits, in whole 64-bit words.
func (f *Filter) SizeBytes() int { return 8 * len(f.words) }

// Bit reports whether bit i is set. It panics for i >= M.
func (f *Filter) Bit(i uint64) bool {
	if i >= f.m {
		panic(fmt.Sprintf("bloom: bit %d of %d", i, f.m))
	}
	return f.words[i/64]>>(i%64)&1 == 1
}

// Words returns a copy of the bits: bit i is bit i%64 of word i/64.
func (f *Filter) Words() []uint64 {
	out := make([]uint64, len(f.words))
	copy(out, f.words)
	return out
}
