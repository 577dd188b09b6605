package rotating

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

var (
	_ encoding.BinaryMarshaler   = (*Filter)(nil)
	_ encoding.BinaryAppender    = (*Filter)(nil)
	_ encoding.BinaryUnmarshaler = (*Filter)(nil)
)

// The payload is the bits of the current filter and, after a rotation, those of
// the previous one, in words, little endian.
const (
	structure = "ROTA"
	version   = 1
	geometry  = 4 // m, k, fill, age
)

// MarshalBinary writes both filters with their parameters and hash function
// (under its key, if it has one: see hashing.Keyed), but not when the period
// began. Every key whose addition had returned before is in it. It fails only for
// a filter that was never built.
func (f *Filter) MarshalBinary() ([]byte, error) {
	p := f.pair.Load()
	if p == nil {
		return nil, errors.New("rotating: the zero Filter has no serialized form: make one with New")
	}
	words := append(p.current.bits(), p.previous.bits()...)
	h := frame.Header{
		Structure: structure, Version: version, Hash: f.params.Hash,
		Geometry: []uint64{f.params.M, f.params.K, math.Float64bits(f.params.Fill), uint64(f.params.Age)},
	}
	return frame.Marshal(h, 8*len(words), func(b []byte) []byte {
		for _, w := range words {
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

// UnmarshalBinary makes f the filter that MarshalBinary wrote; by age, its first
// period begins with its first Tick. It returns an error, and leaves f as it was,
// for bytes that MarshalBinary cannot have written; it allocates no more than the
// bytes that it was given. No other method may run at the same time.
func (f *Filter) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("rotating: %w", err)
	}
	written := Params{
		M: h.Geometry[0], K: h.Geometry[1], Fill: math.Float64frombits(h.Geometry[2]),
		Age: time.Duration(h.Geometry[3]), Hash: h.Hash,
	}
	var made Filter
	if err := made.shape(written); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	if made.params != written {
		return fmt.Errorf("rotating: %w: the fill is 0", frame.ErrCorrupt)
	}
	size := 8 * ((written.M + 63) / 64)
	if n := uint64(len(payload)); n != size && n != 2*size {
		return fmt.Errorf("rotating: %w: %d bytes of bits, m = %d has %d or twice that", frame.ErrCorrupt, n, written.M, size)
	}
	current, err := readBits(payload[:size], written.M)
	if err != nil {
		return err
	}
	var previous []uint64
	if rest := payload[size:]; len(rest) > 0 {
		if previous, err = readBits(rest, written.M); err != nil {
			return err
		}
	}
	f.params, f.limit = made.params, made.limit
	f.adopt(current, previous)
	return nil
}

func readBits(payload []byte, m uint64) ([]uint64, error) {
	words := make([]uint64, len(payload)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(payload[8*i:])
	}
	if used := m % 64; used != 0 && words[len(words)-1]>>used != 0 {
		return nil, fmt.Errorf("rotating: %w: bits are set beyond m = %d", frame.ErrCorrupt, m)
	}
	return words, nil
}

// adopt makes words the bits of f; previous may be nil.
func (f *Filter) adopt(current, previous []uint64) {
	p := &pair{current: halfOf(current)}
	if previous != nil {
		p.previous = halfOf(previous)
	}
	f.pair.Store(p)
	f.since = time.Time{}
}

func halfOf(words []uint64) *half {
	h := &half{words: words}
	for _, w := range words {
		h.set.Add(uint64(bits.OnesCount64(w)))
	}
	return h
}
