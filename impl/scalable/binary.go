package scalable

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

var (
	_ encoding.BinaryMarshaler   = (*Filter)(nil)
	_ encoding.BinaryAppender    = (*Filter)(nil)
	_ encoding.BinaryUnmarshaler = (*Filter)(nil)
)

// The geometry words are the parameters and the number of links. In the payload
// each link, the oldest first, is its m, k and bits at which it is full, then its
// bits in words, little endian. The three could be computed from the parameters,
// but another machine's logarithm may differ in the last digit.
const (
	structure  = "SCBL"
	version    = 1
	geometry   = 5 // capacity, rate, growth, tightening, links
	linkHeader = 3 * 8
)

// MarshalBinary writes the whole chain with its parameters and hash function
// (under its key, if it has one: see hashing.Keyed). It fails only for a filter
// that was never built.
func (f *Filter) MarshalBinary() ([]byte, error) {
	if len(f.links) == 0 {
		return nil, errors.New("scalable: the zero Filter has no serialized form: make one with New")
	}
	p := f.params
	h := frame.Header{
		Structure: structure, Version: version, Hash: p.Hash,
		Geometry: []uint64{p.Capacity, math.Float64bits(p.Rate), p.Growth, math.Float64bits(p.Tightening), uint64(len(f.links))},
	}
	return frame.Marshal(h, f.SizeBytes()+linkHeader*len(f.links), func(b []byte) []byte {
		for _, l := range f.links {
			b = binary.LittleEndian.AppendUint64(b, l.m)
			b = binary.LittleEndian.AppendUint64(b, l.k)
			b = binary.LittleEndian.AppendUint64(b, l.full)
			for _, w := range l.words {
				b = binary.LittleEndian.AppendUint64(b, w)
			}
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
// written; it allocates no more than a few times the bytes that it was given.
func (f *Filter) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("scalable: %w", err)
	}
	made, err := decode(h, payload)
	if err != nil {
		return fmt.Errorf("scalable: %w: %w", frame.ErrCorrupt, err)
	}
	*f = *made
	return nil
}

func decode(h frame.Header, payload []byte) (*Filter, error) {
	written := Params{
		Capacity: h.Geometry[0], Rate: math.Float64frombits(h.Geometry[1]),
		Growth: h.Geometry[2], Tightening: math.Float64frombits(h.Geometry[3]), Hash: h.Hash,
	}
	p, err := written.complete()
	if err != nil {
		return nil, err
	}
	if p != written {
		return nil, errors.New("a parameter is 0")
	}
	n := h.Geometry[4]
	if n < 1 || n > uint64(len(payload))/(linkHeader+8) {
		return nil, fmt.Errorf("%d links in %d bytes", n, len(payload))
	}
	f := &Filter{params: p, links: make([]link, n)}
	for i := range f.links {
		l := &f.links[i]
		if i == 0 {
			l.capacity, l.rate = p.Capacity, p.Rate*(1-p.Tightening)
		} else {
			before := &f.links[i-1]
			if l.capacity, err = p.capacityAfter(before); err != nil {
				return nil, err
			}
			l.rate = before.rate * p.Tightening
		}
		if payload, err = l.decode(payload); err != nil {
			return nil, fmt.Errorf("link %d: %w", i, err)
		}
		if l.set == 0 && i > 0 {
			return nil, fmt.Errorf("link %d is empty", i)
		}
	}
	if len(payload) > 0 {
		return nil, fmt.Errorf("%d bytes after the last link", len(payload))
	}
	return f, nil
}

// decode reads the link at the head of the payload and returns what follows it.
func (l *link) decode(payload []byte) ([]byte, error) {
	if len(payload) < linkHeader {
		return nil, errors.New("its bytes are cut off")
	}
	l.m = binary.LittleEndian.Uint64(payload)
	l.k = binary.LittleEndian.Uint64(payload[8:])
	l.full = binary.LittleEndian.Uint64(payload[16:])
	payload = payload[linkHeader:]
	if l.m < 1 || l.m > bloom.MaxBits || l.m > 8*uint64(len(payload)) {
		return nil, fmt.Errorf("%d bits in %d bytes", l.m, len(payload))
	}
	words := int((l.m + 63) / 64)
	if 8*words > len(payload) {
		return nil, fmt.Errorf("%d bits in %d bytes", l.m, len(payload))
	}
	l.words = make([]uint64, words)
	for i := range l.words {
		l.words[i] = binary.LittleEndian.Uint64(payload[8*i:])
	}
	l.count()
	return payload[8*words:], l.check()
}

// check refuses a link that breaks its promise, or its form.
func (l *link) check() error {
	switch {
	case l.k < 1 || l.k > bloom.MaxK:
		return fmt.Errorf("%d probes, must be 1 to %d", l.k, bloom.MaxK)
	case l.full > l.m || math.Pow(float64(l.full)/float64(l.m), float64(l.k)) > l.rate*(1+1e-9):
		return fmt.Errorf("%d of %d bits are more than the rate %v allows", l.full, l.m, l.rate)
	case l.set > max(l.full, l.k): // one key may always be
		return fmt.Errorf("%d bits are set, %d may be", l.set, l.full)
	case l.padding() != 0:
		return errors.New("bits are set after the last")
	}
	return nil
}
