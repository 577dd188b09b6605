package events

import "math/bits"

// records is news for sketches of maxima. A register of value v notices the
// hashes with more than v - 1 zeros: those whose last width bits are below
// 2^(width-v). There is one class of registers for every value.
type records struct {
	width uint    // bits behind the address
	value []uint8 // of each register, 0 to width + 1
	// The first count[v] of class[v] are the registers of value v; those of the
	// greatest value are left out. Classes are built when they are needed, since
	// see does not keep them up. They do not shrink and grow as slices: to write
	// pointers that often costs a fifth more.
	class  [][]uint32
	count  []int
	built  bool
	lowest int // no class below it has a register
	total  uint64
}

func newRecords(width uint) *records {
	return &records{
		width: width, value: make([]uint8, 1<<(64-width)),
		class: make([][]uint32, width+1), count: make([]int, width+1),
	}
}

func (s *records) size() uint64 { return s.total }

// noticed is the number of hashes that a register of value v notices.
func (s *records) noticed(v uint8) uint64 {
	if uint(v) > s.width {
		return 0
	}
	return 1 << (s.width - uint(v))
}

// valueOf is the value of the last width bits of a hash.
func (s *records) valueOf(tail uint64) uint8 { return uint8(s.width) + 1 - uint8(bits.Len64(tail)) }

func (s *records) see(hash uint64) {
	i, v := hash>>s.width, s.valueOf(hash&(1<<s.width-1))
	if old := s.value[i]; v > old {
		s.value[i] = v
		s.total -= s.noticed(old) - s.noticed(v)
		s.built = false
	}
}

func (s *records) build() {
	clear(s.count)
	for i, v := range s.value {
		s.put(v, uint32(i))
	}
	s.lowest, s.built = 0, true
}

// put puts register i, of value v, into its class.
func (s *records) put(v uint8, i uint32) {
	if uint(v) > s.width {
		return
	}
	if s.class[v] == nil {
		s.class[v] = make([]uint32, len(s.value))
	}
	s.class[v][s.count[v]] = i
	s.count[v]++
}

func (s *records) take(r uint64) (hash, size uint64) {
	if !s.built {
		s.build()
	}
	v := s.lowest
	for s.count[v] == 0 {
		v++
	}
	s.lowest = v
	shift := s.width - uint(v)
	for w := uint64(s.count[v]) << shift; r >= w; w = uint64(s.count[v]) << shift {
		r -= w
		v++
		shift--
	}
	s.count[v]--
	class, j := s.class[v], r>>shift
	i := class[j]
	class[j] = class[s.count[v]]

	tail := r & (1<<shift - 1)
	raised := s.valueOf(tail)
	s.value[i] = raised
	s.total -= 1<<shift - s.noticed(raised)
	s.put(raised, i)
	return uint64(i)<<s.width | tail, s.total
}
