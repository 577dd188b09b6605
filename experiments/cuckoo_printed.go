package experiments

import (
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A printedCuckoo is the cuckoo filter that “Bloom Filters & Probabilistic Data
// Structures” prints, to put its code on trial as it stands. Three things set it
// apart from the filter of Fan et al. 2014. The other bucket is
// (index XOR hash(tag)) mod buckets, which is not its own inverse unless the
// number of buckets is a power of two. Python's hash of a small integer is the
// integer, so partners lie within 2^f buckets of one another. And a refused
// insertion drops the last tag that it has kicked out.
//
// Its cryptographic hashes are replaced by XXH64 with two seeds, its generator by
// splitmix64: the claims are about neither.
type printedCuckoo struct {
	buckets      [][]uint32
	slots, bits  int
	first, print hashing.Hasher
	count        int
	random       keys
	drawn        int
}

// printedKicks is the default of the printed constructor.
const printedKicks = 500

var printedCuckooKind = cuckooKind{name: "printed-cuckoo", build: func(s cuckooShape, seed uint64) (cuckooTable, error) {
	return newPrintedCuckoo(s, seed), nil
}}

func newPrintedCuckoo(s cuckooShape, seed uint64) *printedCuckoo {
	return &printedCuckoo{
		buckets: make([][]uint32, s.buckets), slots: s.b, bits: s.f,
		first: hashing.XX(parts(seed, 0)), print: hashing.XX(parts(seed, 1)), random: keys(parts(seed, 2)),
	}
}

func (c *printedCuckoo) places(key uint64) (tag uint32, i, j int) {
	tag = uint32(c.print.Uint64(key)%(1<<c.bits-1)) + 1
	i = int(c.first.Uint64(key) % c.Buckets())
	return tag, i, c.other(i, tag)
}

// other is the printed _hash2.
func (c *printedCuckoo) other(i int, tag uint32) int {
	return int((uint64(i) ^ uint64(tag)) % c.Buckets())
}

// below draws a number below n.
func (c *printedCuckoo) below(n int) int {
	c.drawn++
	return int(hashing.Reduce(c.random.at(c.drawn), uint64(n)))
}

func (c *printedCuckoo) put(i int, tag uint32) bool {
	if len(c.buckets[i]) == c.slots {
		return false
	}
	c.buckets[i] = append(c.buckets[i], tag)
	c.count++
	return true
}

func (c *printedCuckoo) Add(key uint64) error {
	tag, i, j := c.places(key)
	if c.put(i, tag) || c.put(j, tag) {
		return nil
	}
	if c.below(2) == 1 {
		i = j
	}
	for range printedKicks {
		at := &c.buckets[i][c.below(len(c.buckets[i]))]
		tag, *at = *at, tag
		i = c.other(i, tag)
		if c.put(i, tag) {
			return nil
		}
	}
	return sketchproof.ErrFull
}

func (c *printedCuckoo) Contains(key uint64) bool {
	tag, i, j := c.places(key)
	return slices.Contains(c.buckets[i], tag) || slices.Contains(c.buckets[j], tag)
}

func (c *printedCuckoo) Remove(key uint64) error {
	tag, i, j := c.places(key)
	for _, bucket := range []int{i, j} {
		if at := slices.Index(c.buckets[bucket], tag); at >= 0 {
			c.buckets[bucket] = slices.Delete(c.buckets[bucket], at, at+1)
			c.count--
			return nil
		}
	}
	return sketchproof.ErrNotFound
}

func (c *printedCuckoo) Len() int             { return c.count }
func (c *printedCuckoo) Buckets() uint64      { return uint64(len(c.buckets)) }
func (c *printedCuckoo) Slots() int           { return c.slots }
func (c *printedCuckoo) FingerprintBits() int { return c.bits }

// SizeBytes is what the tags would take, packed.
func (c *printedCuckoo) SizeBytes() int { return (len(c.buckets)*c.slots*c.bits + 7) / 8 }
