package scalable

import (
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

const (
	// DefaultGrowth is the growth that a zero Params.Growth stands for. Almeida et
	// al. advise 2 where little growth is expected and 4 where much is.
	DefaultGrowth = 2
	// MaxGrowth is the largest growth.
	MaxGrowth = 1 << 10
	// DefaultTightening is the tightening that a zero Params.Tightening stands
	// for, within the 0.8 to 0.9 that Almeida et al. advise.
	DefaultTightening = 0.85
)

// Params say which filter to make.
type Params struct {
	// Capacity is the number of keys of the first link; 0 counts as 1.
	Capacity uint64
	// Rate is the false-positive rate that the chain keeps at any length, between
	// 0 and 1.
	Rate float64
	// Growth is s: each link is sized for s times the keys of the one before, from
	// 1 to MaxGrowth. 0 stands for DefaultGrowth.
	Growth uint64
	// Tightening is r: each link's rate is r times that of the one before,
	// between 0 and 1. 0 stands for DefaultTightening.
	Tightening float64
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

// complete puts the defaults in and returns an error that says what is allowed.
func (p Params) complete() (Params, error) {
	p.Capacity = max(p.Capacity, 1)
	if p.Growth == 0 {
		p.Growth = DefaultGrowth
	}
	if p.Tightening == 0 {
		p.Tightening = DefaultTightening
	}
	switch {
	case !(p.Rate > 0 && p.Rate < 1):
		return p, fmt.Errorf("scalable: the rate %v is not inside (0, 1)", p.Rate)
	case p.Growth > MaxGrowth:
		return p, fmt.Errorf("scalable: growth %d: it is 1 to %d", p.Growth, MaxGrowth)
	case !(p.Tightening > 0 && p.Tightening < 1):
		return p, fmt.Errorf("scalable: the tightening %v is not inside (0, 1)", p.Tightening)
	}
	if err := p.Hash.Check(); err != nil {
		return p, fmt.Errorf("scalable: %w", err)
	}
	return p, nil
}

// A Filter is a scalable Bloom filter. Make one with New; the zero value is good
// for UnmarshalBinary only.
type Filter struct {
	params Params
	links  []link // oldest first, at least one
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

// New makes an empty filter of one link. It returns an error for parameters out
// of range, before it allocates anything.
func New(p Params) (*Filter, error) {
	p, err := p.complete()
	if err != nil {
		return nil, err
	}
	first, err := p.firstLink()
	if err != nil {
		return nil, err
	}
	return &Filter{params: p, links: []link{first}}, nil
}

// Params are those that the filter was made with, defaults put in.
func (f *Filter) Params() Params { return f.params }

// Hash is the hash function.
func (f *Filter) Hash() hashing.Hasher { return f.params.Hash }

// SizeBytes is the memory of the bits of all links, in whole 64-bit words.
func (f *Filter) SizeBytes() int {
	size := 0
	for i := range f.links {
		size += 8 * len(f.links[i].words)
	}
	return size
}

// Add adds a key, unless it is found already. A filter takes any number of keys,
// until the next link would be larger than bloom.MaxBits or have a rate below
// 2^-64: Add then returns sketchproof.ErrFull, and the filter is as it was.
// Within the limits it cannot know how much memory the machine has.
func (f *Filter) Add(key uint64) error { return f.AddHash(f.params.Hash.Uint64(key)) }

// AddBytes is Add for a byte string. A number and its eight bytes are one key
// where the hash family says so (all but SHA256); do not rely on it.
func (f *Filter) AddBytes(key []byte) error { return f.AddHash(f.params.Hash.Bytes(key)) }

// AddHash is Add for a good 64-bit hash in place of a key: it does what Add does
// for a key of that hash.
func (f *Filter) AddHash(hash uint64) error {
	if f.ContainsHash(hash) {
		return nil
	}
	newest := &f.links[len(f.links)-1]
	if newest.hasRoom(hash) {
		newest.add(hash)
		return nil
	}
	next, err := f.params.after(newest)
	if err != nil {
		return fmt.Errorf("%w: %w", sketchproof.ErrFull, err)
	}
	next.add(hash)
	f.links = append(f.links, next)
	return nil
}

// Contains reports whether the key may have been added: false is certain. It
// asks the links from the newest, which holds the most keys, to the oldest.
func (f *Filter) Contains(key uint64) bool { return f.ContainsHash(f.params.Hash.Uint64(key)) }

// ContainsBytes is Contains for a byte string.
func (f *Filter) ContainsBytes(key []byte) bool { return f.ContainsHash(f.params.Hash.Bytes(key)) }

// ContainsHash is Contains for a hash that AddHash would take.
func (f *Filter) ContainsHash(hash uint64) bool {
	for i := len(f.links) - 1; i >= 0; i-- {
		if f.links[i].contains(hash) {
			return true
		}
	}
	return false
}

// Visits is the number of links that Contains asks about the key: all of them for
// a key that is not found.
func (f *Filter) Visits(key uint64) int {
	hash := f.params.Hash.Uint64(key)
	for i := len(f.links) - 1; i >= 0; i-- {
		if f.links[i].contains(hash) {
			return len(f.links) - i
		}
	}
	return len(f.links)
}
