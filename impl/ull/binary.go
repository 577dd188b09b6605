package ull

import (
	"bytes"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

const (
	plain      = "ULLS" // a Sketch
	martingale = "ULLM"
	version    = 1
)

// MarshalBinary writes precision, hash function and registers. It fails only for
// the zero value.
func (s *Sketch) MarshalBinary() ([]byte, error) { return s.marshal(plain) }

func (s *Sketch) marshal(structure string, more ...uint64) ([]byte, error) {
	h := frame.Header{
		Structure: structure, Version: version, Hash: s.params.Hash,
		Geometry: append([]uint64{uint64(s.params.Precision)}, more...),
	}
	return frame.Marshal(h, len(s.regs), func(b []byte) []byte { return append(b, s.regs...) })
}

// AppendBinary appends what MarshalBinary returns to b.
func (s *Sketch) AppendBinary(b []byte) ([]byte, error) {
	data, err := s.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary replaces s by what MarshalBinary wrote. Bytes that no sketch
// writes, such as a register above 65 - p, are refused with an error, and s is
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
	h, body, err := frame.Decode(data, structure, version, 1+more)
	if err != nil {
		return nil, nil, fmt.Errorf("ull: %w", err)
	}
	precision := h.Geometry[0]
	if precision > MaxPrecision { // so that the conversion keeps the value
		return nil, nil, fmt.Errorf("ull: %w: precision %d", frame.ErrCorrupt, precision)
	}
	p := Params{Precision: int(precision), Hash: h.Hash}
	if err := p.check(); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	if len(body) != 1<<precision {
		return nil, nil, fmt.Errorf("ull: %w: registers of %d bytes, want %d", frame.ErrCorrupt, len(body), 1<<precision)
	}
	g := p.window()
	for i, r := range body {
		if !g.Valid(uint64(r)) {
			return nil, nil, fmt.Errorf("ull: %w: register %d is %#x, which no keys make", frame.ErrCorrupt, i, r)
		}
	}
	s := over(p, bytes.Clone(body))
	s.tally = s.count()
	return s, h.Geometry[1:], nil
}
