package countsketch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// The geometry words are width, depth and total; the payload is the counters,
// row by row, in two's complement, little endian.
const (
	structure     = "CSKT"
	version       = 1
	geometryWords = 3
)

// MarshalBinary returns the sketch as bytes: 68 bytes and 8 for each counter.
// The hash function is part of them; under a secret key they are as secret as
// the key. It fails only for a sketch that was never built.
func (s *Sketch) MarshalBinary() ([]byte, error) {
	if s.depth == 0 {
		return nil, errors.New("countsketch: the zero Sketch has no serialized form: make one with New")
	}
	h := frame.Header{
		Structure: structure, Version: version, Hash: s.hash, Geometry: []uint64{s.width, s.depth, s.total},
	}
	return frame.Marshal(h, 8*len(s.cells), func(b []byte) []byte {
		for _, c := range s.cells {
			b = binary.LittleEndian.AppendUint64(b, uint64(c))
		}
		return b
	})
}

// AppendBinary appends to b what MarshalBinary returns.
func (s *Sketch) AppendBinary(b []byte) ([]byte, error) {
	data, err := s.MarshalBinary()
	if err != nil {
		return b, err
	}
	return append(b, data...), nil
}

// UnmarshalBinary makes s the sketch that data was written from, with a table
// of its own. Bytes that no sketch can have written, including counters that
// do not fit the total, give an error, and s is then unchanged.
func (s *Sketch) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, structure, version, geometryWords)
	if err != nil {
		return fmt.Errorf("countsketch: %w", err)
	}
	n, err := fromHeader(h, uint64(len(payload)))
	if err != nil {
		return fmt.Errorf("countsketch: %w: %w", frame.ErrCorrupt, err)
	}
	n.cells = make([]int64, len(payload)/8)
	for i := range n.cells {
		n.cells[i] = int64(binary.LittleEndian.Uint64(payload[8*i:]))
	}
	if err := n.check(); err != nil {
		return fmt.Errorf("countsketch: %w: %w", frame.ErrCorrupt, err)
	}
	*s = *n
	return nil
}

// fromHeader checks the geometry against the payload before anything of the
// table's size is allocated.
func fromHeader(h frame.Header, payload uint64) (*Sketch, error) {
	w, d, total := h.Geometry[0], h.Geometry[1], h.Geometry[2]
	switch {
	case w < 1:
		return nil, fmt.Errorf("width %d, must be at least 1", w)
	case d < 1 || d > MaxDepth || d%2 == 0:
		return nil, fmt.Errorf("depth %d, must be odd and from 1 to %d", d, MaxDepth)
	case total > math.MaxInt64:
		return nil, fmt.Errorf("total %d, must be at most %d", total, int64(math.MaxInt64))
	}
	s, err := sized(w, d, h.Hash)
	if err != nil {
		return nil, err
	}
	if payload != 8*w*d {
		return nil, fmt.Errorf("%d bytes of counters for %d rows of %d", payload, d, w)
	}
	s.total = total
	return s, nil
}

// check keeps what the loops rely on: no counter is larger than the total. The
// sizes of a row's counters add up to at most the total, and to an odd number
// when it is odd, for a weight changes either by its size or the opposite.
func (s *Sketch) check() error {
	if s.Saturated() {
		for _, c := range s.cells {
			if c == math.MinInt64 {
				return fmt.Errorf("a counter is %d, the least is %d", c, int64(-math.MaxInt64))
			}
		}
		return nil
	}
	for r := range s.depth {
		sum := uint64(0)
		for _, c := range s.cells[r*s.width : (r+1)*s.width] {
			size := uint64(max(c, -c)) // of math.MinInt64 itself, 2^63: above the total
			if size > s.total-sum {
				return fmt.Errorf("row %d has counters of more than the total of %d", r, s.total)
			}
			sum += size
		}
		if (s.total-sum)%2 != 0 {
			return fmt.Errorf("row %d adds up to %d, the total is %d: one is odd", r, sum, s.total)
		}
	}
	return nil
}
