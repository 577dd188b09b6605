package hll

import (
	"fmt"
	"math/bits"
)

// Reduce returns the sketch of precision p, at most that of s, that the same keys
// would have made, and leaves s as it is: 2^(P-p) registers at a time become one.
// Its error says what is allowed.
func (s *Sketch) Reduce(p int) (*Sketch, error) {
	if p < MinPrecision || p > s.Precision() {
		return nil, fmt.Errorf("hll: reduce to precision %d, allowed are %d to %d", p, MinPrecision, s.Precision())
	}
	params := s.params
	params.Precision = p
	t := &Sketch{params: params}
	t.Reset()
	if s.codes != nil {
		t.takeCodes(s.codes)
		return t, nil
	}
	if t.codes != nil { // more keys than any sparse form of fewer registers holds
		t.turnDense()
	}
	d := s.Precision() - p
	for i := range s.M() {
		rank := s.Register(i)
		if rank == 0 {
			continue
		}
		// The last d bits of the index come first in the rank.
		if low := uint(i) & (1<<d - 1); low != 0 {
			rank = uint8(d - bits.Len(low) + 1)
		} else {
			rank += uint8(d)
		}
		if j := i >> d; rank > t.Register(j) {
			t.raise(uint64(j), rank)
		}
	}
	return t, nil
}
