package xor

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
	"github.com/sketchproof/sketchproof/impl/internal/peel"
)

var (
	_ encoding.BinaryMarshaler   = (*Filter[uint8])(nil)
	_ encoding.BinaryAppender    = (*Filter[uint8])(nil)
	_ encoding.BinaryUnmarshaler = (*Filter[uint8])(nil)
)

const (
	structure = "XORF"
	version   = 1
	geometry  = 4 // fingerprint bits, keys, attempts, slots in a block
)

// MarshalBinary writes the filter with its geometry and hash function (under its
// key, if it has one: see hashing.Keyed). It fails only for the zero
// value.
func (f *Filter[F]) MarshalBinary() ([]byte, error) {
	h := frame.Header{
		Structure: structure, Version: version, Hash: f.hash,
		Geometry: []uint64{
			uint64(width[F]()), uint64(f.keys), uint64(f.attempts), f.block,
		},
	}
	return frame.Marshal(h, f.SizeBytes(), func(b []byte) []byte {
		for _, x := range f.table {
			if width[F]() == 8 {
				b = append(b, byte(x))
			} else {
				b = binary.LittleEndian.AppendUint16(b, uint16(x))
			}
		}
		return b
	})
}

// AppendBinary appends what MarshalBinary returns.
func (f *Filter[F]) AppendBinary(b []byte) ([]byte, error) {
	data, err := f.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes f the filter that MarshalBinary wrote. It returns an
// error, and leaves f as it was, for bytes that MarshalBinary of the same width
// cannot have written; it allocates no more than the bytes that it was given.
func (f *Filter[F]) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("xor: %w", err)
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("xor: %w: %s", frame.ErrCorrupt, fmt.Sprintf(format, args...))
	}
	width, keys, attempts, block := uint64(width[F]()), h.Geometry[1], h.Geometry[2], h.Geometry[3]
	if h.Geometry[0] != width {
		return fail("fingerprints of %d bits, these have %d", h.Geometry[0], width)
	}
	switch {
	case keys == 0 && (attempts != 0 || block != 0):
		return fail("no keys in %d attempts and blocks of %d slots", attempts, block)
	case keys > 0 && (keys > MaxKeys || attempts < 1 || attempts > peel.MaxAttempts):
		return fail("%d keys in %d attempts", keys, attempts)
	case block > maxBlock || keys > 3*block:
		return fail("%d keys in blocks of %d slots", keys, block)
	case uint64(len(payload)) != 3*block*width/8:
		return fail("a table of %d bytes, want %d", len(payload), 3*block*width/8)
	}
	made := Filter[F]{
		table: make([]F, 3*block), blocks: blocks{block},
		keys: int(keys), attempts: int(attempts), hash: h.Hash,
	}
	if keys > 0 {
		made.seed = peel.Seed(made.attempts)
	}
	for i := range made.table {
		if width == 8 {
			made.table[i] = F(payload[i])
		} else {
			made.table[i] = F(binary.LittleEndian.Uint16(payload[2*i:]))
		}
	}
	*f = made
	return nil
}

// Equal reports whether the two have the same geometry, hash function and table:
// whether they marshal to the same bytes.
func (f *Filter[F]) Equal(other *Filter[F]) bool {
	return f.blocks == other.blocks && f.seed == other.seed && f.keys == other.keys && f.attempts == other.attempts &&
		f.hash == other.hash && slices.Equal(f.table, other.table)
}
