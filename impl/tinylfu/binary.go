package tinylfu

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// The geometry words are width, sample, bits and probes of the doorkeeper, keys in
// the sample and halvings; the payload is the words of counters, little endian,
// and then the bytes of the doorkeeper.
const (
	structure     = "TLFU"
	version       = 1
	geometryWords = 6
)

// MarshalBinary returns the sketch as bytes: 92, 8 for each 16 counters of a row,
// and those of the doorkeeper. The hash function is part of them; under a secret
// key they are as secret as the key. It fails only for a sketch that was never
// built.
func (s *Sketch) MarshalBinary() ([]byte, error) {
	if s.words == nil {
		return nil, errors.New("tinylfu: the zero Sketch has no serialized form: make one with New")
	}
	var door []byte
	if s.door != nil {
		var err error
		if door, err = s.door.MarshalBinary(); err != nil {
			return nil, err
		}
	}
	p := s.params
	h := frame.Header{
		Structure: structure, Version: version, Hash: p.Hash,
		Geometry: []uint64{uint64(p.Width), p.Sample, p.DoorBits, p.DoorProbes, s.events, s.halved},
	}
	return frame.Marshal(h, 8*len(s.words)+len(door), func(b []byte) []byte {
		for _, w := range s.words {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return append(b, door...)
	})
}

// AppendBinary appends to b what MarshalBinary returns.
func (s *Sketch) AppendBinary(b []byte) ([]byte, error) {
	data, err := s.MarshalBinary()
	if err != nil {
		return b, err
	}
	return append(b, data...), nil
}

// UnmarshalBinary makes s the sketch that data was written from, with tables of
// its own. Bytes that no sketch can have written give an error, and s is then
// unchanged.
func (s *Sketch) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, structure, version, geometryWords)
	if err != nil {
		return fmt.Errorf("tinylfu: %w", err)
	}
	n, err := read(h, payload)
	if err == nil {
		err = n.check()
	}
	if err != nil {
		return fmt.Errorf("tinylfu: %w: %w", frame.ErrCorrupt, err)
	}
	*s = *n
	return nil
}

func read(h frame.Header, payload []byte) (*Sketch, error) {
	g := h.Geometry
	p := Params{Width: int(min(g[0], MaxWidth+1)), Sample: g[1], DoorBits: g[2], DoorProbes: g[3], Hash: h.Hash}
	s, err := empty(p)
	if err != nil {
		return nil, err
	}
	s.events, s.halved = g[4], g[5]
	size := 8 * Depth * s.rowLen
	if uint64(len(payload)) < size || p.DoorBits == 0 && uint64(len(payload)) > size {
		return nil, fmt.Errorf("%d bytes of counters for four rows of %d", len(payload), p.Width)
	}
	s.words = make([]uint64, size/8)
	for i := range s.words {
		s.words[i] = binary.LittleEndian.Uint64(payload[8*i:])
	}
	if p.DoorBits == 0 {
		return s, nil
	}
	s.door = new(bloom.Filter)
	if err := s.door.UnmarshalBinary(payload[size:]); err != nil {
		return nil, fmt.Errorf("doorkeeper: %w", err)
	}
	if d := s.door; d.M() != p.DoorBits || d.K() != p.DoorProbes || d.Scheme() != bloom.Derived || d.Hash() != p.Hash {
		return nil, errors.New("the doorkeeper is not that of the header")
	}
	return s, nil
}
