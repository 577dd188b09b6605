package counting

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// The geometry words are m, k, bits of a cell, scheme and overflows; the
// payload is the packed cells in words, little endian. Version 1 had other cells
// under Derived.
const (
	structure     = "CBLM"
	version       = 2
	geometryWords = 5
)

// MarshalBinary returns the filter as bytes: 84 bytes and the table. The hash
// function is part of them; under a secret key they are as secret as the key.
// It fails only for a filter that was never built.
func (f *Filter) MarshalBinary() ([]byte, error) {
	if f.k == 0 {
		return nil, errors.New("counting: the zero Filter has no serialized form: make one with New")
	}
	h := frame.Header{
		Structure: structure, Version: version, Hash: f.hash,
		Geometry: []uint64{f.cells.m, f.k, f.cells.width, uint64(f.scheme), f.overflows},
	}
	return frame.Marshal(h, f.SizeBytes(), func(b []byte) []byte {
		for _, w := range f.cells.words {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return b
	})
}

// AppendBinary appends to b what MarshalBinary returns.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) {
	data, err := f.MarshalBinary()
	if err != nil {
		return b, err
	}
	return append(b, data...), nil
}

// UnmarshalBinary makes f the filter that data was written from, with a table
// of its own. Bytes that no filter can have written give an error, and f is
// then unchanged.
func (f *Filter) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, structure, version, geometryWords)
	if err != nil {
		return fmt.Errorf("counting: %w", err)
	}
	n, err := fromParts(h, payload)
	if err != nil {
		return fmt.Errorf("counting: %w: %w", frame.ErrCorrupt, err)
	}
	*f = *n
	return nil
}

func fromParts(h frame.Header, payload []byte) (*Filter, error) {
	g := h.Geometry
	if g[3] > uint64(Independent) {
		return nil, fmt.Errorf("scheme %d, must be 0 or 1", g[3])
	}
	n := &Filter{
		cells: table{m: g[0], width: g[2]},
		k:     g[1], scheme: Scheme(g[3]), hash: h.Hash, overflows: g[4],
	}
	if err := n.check(); err != nil {
		return nil, err
	}
	if want := 8 * n.cells.length(); uint64(len(payload)) != want {
		return nil, fmt.Errorf("%d bytes of cells, want %d", len(payload), want)
	}
	n.cells.words = make([]uint64, len(payload)/8)
	for i := range n.cells.words {
		n.cells.words[i] = binary.LittleEndian.Uint64(payload[8*i:])
	}
	if n.cells.padding() != 0 {
		return nil, errors.New("bits are set after the last cell")
	}
	if n.overflows > 0 && !n.anyAtTop() {
		return nil, fmt.Errorf("%d overflows, and no cell at its maximum", n.overflows)
	}
	return n, nil
}

func (f *Filter) anyAtTop() bool {
	for i := range f.cells.m {
		if f.cells.at(i) == f.cells.top() {
			return true
		}
	}
	return false
}
