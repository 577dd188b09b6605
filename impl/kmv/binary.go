package kmv

import (
	"encoding/binary"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

const (
	structure = "KMVS"
	version   = 1
	geometry  = 1 // k
)

// MarshalBinary writes k, hash function and the smallest hashes in increasing
// order. It fails only for the zero value.
func (s *Sketch) MarshalBinary() ([]byte, error) {
	values := s.smallest()
	h := frame.Header{
		Structure: structure, Version: version, Hash: s.params.Hash, Geometry: []uint64{uint64(s.params.K)},
	}
	return frame.Marshal(h, 8*len(values), func(b []byte) []byte {
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		return b
	})
}

// AppendBinary appends what MarshalBinary returns to b.
func (s *Sketch) AppendBinary(b []byte) ([]byte, error) {
	data, err := s.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary replaces s by what MarshalBinary wrote. Bytes that no sketch
// writes, such as hashes out of order, are refused with an error, and s is then
// unchanged.
func (s *Sketch) UnmarshalBinary(data []byte) error {
	h, body, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("kmv: %w", err)
	}
	k := h.Geometry[0]
	if k > MaxK { // so that the conversion keeps the value
		return fmt.Errorf("kmv: %w: k %d", frame.ErrCorrupt, k)
	}
	p := Params{K: int(k), Hash: h.Hash}
	if err := p.check(); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	if len(body)%8 != 0 || len(body)/8 > p.K {
		return fmt.Errorf("kmv: %w: %d bytes of hashes with k = %d", frame.ErrCorrupt, len(body), p.K)
	}
	values := make([]uint64, len(body)/8)
	for i := range values {
		values[i] = binary.LittleEndian.Uint64(body[8*i:])
		if i > 0 && values[i] <= values[i-1] {
			return fmt.Errorf("kmv: %w: hash %d is not above the one before", frame.ErrCorrupt, i)
		}
	}
	t := Sketch{params: p, values: values, sorted: len(values)}
	t.settle()
	*s = t
	return nil
}
