package blocked

import (
	"encoding"
	"encoding/binary"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

var (
	_ encoding.BinaryMarshaler   = (*Filter)(nil)
	_ encoding.BinaryAppender    = (*Filter)(nil)
	_ encoding.BinaryUnmarshaler = (*Filter)(nil)
)

const (
	structure = "BLKD"
	version   = 1
	geometry  = 3 // kind, blocks, k
)

// MarshalBinary writes the filter with its kind, number of blocks, k and hash
// function (under its key, if it has one: see hashing.Keyed). It fails only for
// the zero value.
func (f *Filter) MarshalBinary() ([]byte, error) {
	h := frame.Header{
		Structure: structure, Version: version, Hash: f.hash,
		Geometry: []uint64{uint64(f.kind), f.blocks, uint64(f.k)},
	}
	return frame.Marshal(h, f.SizeBytes(), func(b []byte) []byte {
		for _, w := range f.words {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return b
	})
}

// AppendBinary appends what MarshalBinary returns.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) {
	data, err := f.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes f the filter that MarshalBinary wrote. It returns an error,
// and leaves f as it was, for bytes that MarshalBinary cannot have written; it
// allocates no more than the bytes that it was given.
func (f *Filter) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("blocked: %w", err)
	}
	kind, k := h.Geometry[0], h.Geometry[2]
	if kind > uint64(Word) || k > MaxK {
		return fmt.Errorf("blocked: %w: kind %d or k = %d is unknown", frame.ErrCorrupt, kind, k)
	}
	p := Params{Kind: Kind(kind), Blocks: h.Geometry[1], K: int(k), Hash: h.Hash}
	if err := p.check(); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	if uint64(len(payload)) != 8*p.words() {
		return fmt.Errorf("blocked: %w: %d bytes of bits, %d blocks have %d", frame.ErrCorrupt, len(payload), p.Blocks, 8*p.words())
	}
	made, err := New(p)
	if err != nil {
		return err
	}
	for i := range made.words {
		made.words[i] = binary.LittleEndian.Uint64(payload[8*i:])
	}
	*f = *made
	return nil
}
