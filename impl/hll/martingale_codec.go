package hll

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

const (
	martingaleStructure = "HLMG"
	martingaleGeometry  = 3 // precision, register form, estimate as IEEE 754 bits
)

// MarshalBinary writes precision, register form, estimate, hash function and
// registers. It fails only for the zero value.
func (t *Martingale) MarshalBinary() ([]byte, error) {
	s := &t.sketch
	h := frame.Header{
		Structure: martingaleStructure, Version: version, Hash: s.params.Hash,
		Geometry: []uint64{uint64(s.params.Precision), uint64(s.params.Registers), math.Float64bits(t.estimate)},
	}
	return frame.Marshal(h, len(s.regs), func(b []byte) []byte { return append(b, s.regs...) })
}

// AppendBinary appends what MarshalBinary returns to b.
func (t *Martingale) AppendBinary(b []byte) ([]byte, error) {
	data, err := t.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary replaces t by what MarshalBinary wrote. Bytes that it never
// writes, such as an estimate below the number of registers in use, are refused
// with an error, and t is then unchanged.
func (t *Martingale) UnmarshalBinary(data []byte) error {
	h, body, err := frame.Decode(data, martingaleStructure, version, martingaleGeometry)
	if err != nil {
		return fmt.Errorf("hll: %w", err)
	}
	if h.Geometry[1] > uint64(Packed6) {
		return fmt.Errorf("hll: %w: register form %d", frame.ErrCorrupt, h.Geometry[1])
	}
	s, _, err := emptyOf(h)
	if err != nil {
		return fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	if err := s.readRegisters(body); err != nil {
		return fmt.Errorf("hll: %w: %w", frame.ErrCorrupt, err)
	}
	s.arm()
	u := Martingale{sketch: s, estimate: math.Float64frombits(h.Geometry[2])}
	u.count()
	if !u.possible() || math.Float64bits(u.estimate+0) != h.Geometry[2] { // -0 is no estimate
		return fmt.Errorf("hll: %w: estimate %g", frame.ErrCorrupt, u.estimate)
	}
	*t = u
	return nil
}
