package countmin

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// The geometry words are width, depth, row scheme, conservative (0 or 1) and
// total; the payload is the counters, row by row, little endian. A table of 32-bit
// counters has a name of its own.
const (
	structure       = "CMSK"
	narrowStructure = "CM32"
	version         = 1
	geometryWords   = 5
)

// MarshalBinary returns the sketch as bytes: 84 bytes and 8 for each counter, or
// 4.
// The hash function is part of them; under a secret key they are as secret as
// the key. It fails only for a sketch that was never built.
func (s *Sketch) MarshalBinary() ([]byte, error) {
	if s.depth == 0 {
		return nil, errors.New("countmin: the zero Sketch has no serialized form: make one with New")
	}
	flag := uint64(0)
	if s.conservative {
		flag = 1
	}
	h := frame.Header{
		Structure: structure, Version: version, Hash: s.hash,
		Geometry: []uint64{s.width, s.depth, uint64(s.rows), flag, s.total},
	}
	if s.narrow != nil {
		h.Structure = narrowStructure
	}
	return frame.Marshal(h, s.SizeBytes(), func(b []byte) []byte {
		for _, c := range s.narrow {
			b = binary.LittleEndian.AppendUint32(b, c)
		}
		for _, c := range s.cells {
			b = binary.LittleEndian.AppendUint64(b, c)
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
// do not add up to the total, give an error, and s is then unchanged.
func (s *Sketch) UnmarshalBinary(data []byte) error {
	name := structure
	if len(data) >= 8 && string(data[4:8]) == narrowStructure {
		name = narrowStructure
	}
	h, payload, err := frame.Decode(data, name, version, geometryWords)
	if err != nil {
		return fmt.Errorf("countmin: %w", err)
	}
	n, err := fromHeader(h, uint64(len(payload)))
	if err != nil {
		return fmt.Errorf("countmin: %w: %w", frame.ErrCorrupt, err)
	}
	if name == narrowStructure {
		n.narrow = make([]uint32, len(payload)/4)
		for i := range n.narrow {
			n.narrow[i] = binary.LittleEndian.Uint32(payload[4*i:])
		}
	} else {
		n.cells = make([]uint64, len(payload)/8)
		for i := range n.cells {
			n.cells[i] = binary.LittleEndian.Uint64(payload[8*i:])
		}
	}
	if err := n.checkSums(); err != nil {
		return fmt.Errorf("countmin: %w: %w", frame.ErrCorrupt, err)
	}
	*s = *n
	return nil
}

// fromHeader checks the geometry against the payload before anything of the
// table's size is allocated.
func fromHeader(h frame.Header, payload uint64) (*Sketch, error) {
	w, d, rows, flag, total := h.Geometry[0], h.Geometry[1], h.Geometry[2], h.Geometry[3], h.Geometry[4]
	switch {
	case w < 1:
		return nil, fmt.Errorf("width %d, must be at least 1", w)
	case d < 1 || d > MaxDepth:
		return nil, fmt.Errorf("depth %d, must be from 1 to %d", d, MaxDepth)
	case rows > uint64(Independent):
		return nil, fmt.Errorf("row scheme %d, must be 0 or 1", rows)
	case flag > 1:
		return nil, fmt.Errorf("conservative flag %d, must be 0 or 1", flag)
	}
	size := cellBytes(h.Structure == narrowStructure)
	if err := checkTable(w, d, size); err != nil {
		return nil, err
	}
	if payload != size*w*d {
		return nil, fmt.Errorf("%d bytes of counters for %d rows of %d", payload, d, w)
	}
	return &Sketch{
		width: w, depth: d, span: w * rowsPerWord(w, d), total: total,
		hash: h.Hash, rows: RowScheme(rows), conservative: flag == 1,
	}, nil
}

// checkSums keeps what the loops rely on: no counter is above the total. Every
// weight goes to one counter of each row, so a row adds up to the total, or to
// less under conservative update and where a counter has stopped; saturating sums
// keep that too.
func (s *Sketch) checkSums() error {
	for r := range s.depth {
		sum, stopped := uint64(0), false
		for i := r * s.width; i < (r+1)*s.width; i++ {
			c := s.cell(i)
			stopped = stopped || c == s.limit()
			sum = addSaturating(sum, c)
		}
		if sum > s.total || sum < s.total && !s.conservative && !stopped {
			return fmt.Errorf("row %d adds up to %d, the total is %d", r, sum, s.total)
		}
	}
	return nil
}
