package exact

import (
	"math"
	"math/bits"

	"github.com/sketchproof/sketchproof"
)

var (
	_ sketchproof.Frequency         = (*Counter)(nil)
	_ sketchproof.BytesFrequency    = (*Counter)(nil)
	_ sketchproof.Merger[*Counter]  = (*Counter)(nil)
	_ sketchproof.Cardinality       = (*Distinct)(nil)
	_ sketchproof.BytesCardinality  = (*Distinct)(nil)
	_ sketchproof.Merger[*Distinct] = (*Distinct)(nil)
)

// A Counter holds the exact weight of every key. Numbers and byte strings are
// kept apart.
type Counter struct {
	numbers map[uint64]uint64
	texts   map[string]uint64
	held    int // bytes of the strings in texts
}

// NewCounter makes an empty counter.
func NewCounter() *Counter {
	return &Counter{numbers: map[uint64]uint64{}, texts: map[string]uint64{}}
}

// plus adds weights and stays at the largest number where the sum exceeds it.
func plus(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return sum
}

// Add gives the key more weight. A sum beyond 2^64-1 stays there. No weight
// takes no memory.
func (c *Counter) Add(key, weight uint64) {
	if weight > 0 {
		c.numbers[key] = plus(c.numbers[key], weight)
	}
}

// AddBytes is Add for a byte string, of which it keeps a copy.
func (c *Counter) AddBytes(key []byte, weight uint64) {
	if weight == 0 {
		return
	}
	before, ok := c.texts[string(key)]
	if !ok {
		c.held += textBytes(key)
	}
	c.texts[string(key)] = plus(before, weight)
}

// Count is the weight that the key was given, 0 if none.
func (c *Counter) Count(key uint64) uint64 { return c.numbers[key] }

// CountBytes is Count for a byte string.
func (c *Counter) CountBytes(key []byte) uint64 { return c.texts[string(key)] }

// Merge adds the weights of other, which is unchanged. The error is always nil.
func (c *Counter) Merge(other *Counter) error {
	for key, weight := range other.numbers {
		c.Add(key, weight)
	}
	for key, weight := range other.texts {
		c.AddBytes([]byte(key), weight)
	}
	return nil
}

// SizeBytes estimates the memory of the maps and strings, as Map.SizeBytes does.
func (c *Counter) SizeBytes() int {
	return mapBytes(len(c.numbers), numberSlot) + mapBytes(len(c.texts), textSlot) + c.held
}

// Distinct counts distinct keys exactly: it holds them all.
type Distinct struct{ seen *Map }

// NewDistinct makes a count of no keys.
func NewDistinct() *Distinct { return &Distinct{NewMap()} }

// Add counts the key if it is new.
func (d *Distinct) Add(key uint64) { _ = d.seen.Add(key) }

// AddBytes is Add for a byte string. Numbers and byte strings are different
// keys.
func (d *Distinct) AddBytes(key []byte) { _ = d.seen.AddBytes(key) }

// Estimate is the number of distinct keys, exact below 2^53.
func (d *Distinct) Estimate() float64 { return float64(d.seen.Len()) }

// Merge counts the keys of other too, which is unchanged. The error is always
// nil.
func (d *Distinct) Merge(other *Distinct) error { return d.seen.Merge(other.seen) }

// SizeBytes is that of the set of all keys: see Map.SizeBytes.
func (d *Distinct) SizeBytes() int { return d.seen.SizeBytes() }
