package tinylfu

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Depth is the number of rows.
const Depth = 4

// Limit is the largest count of a counter.
const Limit = 15

// MaxWidth is the largest number of counters in a row: 2 GiB in all.
const MaxWidth = 1 << 30

// Params says how to build a Sketch.
type Params struct {
	// Width is the number of counters in each of the four rows, from 1 to
	// MaxWidth. The largest cache that it is meant for is a good width.
	Width int
	// Sample is the number of keys after which counters are halved, from 2 to 2^62.
	// Ten times the size of the cache is usual.
	Sample uint64
	// DoorBits is the size of the doorkeeper in bits, and DoorProbes its probes a
	// key; 0 and 0 for none.
	DoorBits, DoorProbes uint64
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

const maxSample = 1 << 62

func (p Params) check() error {
	switch {
	case p.Width < 1 || p.Width > MaxWidth:
		return fmt.Errorf("tinylfu: width %d, must be from 1 to %d", p.Width, MaxWidth)
	case p.Sample < 2 || p.Sample > maxSample:
		return fmt.Errorf("tinylfu: a sample of %d, must be from 2 to %d", p.Sample, uint64(maxSample))
	case (p.DoorBits == 0) != (p.DoorProbes == 0):
		return fmt.Errorf("tinylfu: a doorkeeper of %d bits and %d probes, must be both or none", p.DoorBits, p.DoorProbes)
	}
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("tinylfu: %w", err)
	}
	return nil
}

// A Sketch counts keys. Make one with New or UnmarshalBinary: the zero value has no
// counters. Methods that change nothing may run at the same time as each other,
// but not while another method changes the sketch.
type Sketch struct {
	params Params
	rowLen uint64   // words in a row
	words  []uint64 // sixteen counters each, row by row
	door   *bloom.Filter
	events uint64 // in the sample so far, below Sample
	halved uint64
}

// New returns an empty sketch. It refuses parameters out of range before it
// allocates anything.
func New(p Params) (*Sketch, error) {
	s, err := empty(p)
	if err != nil {
		return nil, err
	}
	s.words = make([]uint64, Depth*s.rowLen)
	if p.DoorBits > 0 {
		if s.door, err = bloom.New(p.doorkeeper()); err != nil {
			return nil, fmt.Errorf("tinylfu: doorkeeper: %w", err)
		}
	}
	return s, nil
}

func (p Params) doorkeeper() bloom.Params {
	return bloom.Params{M: p.DoorBits, K: p.DoorProbes, Hash: p.Hash}
}

// empty is a sketch without its tables.
func empty(p Params) (*Sketch, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return &Sketch{params: p, rowLen: (uint64(p.Width) + 15) / 16}, nil
}

// Add counts one occurrence of a numeric key.
func (s *Sketch) Add(key uint64) { s.AddHash(s.params.Hash.Uint64(key)) }

// AddBytes counts one occurrence of a byte string, which it does not keep.
func (s *Sketch) AddBytes(key []byte) { s.AddHash(s.params.Hash.Bytes(key)) }

// AddHash counts one occurrence of the key behind a well-mixed 64-bit hash, which
// takes the place of the sketch's own hash.
func (s *Sketch) AddHash(hash uint64) {
	if s.door != nil && !s.door.ContainsHash(hash) {
		_ = s.door.AddHash(hash) // never fails
	} else {
		s.raise(hash)
	}
	if s.events++; s.events == s.params.Sample {
		s.halve()
	}
}

// raise is minimal increment: the least of a key's counters go up by one.
func (s *Sketch) raise(hash uint64) {
	words, shifts := s.places(hash)
	var counts [Depth]uint64
	least := uint64(Limit)
	for r := range Depth {
		counts[r] = s.words[words[r]] >> shifts[r] & Limit
		least = min(least, counts[r])
	}
	if least == Limit {
		return
	}
	for r, c := range counts {
		if c == least {
			s.words[words[r]] += 1 << shifts[r]
		}
	}
}

// places are the words and shifts of a key's counters: a number of the splitmix64
// stream that starts at its hash serves two rows, 32 bits each.
func (s *Sketch) places(hash uint64) (words [Depth]uint64, shifts [Depth]uint8) {
	w := uint64(s.params.Width)
	for r := range Depth {
		if r%2 == 0 {
			hash += hashing.Gamma
		}
		half := uint64(uint32(hashing.Mix(hash) >> (32 * (r % 2))))
		column := half * w >> 32
		words[r], shifts[r] = uint64(r)*s.rowLen+column/16, uint8(4*(column%16))
	}
	return words, shifts
}

// halve ages all counters and forgets first occurrences.
func (s *Sketch) halve() {
	const rest = 0x7777777777777777
	for i, w := range s.words {
		s.words[i] = w >> 1 & rest
	}
	if s.door != nil {
		s.door.Reset()
	}
	s.events /= 2
	s.halved++
}

// Estimate is how often a numeric key came lately: from 0 to 15, or 16 with a
// doorkeeper.
func (s *Sketch) Estimate(key uint64) int { return s.EstimateHash(s.params.Hash.Uint64(key)) }

// EstimateBytes is Estimate for a byte string.
func (s *Sketch) EstimateBytes(key []byte) int { return s.EstimateHash(s.params.Hash.Bytes(key)) }

// EstimateHash is Estimate for a key that was added by AddHash.
func (s *Sketch) EstimateHash(hash uint64) int {
	words, shifts := s.places(hash)
	least := uint64(Limit)
	for r := range Depth {
		least = min(least, s.words[words[r]]>>shifts[r]&Limit)
	}
	if s.door != nil && s.door.ContainsHash(hash) {
		least++
	}
	return int(least)
}

// Admit reports whether a cache should take in a new key at the price of an old
// one: whether it came more often lately. Between equals the old one stays.
func (s *Sketch) Admit(candidate, victim uint64) bool {
	return s.Estimate(candidate) > s.Estimate(victim)
}

// AdmitBytes is Admit for byte strings.
func (s *Sketch) AdmitBytes(candidate, victim []byte) bool {
	return s.EstimateBytes(candidate) > s.EstimateBytes(victim)
}

// Width is the number of counters in a row.
func (s *Sketch) Width() int { return s.params.Width }

// Sample is the number of keys after which counters are halved.
func (s *Sketch) Sample() uint64 { return s.params.Sample }

// Hash is the hash function.
func (s *Sketch) Hash() hashing.Hasher { return s.params.Hash }

// Params are what New makes an empty sketch like this one of.
func (s *Sketch) Params() Params { return s.params }

// Doorkeeper is a copy of the doorkeeper, nil if there is none.
func (s *Sketch) Doorkeeper() *bloom.Filter {
	if s.door == nil {
		return nil
	}
	return s.door.Clone()
}

// Events is the number of keys in the sample so far; a halving halves it.
func (s *Sketch) Events() uint64 { return s.events }

// Halvings is how often counters were halved.
func (s *Sketch) Halvings() uint64 { return s.halved }

// SizeBytes is the memory of counters and doorkeeper.
func (s *Sketch) SizeBytes() int {
	size := 8 * len(s.words)
	if s.door != nil {
		size += s.door.SizeBytes()
	}
	return size
}

// Clone returns a copy that shares nothing with s.
func (s *Sketch) Clone() *Sketch {
	c := *s
	c.words, c.door = slices.Clone(s.words), s.Doorkeeper()
	return &c
}

// Equal reports whether both were built alike and hold the same.
func (s *Sketch) Equal(other *Sketch) bool {
	return s.params == other.params && s.events == other.events && s.halved == other.halved &&
		slices.Equal(s.words, other.words) && (s.door == nil || s.door.Equal(other.door))
}

// Reset empties the sketch.
func (s *Sketch) Reset() {
	clear(s.words)
	if s.door != nil {
		s.door.Reset()
	}
	s.events, s.halved = 0, 0
}

// check keeps what counting relies on: a key raises a row by at most one, and sets
// at most as many bits of the doorkeeper as it has probes.
func (s *Sketch) check() error {
	if s.events >= s.params.Sample {
		return fmt.Errorf("%d keys in a sample of %d", s.events, s.params.Sample)
	}
	if s.halved > 0 && s.events < s.params.Sample/2 {
		return fmt.Errorf("%d keys in a sample of %d that was halved", s.events, s.params.Sample)
	}
	for r := range uint64(Depth) {
		sum, row := uint64(0), s.words[r*s.rowLen:(r+1)*s.rowLen]
		for _, w := range row {
			for ; w != 0; w >>= 4 {
				sum += w & Limit
			}
		}
		if unused := 4 * (16*s.rowLen - uint64(s.params.Width)); unused > 0 && row[s.rowLen-1]>>(64-unused) != 0 {
			return fmt.Errorf("row %d has more than %d counters", r, s.params.Width)
		}
		if sum > s.events {
			return fmt.Errorf("row %d adds up to %d after %d keys", r, sum, s.events)
		}
	}
	if s.door == nil {
		return nil
	}
	if hi, most := bits.Mul64(s.events, s.params.DoorProbes); hi == 0 && s.door.BitsSet() > most {
		return fmt.Errorf("%d bits of the doorkeeper are set after %d keys", s.door.BitsSet(), s.events)
	}
	return nil
}
