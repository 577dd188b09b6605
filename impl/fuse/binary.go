package fuse

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
	structure = "FUSE"
	version   = 1
	geometry  = 6 // arity, fingerprint bits, keys, attempts, segment length, span of the first slot
)

// MarshalBinary writes the filter with its geometry and hash function (under its
// key, if it has one: see hashing.Keyed). It fails only for the zero
// value.
func (f *Filter[F]) MarshalBinary() ([]byte, error) {
	h := frame.Header{
		Structure: structure, Version: version, Hash: f.hash,
		Geometry: []uint64{
			uint64(f.arity), uint64(width[F]()), uint64(f.keys), uint64(f.attempts), f.segment, f.span,
		},
	}
	return frame.Marshal(h, f.SizeBytes(), func(b []byte) []byte {
		for _, x := range f.table {
			switch width[F]() {
			case 8:
				b = append(b, byte(x))
			case 16:
				b = binary.LittleEndian.AppendUint16(b, uint16(x))
			default:
				b = binary.LittleEndian.AppendUint32(b, uint32(x))
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
		return fmt.Errorf("fuse: %w", err)
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("fuse: %w: %s", frame.ErrCorrupt, fmt.Sprintf(format, args...))
	}
	arity, width, keys, attempts, segment, span := h.Geometry[0], uint64(width[F]()), h.Geometry[2], h.Geometry[3], h.Geometry[4], h.Geometry[5]
	if arity != 3 && arity != 4 {
		return fail("arity %d", arity)
	}
	if h.Geometry[1] != width {
		return fail("fingerprints of %d bits, these have %d", h.Geometry[1], width)
	}
	g := graph{segment: segment, span: span}
	if keys == 0 {
		if attempts != 0 || g != (graph{}) {
			return fail("no keys in %d attempts and %d slots", attempts, span)
		}
	} else if err := g.check(arity, keys, attempts); err != nil {
		return fail("%v", err)
	}
	slots := g.slots(int(arity))
	if uint64(len(payload)) != slots*width/8 {
		return fail("a table of %d bytes, want %d", len(payload), slots*width/8)
	}
	made := Filter[F]{
		table: make([]F, slots), graph: g,
		keys: int(keys), attempts: int(attempts), arity: int(arity), hash: h.Hash,
	}
	if keys > 0 {
		made.seed = peel.Seed(made.attempts)
	}
	for i := range made.table {
		switch width {
		case 8:
			made.table[i] = F(payload[i])
		case 16:
			made.table[i] = F(binary.LittleEndian.Uint16(payload[2*i:]))
		default:
			made.table[i] = F(binary.LittleEndian.Uint32(payload[4*i:]))
		}
	}
	*f = made
	return nil
}

// check returns an error for a graph that no build makes, whatever the formulas
// of the sizes: those may be computed to another last digit elsewhere.
func (g *graph) check(arity, keys, attempts uint64) error {
	switch {
	case keys > MaxKeys || attempts < 1 || attempts > peel.MaxAttempts:
		return fmt.Errorf("%d keys in %d attempts", keys, attempts)
	case g.segment < minSegment || g.segment > maxSegment || g.segment&(g.segment-1) != 0:
		return fmt.Errorf("segments of %d slots", g.segment)
	case g.span < g.segment || g.span > maxSlots || g.span%g.segment != 0:
		return fmt.Errorf("%d slots are no segments of %d", g.span, g.segment)
	case g.slots(int(arity)) < keys:
		return fmt.Errorf("%d keys in %d slots", keys, g.slots(int(arity)))
	}
	return nil
}

// Equal reports whether the two have the same geometry, hash function and table:
// whether they marshal to the same bytes.
func (f *Filter[F]) Equal(other *Filter[F]) bool {
	return f.graph == other.graph && f.seed == other.seed && f.keys == other.keys && f.attempts == other.attempts &&
		f.arity == other.arity && f.hash == other.hash && slices.Equal(f.table, other.table)
}
