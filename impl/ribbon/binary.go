package ribbon

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/hashing"
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
// its key, if it has one: see hashing.Keyed). It fails only for the
// zero value.
func (f *Filter) MarshalBinary() ([]byte, error) {
	h := frame.Header{
		Structure: structure, Version: version, Hash: f.hash,
		Geometry: f.geometry(),
	}
	return frame.Marshal(h, f.SizeBytes(), func(b []byte) []byte { return appendWords(b, f.words) })
}

func (f *Filter) geometry() []uint64 {
	return []uint64{
		uint64(f.width), uint64(f.form), uint64(f.keys), f.blocks, f.low, f.cols, uint64(f.tries),
	}
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
	made, rest, err := readFilter(h.Geometry, payload, h.Hash)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return corrupt("%d bytes after the rows", len(rest))
	}
	*f = *made
	return nil
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("ribbon: %w: %s", frame.ErrCorrupt, fmt.Sprintf(format, args...))
}

// readFilter makes a filter of its geometry words and of the rows that the
// payload begins with, and returns what follows them.
func readFilter(words []uint64, payload []byte, hash hashing.Hasher) (*Filter, []byte, error) {
	keys, tries := words[2], words[6]
	s, err := readShape(words[0], words[1], words[3:6], len(payload))
	switch {
	case err != nil:
		return nil, nil, err
	case tries < 1 || tries > math.MaxInt32:
		return nil, nil, corrupt("attempt %d", tries)
	case keys > s.blocks*blockRows, (keys == 0) != (s.blocks == 0):
		return nil, nil, corrupt("%d keys in %d blocks", keys, s.blocks)
	}
	made := setUp(s, int(tries), hash)
	made.keys = int(keys)
	made.words, payload = readWords(payload, s.size())
	return made, payload, nil
}

// readShape checks a shape, given as blocks, low and cols, whose rows lie within
// so many bytes.
func readShape(width, form uint64, words []uint64, within int) (shape, error) {
	s := shape{width: int(width & 255), form: Form(form), blocks: words[0], low: words[1], cols: words[2]}
	switch {
	case width != 32 && width != 64 && width != 128:
		return s, corrupt("width %d", width)
	case form > uint64(Homogeneous):
		return s, corrupt("form %d is unknown", form)
	case s.cols < 1 || s.cols > MaxBits:
		return s, corrupt("%d columns", s.cols)
	case s.blocks > uint64(within): // and no product below overflows
		return s, corrupt("%d blocks in %d bytes", s.blocks, within)
	case s.low > s.blocks, s.low == 0 && s.blocks > 0, s.low < s.blocks && s.cols == MaxBits:
		return s, corrupt("the columns change at block %d of %d, after %d", s.low, s.blocks, s.cols)
	case 8*s.size() > uint64(within):
		return s, corrupt("%d words of rows in %d bytes", s.size(), within)
	case s.blocks > 0 && s.blocks*blockRows <= reach(s.width):
		return s, corrupt("%d blocks are too few for width %d", s.blocks, width)
	case s.blocks > 0:
		s.starts = s.blocks*blockRows - reach(s.width)
	}
	return s, nil
}

// readWords reads n words of the payload, which has them, and returns the rest.
func readWords(payload []byte, n uint64) ([]uint64, []byte) {
	words := make([]uint64, n)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(payload[8*i:])
	}
	return words, payload[8*n:]
}

func appendWords(b []byte, words []uint64) []byte {
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}
