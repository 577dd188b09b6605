package splitblock

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
	structure = "SBBF"
	version   = 1
	geometry  = 1 // blocks
)

// MarshalBinary writes the filter with its hash function (under its key, if it has
// one: see hashing.Keyed). It fails only for the zero value.
func (f *Filter) MarshalBinary() ([]byte, error) {
	h := frame.Header{Structure: structure, Version: version, Hash: f.hash, Geometry: []uint64{f.Blocks()}}
	return frame.Marshal(h, f.SizeBytes(), f.appendBits)
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
		return fmt.Errorf("splitblock: %w", err)
	}
	p := Params{Blocks: h.Geometry[0], Hash: h.Hash}
	if err := p.check(); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	if uint64(len(payload)) != blockBytes*p.Blocks {
		return fmt.Errorf("splitblock: %w: %d bytes of bits, %d blocks have %d", frame.ErrCorrupt, len(payload), p.Blocks, blockBytes*p.Blocks)
	}
	made, err := New(p)
	if err != nil {
		return err
	}
	made.readBits(payload)
	*f = *made
	return nil
}

// appendBits appends the bits as Parquet lays them out: lane after lane, little
// endian.
func (f *Filter) appendBits(b []byte) []byte {
	for i := range f.blocks {
		for _, w := range f.blocks[i] {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
	}
	return b
}

// readBits sets every bit from what appendBits wrote.
func (f *Filter) readBits(b []byte) {
	for i := range f.blocks {
		for lane := range f.blocks[i] {
			f.blocks[i][lane] = binary.LittleEndian.Uint32(b[blockBytes*i+4*lane:])
		}
	}
}
