package hll

import (
	"bytes"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

const (
	structure = "HLOG"
	version   = 1
	geometry  = 2 // precision, register form
)

// MarshalBinary writes precision, register form, hash function and registers.
// Its error is always nil.
func (s *Sketch) MarshalBinary() ([]byte, error) {
	h := frame.Header{
		Structure: structure, Version: version, Hash: s.params.Hash,
		Geometry: []uint64{uint64(s.params.Precision), uint64(s.params.Registers)},
	}
	return frame.Encode(h, len(s.regs), func(b []byte) []byte { return append(b, s.regs...) }), nil
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
	h, body, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("hll: %w", err)
	}
	precision, form := h.Geometry[0], h.Geometry[1]
	if precision > MaxPrecision || form > uint64(Packed6) { // so that the conversions keep the value
		return fmt.Errorf("hll: %w: precision %d, register form %d", frame.ErrCorrupt, precision, form)
	}
	p := Params{Precision: int(precision), Registers: Registers(form), Hash: h.Hash}
	if err := p.check(); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	if want := p.Registers.bytes(1 << precision); len(body) != want {
		return fmt.Errorf("hll: %w: registers of %d bytes, want %d", frame.ErrCorrupt, len(body), want)
	}
	t := Sketch{params: p, regs: body}
	for i := range t.M() {
		if v := int(t.Register(i)); v > 65-p.Precision {
			return fmt.Errorf("hll: %w: register %d is %d, the greatest is %d", frame.ErrCorrupt, i, v, 65-p.Precision)
		}
	}
	t.regs = bytes.Clone(body)
	t.hist = t.count()
	*s = t
	return nil
}
