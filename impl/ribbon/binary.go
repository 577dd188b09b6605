package ribbon

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

var (
	_ encoding.BinaryMarshaler   = (*Filter)(nil)
	_ encoding.BinaryAppender    = (*Filter)(nil)
	_ encoding.BinaryUnmarshaler = (*Filter)(nil)
)

const (
	structure = "RIBN"
	version   = 1
	geometry  = 7 // width, form, keys, blocks, low, cols, attempts
)

// MarshalBinary writes the filter with its geometry and hash function (under
// its key, if it has one: see hashing.Keyed). The error is always nil.
func (f *Filter) MarshalBinary() ([]byte, error) {
	h := frame.Header{
		Structure: structure, Version: version, Hash: f.hash,
		Geometry: []uint64{
			uint64(f.width), uint64(f.form), uint64(f.keys), f.blocks, f.low, f.cols, uint64(f.tries),
		},
	}
	return frame.Encode(h, f.SizeBytes(), func(b []byte) []byte {
		for _, w := range f.words {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return b
	}), nil
}

// AppendBinary appends what MarshalBinary returns.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) {
	data, err := f.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes f the filter that MarshalBinary wrote. It returns an
// error, and leaves f as it was, for bytes that MarshalBinary cannot have
// written; it allocates no more than the bytes that it was given.
func (f *Filter) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("ribbon: %w", err)
	}
	width, form, keys, tries := h.Geometry[0], h.Geometry[1], h.Geometry[2], h.Geometry[6]
	s := shape{blocks: h.Geometry[3], low: h.Geometry[4], cols: h.Geometry[5]}
	corrupt := func(format string, args ...any) error {
		return fmt.Errorf("ribbon: %w: %s", frame.ErrCorrupt, fmt.Sprintf(format, args...))
	}
	switch {
	case width != 32 && width != 64 && width != 128:
		return corrupt("width %d", width)
	case form > uint64(Homogeneous):
		return corrupt("form %d is unknown", form)
	case tries < 1 || tries > math.MaxInt32:
		return corrupt("attempt %d", tries)
	case s.cols < 1 || s.cols > MaxBits:
		return corrupt("%d columns", s.cols)
	case s.blocks > uint64(len(payload)): // and no product below overflows
		return corrupt("%d blocks in %d bytes", s.blocks, len(payload))
	case s.low > s.blocks, s.low == 0 && s.blocks > 0, s.low < s.blocks && s.cols == MaxBits:
		return corrupt("the columns change at block %d of %d, after %d", s.low, s.blocks, s.cols)
	case keys > s.blocks*blockRows, (keys == 0) != (s.blocks == 0):
		return corrupt("%d keys in %d blocks", keys, s.blocks)
	case uint64(len(payload)) != 8*s.size():
		return corrupt("%d bytes of rows, the geometry has %d", len(payload), 8*s.size())
	}
	s.width, s.form = int(width), Form(form)
	if s.blocks > 0 {
		if s.blocks*blockRows <= reach(s.width) {
			return corrupt("%d blocks are too few for width %d", s.blocks, width)
		}
		s.starts = s.blocks*blockRows - reach(s.width)
	}
	made := setUp(s, int(tries), h.Hash)
	made.keys = int(keys)
	made.words = make([]uint64, s.size())
	for i := range made.words {
		made.words[i] = binary.LittleEndian.Uint64(payload[8*i:])
	}
	*f = *made
	return nil
}
