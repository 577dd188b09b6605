package topk

import (
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// An index finds the counter of a key: a hash table with linear probing, at most
// half full. It grows with what it holds, not with k.
type index struct {
	hash  hashing.Hasher
	slots []slot
	shift int // the home of a key is the leading bits of its hash
	used  int
}

type slot struct {
	key     uint64
	counter int32 // and 1; 0 is an empty slot
}

const firstSlots = 16

func newIndex(hash hashing.Hasher) index {
	return index{hash: hash, slots: make([]slot, firstSlots), shift: 64 - bits.TrailingZeros(firstSlots)}
}

func (x *index) clone() index {
	c := *x
	c.slots = slices.Clone(x.slots)
	return c
}

func (x *index) sizeBytes() int { return 16 * len(x.slots) }

func (x *index) home(key uint64) int { return int(x.hash.Uint64(key) >> (x.shift & 63)) }

// find is the counter of a key, -1 if it has none.
func (x *index) find(key uint64) int32 {
	slots := x.slots
	for i := x.home(key); ; i++ {
		at := &slots[i&(len(slots)-1)]
		if at.key == key || at.counter == 0 {
			return at.counter - 1
		}
	}
}

// insert takes a key that is not in yet.
func (x *index) insert(key uint64, counter int32) {
	if 2*(x.used+1) > len(x.slots) {
		x.reserve(x.used + 1)
	}
	x.used++
	mask := len(x.slots) - 1
	i := x.home(key) & mask
	for x.slots[i].counter != 0 {
		i = (i + 1) & mask
	}
	x.slots[i] = slot{key, counter + 1}
}

// reserve makes room for a number of keys.
func (x *index) reserve(keys int) {
	size := len(x.slots)
	for size < 2*keys {
		size *= 2
	}
	if size == len(x.slots) {
		return
	}
	old := x.slots
	x.slots, x.used, x.shift = make([]slot, size), 0, 64-bits.TrailingZeros(uint(size))
	for _, s := range old {
		if s.counter != 0 {
			x.insert(s.key, s.counter-1)
		}
	}
}

// remove takes a key out that is in, and moves those up that were behind it for
// its sake.
func (x *index) remove(key uint64) {
	mask := len(x.slots) - 1
	i := x.home(key) & mask
	for x.slots[i].key != key || x.slots[i].counter == 0 {
		i = (i + 1) & mask
	}
	x.used--
	for j := (i + 1) & mask; x.slots[j].counter != 0; j = (j + 1) & mask {
		if home := x.home(x.slots[j].key) & mask; (j-home)&mask >= (j-i)&mask {
			x.slots[i] = x.slots[j]
			i = j
		}
	}
	x.slots[i] = slot{}
}
