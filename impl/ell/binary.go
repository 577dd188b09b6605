package ell

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

const (
	plain      = "ELLS" // a Sketch
	martingale = "ELLM"
	version    = 1
	geometry   = 3 // precision, T, D
)

// MarshalBinary writes precision, T, D, hash function and the packed registers. It
// fails only for the zero value.
func (s *Sketch) MarshalBinary() ([]byte, error) { return s.marshal(plain) }

func (s *Sketch) marshal(structure string, more ...uint64) ([]byte, error) {
	h := frame.Header{
		Structure: structure, Version: version, Hash: s.params.Hash,
		Geometry: append([]uint64{uint64(s.params.Precision), uint64(s.params.T), uint64(s.params.D)}, more...),
	}
	regs := s.regs[:s.params.bytes()]
	return frame.Marshal(h, len(regs), func(b []byte) []byte { return append(b, regs...) })
}

// AppendBinary appends what MarshalBinary returns to b.
func (s *Sketch) AppendBinary(b []byte) ([]byte, error) {
	data, err := s.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary replaces s by what MarshalBinary wrote. Bytes that no sketch
// writes, such as a register that no keys make, are refused with an error, and s is
// then unchanged.
func (s *Sketch) UnmarshalBinary(data []byte) error {
	t, _, err := unmarshal(data, plain, 0)
	if err != nil {
		return err
	}
	*s = *t
	return nil
}

func unmarshal(data []byte, structure string, more int) (*Sketch, []uint64, error) {
	h, body, err := frame.Decode(data, structure, version, geometry+more)
	if err != nil {
		return nil, nil, fmt.Errorf("ell: %w", err)
	}
	precision, t, d := h.Geometry[0], h.Geometry[1], h.Geometry[2]
	if precision > MaxPrecision || t > MaxT || d > MaxD { // so that the conversions keep the values
		return nil, nil, fmt.Errorf("ell: %w: precision %d, t = %d, d = %d", frame.ErrCorrupt, precision, t, d)
	}
	p := Params{Precision: int(precision), T: int(t), D: int(d), Hash: h.Hash}
	if err := p.check(); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	if len(body) != p.bytes() {
		return nil, nil, fmt.Errorf("ell: %w: registers of %d bytes, want %d", frame.ErrCorrupt, len(body), p.bytes())
	}
	s := over(p, append(make([]byte, 0, len(body)+slack), body...)[:len(body)+slack])
	for i := range uint64(s.M()) {
		if r := s.register(i); !s.geo.Valid(r) {
			return nil, nil, fmt.Errorf("ell: %w: register %d is %#x, which no keys make", frame.ErrCorrupt, i, r)
		}
	}
	s.tally = s.count()
	return s, h.Geometry[geometry:], nil
}
