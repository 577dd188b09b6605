package events

import "math/bits"

// firsts is news for sketches that may notice the first of every value at each
// address. Hashes of value k at one address are 2^(width-k), and one of the
// greatest value, width + 1. Addresses are numbers of type I, 16 bits where they
// fit: the classes, used at random, are more than the first cache holds.
type firsts[I uint16 | uint32] struct {
	width uint
	left  []int // left[k] is the number of addresses that have not seen k
	// The first left[k] of class[k] are those addresses. It is nil where it is yet
	// to be built: above the values that come at this time, and when all have seen k.
	class [][]I
	// seen has bit k-1 of each address that has seen k, but for those that have since
	// noted[k] were left: class[k] has them from left[k] to there. To note each at
	// once would cost an access to memory far from the class.
	seen   []uint64
	noted  []int
	spare  [][]I // the memory of classes that are used up
	lowest uint  // every address has seen all values below it
	total  uint64
}

func newFirsts[I uint16 | uint32](width uint) *firsts[I] {
	s := &firsts[I]{
		width: width, seen: make([]uint64, 1<<(64-width)),
		left: make([]int, width+2), noted: make([]int, width+2), class: make([][]I, width+2), lowest: 1,
	}
	for k := range s.left {
		s.left[k] = len(s.seen)
	}
	return s
}

func (s *firsts[I]) size() uint64 { return s.total }

// shift is the number of free bits in a hash of value k: all behind its first
// one, which the greatest value does not have.
func (s *firsts[I]) shift(k uint) uint { return s.width - min(k, s.width) }

func (s *firsts[I]) see(hash uint64) {
	i := hash >> s.width
	k := s.width + 1 - uint(bits.Len64(hash&(1<<s.width-1)))
	s.note(k)
	if s.seen[i]>>(k-1)&1 == 0 {
		s.drop(k)
		s.seen[i] |= 1 << (k - 1)
		s.left[k]--
		s.total -= 1 << s.shift(k)
	}
}

// note notes in seen what was taken from class k.
func (s *firsts[I]) note(k uint) {
	if s.class[k] == nil {
		return
	}
	for _, i := range s.class[k][s.left[k]:s.noted[k]] {
		s.seen[i] |= 1 << (k - 1)
	}
	s.noted[k] = s.left[k]
}

// drop forgets a class, which is to be built anew.
func (s *firsts[I]) drop(k uint) {
	if s.class[k] != nil {
		s.note(k)
		s.spare = append(s.spare, s.class[k])
		s.class[k] = nil
	}
}

func (s *firsts[I]) build(k uint) []I {
	var class []I
	if last := len(s.spare) - 1; last >= 0 {
		class, s.spare = s.spare[last], s.spare[:last]
	} else {
		class = make([]I, len(s.seen))
	}
	n := 0
	for i, seen := range s.seen {
		if seen>>(k-1)&1 == 0 {
			class[n] = I(i)
			n++
		}
	}
	s.noted[k] = n
	return class
}

func (s *firsts[I]) take(r uint64) (hash, size uint64) {
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
	last := s.left[k] - 1
	s.left[k] = last
	s.total -= 1 << shift
	class, j := s.class[k], r>>shift
	i := class[j]
	class[j], class[last] = class[last], i

	tail := r & (1<<shift - 1)
	if k <= s.width {
		tail |= 1 << shift // the first one
	}
	return uint64(i)<<s.width | tail, s.total
}
