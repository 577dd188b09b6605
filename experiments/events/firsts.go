package events

import "math/bits"

// firsts is news for sketches that may notice the first of every value at each
// address. Hashes of value k at one address are 2^(width-k), and one of the
// greatest value, width + 1.
type firsts struct {
	width uint
	seen  []uint64 // of each address, bit k-1 for value k
	left  []int    // left[k] is the number of addresses that have not seen k
	// The first left[k] of class[k] are those addresses. It is nil where it is yet
	// to be built: above the values that come at this time, and when all have seen k.
	class  [][]uint32
	spare  [][]uint32 // the memory of classes that are used up
	lowest uint       // every address has seen all values below it
	total  uint64
}

func newFirsts(width uint) *firsts {
	s := &firsts{
		width: width, seen: make([]uint64, 1<<(64-width)),
		left: make([]int, width+2), class: make([][]uint32, width+2), lowest: 1,
	}
	for k := range s.left {
		s.left[k] = len(s.seen)
	}
	return s
}

func (s *firsts) size() uint64 { return s.total }

// shift is the number of free bits in a hash of value k: all behind its first
// one, which the greatest value does not have.
func (s *firsts) shift(k uint) uint { return s.width - min(k, s.width) }

func (s *firsts) see(hash uint64) {
	i := hash >> s.width
	k := s.width + 1 - uint(bits.Len64(hash&(1<<s.width-1)))
	if s.seen[i]>>(k-1)&1 == 0 {
		s.drop(k)
		s.saw(i, k)
	}
}

// saw notes that address i has seen the value k, its first.
func (s *firsts) saw(i uint64, k uint) {
	s.seen[i] |= 1 << (k - 1)
	s.left[k]--
	s.total -= 1 << s.shift(k)
}

// drop forgets a class, which is to be built anew.
func (s *firsts) drop(k uint) {
	if s.class[k] != nil {
		s.spare = append(s.spare, s.class[k])
		s.class[k] = nil
	}
}

func (s *firsts) build(k uint) []uint32 {
	var class []uint32
	if last := len(s.spare) - 1; last >= 0 {
		class, s.spare = s.spare[last], s.spare[:last]
	} else {
		class = make([]uint32, len(s.seen))
	}
	n := 0
	for i, seen := range s.seen {
		if seen>>(k-1)&1 == 0 {
			class[n] = uint32(i)
			n++
		}
	}
	return class
}

func (s *firsts) take(r uint64) uint64 {
	k := s.lowest
	for s.left[k] == 0 {
		s.drop(k)
		k++
	}
	s.lowest = k
	shift := s.shift(k)
	for w := uint64(s.left[k]) << shift; r >= w; w = uint64(s.left[k]) << shift {
		r -= w
		k++
		shift = s.shift(k)
	}
	if s.class[k] == nil {
		s.class[k] = s.build(k)
	}
	class, j := s.class[k], r>>shift
	i := uint64(class[j])
	s.saw(i, k)
	class[j] = class[s.left[k]]

	tail := r & (1<<shift - 1)
	if k <= s.width {
		tail |= 1 << shift // the first one
	}
	return i<<s.width | tail
}
