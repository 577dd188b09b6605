package linearcounting

import (
	"encoding/binary"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

const (
	structure = "LINC"
	version   = 1
	geometry  = 1 // bits
)

// MarshalBinary writes the number of bits, hash function and bitmap. It fails
// only for the zero value.
func (s *Sketch) MarshalBinary() ([]byte, error) {
	h := frame.Header{
		Structure: structure, Version: version, Hash: s.params.Hash, Geometry: []uint64{s.params.Bits},
	}
	return frame.Marshal(h, 8*len(s.words), func(b []byte) []byte {
		for _, w := range s.words {
			b = binary.LittleEndian.AppendUint64(b, w)
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
// writes are refused with an error, and s is then unchanged.
func (s *Sketch) UnmarshalBinary(data []byte) error {
	h, body, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("linearcounting: %w", err)
	}
	p := Params{Bits: h.Geometry[0], Hash: h.Hash}
	if err := p.check(); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	if uint64(len(body)) != p.Bits/8 {
		return fmt.Errorf("linearcounting: %w: a bitmap of %d bytes, want %d", frame.ErrCorrupt, len(body), p.Bits/8)
	}
	words := make([]uint64, len(body)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(body[8*i:])
	}
	t := Sketch{params: p, words: words}
	t.zeros = t.count()
	*s = t
	return nil
}
