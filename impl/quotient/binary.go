package quotient

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

var (
	_ encoding.BinaryMarshaler   = (*Filter)(nil)
	_ encoding.BinaryAppender    = (*Filter)(nil)
	_ encoding.BinaryUnmarshaler = (*Filter)(nil)
)

const (
	structure = "QUOT"
	version   = 1
	geometry  = 3 // slots, remainder bits, counting
)

// MarshalBinary writes the filter with its geometry and hash function (under its
// key, if it has one: see hashing.Keyed). It fails only for the zero value. The bytes are a
// function of the geometry, the hash and the fingerprints held with their counts.
func (f *Filter) MarshalBinary() ([]byte, error) {
	p := f.params
	h := frame.Header{Structure: structure, Version: version, Hash: p.Hash, Geometry: []uint64{p.Slots, uint64(p.RemainderBits), 0}}
	if f.counting {
		h.Geometry[2] = 1
	}
	blocks := f.table.data[:f.table.bytes()]
	return frame.Marshal(h, len(blocks), func(b []byte) []byte { return append(b, blocks...) })
}

// AppendBinary appends what MarshalBinary returns.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) {
	data, err := f.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes f the filter that MarshalBinary wrote. It returns an error,
// and leaves f as it was, for bytes that MarshalBinary cannot have written: the
// entries are read and laid out anew, and the two tables compared. It allocates no
// more than the bytes that it was given.
func (f *Filter) UnmarshalBinary(data []byte) error {
	if f.counting {
		return errors.New("quotient: a Counting filter is read by its own UnmarshalBinary, not by that of its Filter")
	}
	return f.read(data, false)
}

// UnmarshalBinary is that of Filter for a Counting filter.
func (c *Counting) UnmarshalBinary(data []byte) error { return c.read(data, true) }

func (f *Filter) read(data []byte, counting bool) error {
	h, payload, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("quotient: %w", err)
	}
	slots, r, kind := h.Geometry[0], h.Geometry[1], h.Geometry[2]
	if r > MaxRemainderBits || kind > 1 {
		return fmt.Errorf("quotient: %w: geometry %v", frame.ErrCorrupt, h.Geometry)
	}
	if counting != (kind == 1) {
		return fmt.Errorf("quotient: %w: one of Filter and Counting cannot be read as the other", frame.ErrCorrupt)
	}
	p := Params{Slots: slots, RemainderBits: int(r), Hash: h.Hash}
	if err := p.check(counting); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	if uint64(len(payload)) != p.tableBytes() {
		return fmt.Errorf("quotient: %w: a table of %d bytes, want %d", frame.ErrCorrupt, len(payload), p.tableBytes())
	}
	to := builder{f: empty(p, counting)}
	read := to.f.table
	// A remainder is read as a word: eight bytes of checksum lie behind the last.
	read.data = payload[:len(payload)+8]
	c := read.cursor(counting)
	for c.next() {
		if !to.add(c.fingerprint(), c.count) {
			return fmt.Errorf("quotient: %w: the entries do not rise or do not fit", frame.ErrCorrupt)
		}
	}
	made := to.finish()
	if !bytes.Equal(made.table.data[:len(payload)], payload) {
		return fmt.Errorf("quotient: %w: no filter has this table", frame.ErrCorrupt)
	}
	*f = *made
	return nil
}
