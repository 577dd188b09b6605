package hll

import (
	"math/bits"
	"slices"
)

// The sparse form is a set of codes. A code is a hash cut to 32 bits: its first
// 26 and, in six more, the rank of the other 38, so that a register of any
// precision can be told from it. Heule, Nunkesser and Hall 2013 (section 5.3) cut
// at 25 and keep the rank only where the register needs it; keeping it always
// costs nothing here, does not depend on the precision, and lets fewer keys fall
// together: two do with probability 2^-26 (1/4 + 1/16 + ...) = 2^-26 / 3.
const (
	codeBits = 26
	rankBits = 6
	maxRank  = 65 - codeBits
	// together is the probability that two keys have one code.
	together = 1. / (3 << codeBits)
)

func codeOf(hash uint64) uint32 {
	i, rank := place(hash, codeBits)
	return uint32(i)<<rankBits | uint32(rank)
}

// placeOf is the register of precision p, and the rank there, of all hashes
// that have the code.
func placeOf(code uint32, p int) (i uint64, rank uint8) {
	index, rest := code>>rankBits, codeBits-p
	if low := index & (1<<rest - 1); low != 0 {
		rank = uint8(rest - bits.Len32(low) + 1)
	} else {
		rank = uint8(rest) + uint8(code&(1<<rankBits-1))
	}
	return uint64(index >> rest), rank
}

// A codeSet is a hash table with linear probing. No code is 0, which marks a
// free slot. A code is a hash, so it is spread by its own value.
type codeSet struct {
	slots []uint32
	n     int
}

// firstSlots is the number of slots of an empty set, or all that are allowed.
const firstSlots = 16

// capacity is how many codes may be in so many slots: a look-up that fails then
// sees 8.5 slots on average (Knuth, volume 3, section 6.4), most of them in one
// cache line.
func capacity(slots int) int { return slots * 3 / 4 }

// mostSlots is the number of slots that take as much memory as the registers.
func (p Params) mostSlots() int { return p.Registers.bytes(1<<p.Precision) / 4 }

// slotsFor is the number of slots in which n codes lie, 0 when the registers
// take less. It depends on nothing else.
func (p Params) slotsFor(n int) int {
	most := p.mostSlots()
	if n > capacity(most) {
		return 0
	}
	slots := min(firstSlots, most)
	for n > capacity(slots) {
		slots = min(2*slots, most)
	}
	return slots
}

// find is the slot of a code, or the free one where it belongs.
func (c *codeSet) find(code uint32) (slot int, found bool) {
	slots := c.slots
	for i := int(uint64(code) * uint64(len(slots)) >> 32); ; i++ {
		if i == len(slots) {
			i = 0
		}
		if v := slots[i]; v == code || v == 0 {
			return i, v == code
		}
	}
}

// resize moves the set to so many slots.
func (c *codeSet) resize(slots int) {
	old := c.slots
	c.slots = make([]uint32, slots)
	for _, code := range old {
		if code != 0 {
			i, _ := c.find(code)
			c.slots[i] = code
		}
	}
}

func (c *codeSet) clone() *codeSet { return &codeSet{slices.Clone(c.slots), c.n} }

func (c *codeSet) equal(d *codeSet) bool {
	if c.n != d.n {
		return false
	}
	for _, code := range c.slots {
		if code != 0 {
			if _, found := d.find(code); !found {
				return false
			}
		}
	}
	return true
}

// sorted lists the codes in order.
func (c *codeSet) sorted() []uint32 {
	all := make([]uint32, 0, c.n)
	for _, code := range c.slots {
		if code != 0 {
			all = append(all, code)
		}
	}
	slices.Sort(all)
	return all
}

func (c *codeSet) register(i, p int) (value uint8) {
	for _, code := range c.slots {
		if code != 0 {
			if j, rank := placeOf(code, p); j == uint64(i) {
				value = max(value, rank)
			}
		}
	}
	return value
}

// estimate is the number of keys for the codes they left: each pair of keys has
// had its chance to fall together. It is exact to about 1/(sqrt(6) 2^13); see
// SparseError.
func (c *codeSet) estimate() float64 {
	d := float64(c.n)
	return d + d*(d-1)/2*together
}

// Sparse reports whether the sketch is in the sparse form now.
func (s *Sketch) Sparse() bool { return s.codes != nil }

func (s *Sketch) startSparse() {
	s.codes = &codeSet{slots: make([]uint32, s.params.slotsFor(0))}
	s.regs, s.stale = nil, true
	s.arm()
}

// takeCode takes in a code, whatever the form.
func (s *Sketch) takeCode(code uint32) {
	c := s.codes
	if c == nil {
		if i, rank := placeOf(code, s.params.Precision); rank > s.Register(int(i)) {
			s.raise(i, rank)
		}
		return
	}
	i, found := c.find(code)
	if found {
		return
	}
	if c.n == capacity(len(c.slots)) {
		slots := s.params.slotsFor(c.n + 1)
		if slots == 0 {
			s.turnDense()
			s.takeCode(code)
			return
		}
		c.resize(slots)
		i, _ = c.find(code)
	}
	c.slots[i] = code
	c.n++
}

// takeCodes takes in a set, which may be that of s.
func (s *Sketch) takeCodes(other *codeSet) {
	if s.codes == other {
		return
	}
	for _, code := range other.slots {
		if code != 0 {
			s.takeCode(code)
		}
	}
}

// turnDense replaces the set by the registers that it stands for.
func (s *Sketch) turnDense() {
	codes := s.codes
	s.codes, s.regs = nil, make([]byte, s.params.Registers.bytes(s.M()))
	s.hist, s.stale = histogram{0: int32(s.M())}, false
	s.arm()
	s.takeCodes(codes)
}
