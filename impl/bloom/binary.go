package bloom

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
	structure = "BLOM"
	version   = 1
	geometry  = 3 // m, k, scheme
)

// MarshalBinary writes the filter with its m, k, scheme and hash function
// (under its key, if it has one: see hashing.Keyed). It fails only for the zero
// value.
func (f *Filter) MarshalBinary() ([]byte, error) {
	h := frame.Header{
		Structure: structure, Version: version, Hash: f.hash,
		Geometry: []uint64{f.m, f.k, uint64(f.scheme)},
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

// UnmarshalBinary makes f the filter that MarshalBinary wrote. It returns an
// error, and leaves f as it was, for bytes that MarshalBinary cannot have
// written; it allocates no more than the bytes that it was given.
func (f *Filter) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("bloom: %w", err)
	}
	m, k, s := h.Geometry[0], h.Geometry[1], h.Geometry[2]
	if s > uint64(Partitioned) {
		return fmt.Errorf("bloom: %w: scheme %d is unknown", frame.ErrCorrupt, s)
	}
	p := Params{M: m, K: k, Scheme: Scheme(s), Hash: h.Hash}
	if err := p.check(); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	if uint64(len(payload)) != 8*words(m) {
		return fmt.Errorf("bloom: %w: %d bytes of bits, m = %d has %d", frame.ErrCorrupt, len(payload), m, 8*words(m))
	}
	if used := m % 64; used != 0 {
		if last := binary.LittleEndian.Uint64(payload[len(payload)-8:]); last>>used != 0 {
			return fmt.Errorf("bloom: %w: bits are set beyond m = %d", frame.ErrCorrupt, m)
		}
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
