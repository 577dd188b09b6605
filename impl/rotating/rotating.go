package rotating

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

const (
	// HalfFull is the fill that a zero Params.Fill stands for: the fill of a Bloom
	// filter at its capacity.
	HalfFull = 0.5
	// NoFill is the fill of a filter that rotates by age or by hand only.
	NoFill = -1

	// maxM is bloom.MaxBits, or on a 32-bit machine the most that one slice can
	// hold.
	maxM = 64 * min(bloom.MaxBits/64, math.MaxInt/8)
)

// Params say which filter to make.
type Params struct {
	// M is the number of bits of each of the two filters, from 1 to bloom.MaxBits.
	M uint64
	// K is the number of probes a key, from 1 to bloom.MaxK.
	K uint64
	// Fill is the share of the current bits that may be set: an addition that
	// could set more rotates first; of writers at work at one time, each may set K
	// more. It is at most 1. 0 stands for HalfFull, and NoFill for no such rotation.
	Fill float64
	// Age is how long a period lasts by the times that Tick is told. 0 is forever.
	Age time.Duration
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

// complete puts the defaults in and returns an error that says what is allowed.
func (p Params) complete() (Params, error) {
	if p.Fill == 0 {
		p.Fill = HalfFull
	}
	switch {
	case p.M < 1 || p.M > maxM:
		return p, fmt.Errorf("rotating: %d bits: m is 1 to %d", p.M, maxM)
	case p.K < 1 || p.K > bloom.MaxK:
		return p, fmt.Errorf("rotating: %d probes: k is 1 to %d", p.K, bloom.MaxK)
	case p.Fill != NoFill && !(p.Fill > 0 && p.Fill <= 1):
		return p, fmt.Errorf("rotating: the fill %v is neither NoFill nor above 0 and at most 1", p.Fill)
	case p.Age < 0:
		return p, fmt.Errorf("rotating: the age %v is negative", p.Age)
	}
	if err := p.Hash.Check(); err != nil {
		return p, fmt.Errorf("rotating: %w", err)
	}
	return p, nil
}

// A pair is the two filters that are asked. It never changes, but its bits do.
type pair struct {
	current  *half
	previous *half // nil before the first rotation
}

// A Filter is a rotating Bloom filter. Make one with New or ForRate; the zero
// value is good for UnmarshalBinary only. It must not be copied.
type Filter struct {
	params Params
	limit  uint64 // the bits of the current filter that may be set
	pair   atomic.Pointer[pair]

	rotation sync.Mutex // held by whoever replaces the pair
	since    time.Time  // when the period began, by Tick; zero if it was not told yet
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

// New makes an empty filter. It returns an error for parameters out of range,
// before it allocates anything.
func New(p Params) (*Filter, error) {
	f := new(Filter)
	if err := f.shape(p); err != nil {
		return nil, err
	}
	f.pair.Store(&pair{current: newHalf(f.params.M)})
	return f, nil
}

// shape gives f its parameters.
func (f *Filter) shape(p Params) error {
	p, err := p.complete()
	if err != nil {
		return err
	}
	f.params, f.limit = p, math.MaxUint64
	if p.Fill != NoFill {
		f.limit = uint64(p.Fill * float64(p.M))
	}
	return nil
}

// Params are those that the filter was made with, defaults put in.
func (f *Filter) Params() Params { return f.params }

// Hash is the hash function.
func (f *Filter) Hash() hashing.Hasher { return f.params.Hash }

// SizeBytes is the memory of the bits in whole 64-bit words: of one filter before
// the first rotation, of both after it. While a rotation is under way, there is a
// third.
func (f *Filter) SizeBytes() int {
	p := f.pair.Load()
	size := 8 * len(p.current.words)
	if p.previous != nil {
		size *= 2
	}
	return size
}

// Add adds a key to the current filter. It rotates first where the fill asks for
// it; the error is always nil.
func (f *Filter) Add(key uint64) error { return f.AddHash(f.params.Hash.Uint64(key)) }

// AddBytes is Add for a byte string. A number and its eight bytes are one key
// where the hash family says so (all but SHA256); do not rely on it.
func (f *Filter) AddBytes(key []byte) error { return f.AddHash(f.params.Hash.Bytes(key)) }

// AddHash is Add for a good 64-bit hash in place of a key: it does what Add does
// for a key of that hash.
func (f *Filter) AddHash(hash uint64) error {
	for !f.addTo(f.pair.Load(), hash) {
	}
	return nil
}

// addTo adds a hash to the current filter of p and reports whether p is still the
// pair: if not, the key is short of a period, or nowhere.
func (f *Filter) addTo(p *pair, hash uint64) bool {
	m, k := f.params.M, f.params.K
	if !p.current.contains(hash, m, k) { // look first: that takes no cache line from another core
		if set := p.current.set.Load(); set > 0 && set+k > f.limit {
			f.rotateFrom(p)
			return false
		}
		p.current.add(hash, m, k)
	}
	return f.pair.Load() == p
}

// Contains reports whether the key may have been added within the window: false
// is certain, until the second rotation after it was added.
func (f *Filter) Contains(key uint64) bool { return f.ContainsHash(f.params.Hash.Uint64(key)) }

// ContainsBytes is Contains for a byte string.
func (f *Filter) ContainsBytes(key []byte) bool { return f.ContainsHash(f.params.Hash.Bytes(key)) }

// ContainsHash is Contains for a hash that AddHash would take.
func (f *Filter) ContainsHash(hash uint64) bool {
	p := f.pair.Load()
	return p.current.contains(hash, f.params.M, f.params.K) ||
		p.previous != nil && p.previous.contains(hash, f.params.M, f.params.K)
}

// Rotate starts a period: keys that were last added before the present one are
// forgotten.
func (f *Filter) Rotate() {
	f.rotation.Lock()
	defer f.rotation.Unlock()
	f.rotate()
}

// Tick tells the filter the time, and rotates it if the period has lasted for
// Age. It reports whether it did. A period begins with the first Tick after the
// rotation before, or after New; so whatever is added is found for Age at least,
// by the times of Tick, if the fill leaves it that long. However late a Tick
// comes, it rotates once: what was added just before it must not be lost.
func (f *Filter) Tick(now time.Time) bool {
	if f.params.Age == 0 {
		return false
	}
	f.rotation.Lock()
	defer f.rotation.Unlock()
	switch {
	case f.since.IsZero():
		f.since = now
	case now.Sub(f.since) >= f.params.Age:
		f.rotate()
		f.since = now
		return true
	}
	return false
}

// rotateFrom rotates, unless another has done so since p was the pair.
func (f *Filter) rotateFrom(p *pair) {
	f.rotation.Lock()
	defer f.rotation.Unlock()
	if f.pair.Load() == p {
		f.rotate()
	}
}

func (f *Filter) rotate() {
	f.pair.Store(&pair{current: newHalf(f.params.M), previous: f.pair.Load().current})
	f.since = time.Time{}
}
