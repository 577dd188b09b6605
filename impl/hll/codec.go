package hll

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

const (
	structure = "HLOG"
	version   = 1
	geometry  = 2 // precision, form
)

// Of the second word of geometry the low bits are the register form. optionBit is
// set where Params.Sparse is, and sparseBit while the sketch is sparse: the payload
// is then the codes in order, four bytes each.
const (
	optionBit = 16
	sparseBit = 32
)

// MarshalBinary writes precision, form, hash function and registers, or the set
// of the sparse form. Sketches that are Equal write the same bytes. It fails
// only for the zero value.
func (s *Sketch) MarshalBinary() ([]byte, error) {
	form := uint64(s.params.Registers)
	if s.params.Sparse {
		form |= optionBit
	}
	size := len(s.regs)
	if s.codes != nil {
		form |= sparseBit
		size = 4 * s.codes.n
	}
	h := frame.Header{
		Structure: structure, Version: version, Hash: s.params.Hash,
		Geometry: []uint64{uint64(s.params.Precision), form},
	}
	return frame.Marshal(h, size, func(b []byte) []byte {
		if s.codes != nil {
			for _, code := range s.codes.sorted() {
				b = binary.LittleEndian.AppendUint32(b, code)
			}
		}
		return append(b, s.regs...)
	})
}

// AppendBinary appends what MarshalBinary returns to b.
func (s *Sketch) AppendBinary(b []byte) ([]byte, error) {
	data, err := s.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary replaces s by what MarshalBinary wrote. Bytes that no sketch
// writes, such as a register above 65 - p, are refused with an error, and s is
// then unchanged.
func (s *Sketch) UnmarshalBinary(data []byte) error {
	h, body, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("hll: %w", err)
	}
	t, sparse, err := emptyOf(h)
	if err != nil {
		return fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	if sparse {
		err = t.readCodes(body)
	} else {
		err = t.readRegisters(body)
	}
	if err != nil {
		return fmt.Errorf("hll: %w: %w", frame.ErrCorrupt, err)
	}
	t.arm()
	*s = t
	return nil
}

// emptyOf is a sketch without registers or set, and whether it is sparse.
func emptyOf(h frame.Header) (t Sketch, sparse bool, err error) {
	precision, form := h.Geometry[0], h.Geometry[1]
	option := form&optionBit != 0
	sparse = option && form&sparseBit != 0
	registers := form &^ optionBit
	if sparse {
		registers &^= sparseBit
	}
	if precision > MaxPrecision || registers > uint64(Packed6) { // so that the conversions keep the value
		return t, false, fmt.Errorf("hll: precision %d, form %d", precision, form)
	}
	t.params = Params{Precision: int(precision), Registers: Registers(registers), Sparse: option, Hash: h.Hash}
	return t, sparse, t.params.check()
}

func (s *Sketch) readRegisters(body []byte) error {
	if want := s.params.Registers.bytes(s.M()); len(body) != want {
		return fmt.Errorf("registers of %d bytes, want %d", len(body), want)
	}
	s.regs = body
	for i := range s.M() {
		if v := int(s.Register(i)); v > 65-s.Precision() {
			return fmt.Errorf("register %d is %d, the greatest is %d", i, v, 65-s.Precision())
		}
	}
	s.regs = bytes.Clone(body)
	s.hist = s.count()
	return nil
}

// readCodes allocates a table, at most 8/3 of the payload or 64 bytes.
func (s *Sketch) readCodes(body []byte) error {
	n := len(body) / 4
	slots := s.params.slotsFor(n)
	if len(body)%4 != 0 || slots == 0 {
		return fmt.Errorf("a sparse form of %d bytes, allowed are multiples of 4 to %d",
			len(body), 4*capacity(s.params.mostSlots()))
	}
	s.codes, s.stale = &codeSet{make([]uint32, slots), n}, true
	last := uint32(0)
	for ; len(body) > 0; body = body[4:] {
		code := binary.LittleEndian.Uint32(body)
		if rank := code & (1<<rankBits - 1); rank == 0 || rank > maxRank || code <= last {
			return fmt.Errorf("code %d after code %d", code, last)
		}
		i, _ := s.codes.find(code)
		s.codes.slots[i], last = code, code
	}
	return nil
}
