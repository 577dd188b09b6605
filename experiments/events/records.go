package events

import "math/bits"

// records is news for sketches of maxima. A register of value v notices the
// hashes with more than v - 1 zeros: those whose last width bits are below
// 2^(width-v). There is one class of registers for every value.
type records struct {
	width uint    // bits behind the address
	value []uint8 // of each register, 0 to width + 1
	// class[v] are the registers of value v; those of the greatest value are left
	// out. It is built when it is needed, since see does not keep it up.
	class  [][]uint32
	built  bool
	lowest int // no class below it has a register
	total  uint64
}

func newRecords(p uint) *records {
	return &records{width: 64 - p, value: make([]uint8, 1<<p), class: make([][]uint32, 64-p+1)}
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
	for v := range s.class {
		s.class[v] = s.class[v][:0]
	}
	for i, v := range s.value {
		if uint(v) <= s.width {
			s.class[v] = append(s.class[v], uint32(i))
		}
	}
	s.lowest, s.built = 0, true
}

func (s *records) take(r uint64) uint64 {
	if !s.built {
		s.build()
	}
	v := s.lowest
	for len(s.class[v]) == 0 {
		v++
	}
	s.lowest = v
	shift := s.width - uint(v)
	for w := uint64(len(s.class[v])) << shift; r >= w; w = uint64(len(s.class[v])) << shift {
		r -= w
		v++
		shift--
	}
	class := s.class[v]
	j, last := r>>shift, len(class)-1
	i := class[j]
	class[j] = class[last]
	s.class[v] = class[:last]

	tail := r & (1<<shift - 1)
	raised := s.valueOf(tail)
	s.value[i] = raised
	s.total -= 1<<shift - s.noticed(raised)
	if uint(raised) <= s.width {
		s.class[raised] = append(s.class[raised], i)
	}
	return uint64(i)<<s.width | tail
}
