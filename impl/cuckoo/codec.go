package cuckoo

import (
	"encoding/binary"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

const (
	structure = "CUCK"
	version   = 1
	geometry  = 4 // buckets, slots, fingerprint bits, most kicks
)

// MarshalBinary writes geometry, hash function and table, the tags packed
// without gaps. Its error is always nil.
func (f *Filter) MarshalBinary() ([]byte, error) {
	p := f.params
	h := frame.Header{Structure: structure, Version: version, Hash: p.Hash, Geometry: []uint64{
		p.Buckets, uint64(p.Slots), uint64(p.FingerprintBits), uint64(p.MaxKicks),
	}}
	size := payload(p)
	return frame.Encode(h, int(size), func(b []byte) []byte {
		for _, w := range f.table.words[:size/8] {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		for i := size &^ 7; i < size; i++ {
			b = append(b, byte(f.table.words[i/8]>>(i%8*8)))
		}
		return b
	}), nil
}

// AppendBinary appends what MarshalBinary returns to b.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) {
	data, err := f.MarshalBinary()
	return append(b, data...), err
}

func payload(p Params) uint64 { return (p.tableBits() + 7) / 8 }

// UnmarshalBinary replaces f by what MarshalBinary wrote. Bytes that no filter
// writes are refused with an error, and f is then unchanged. The number of keys
// is counted in the table, and Kicks starts at zero.
func (f *Filter) UnmarshalBinary(data []byte) error {
	h, body, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("cuckoo: %w", err)
	}
	for _, g := range h.Geometry[1:] {
		if g > maxMaxKicks { // so that the conversions keep the value where an int has 32 bits
			return fmt.Errorf("cuckoo: %w: geometry %v", frame.ErrCorrupt, h.Geometry)
		}
	}
	p := Params{
		Buckets: h.Geometry[0], Slots: int(h.Geometry[1]), FingerprintBits: int(h.Geometry[2]),
		MaxKicks: int(h.Geometry[3]), Hash: h.Hash,
	}
	if err := p.check(); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	// Before anything is allocated: the table is as large as the bytes given.
	if uint64(len(body)) != payload(p) {
		return fmt.Errorf("cuckoo: %w: a table of %d bytes, want %d", frame.ErrCorrupt, len(body), payload(p))
	}
	if used := p.tableBits() % 8; used != 0 && body[len(body)-1]>>used != 0 {
		return fmt.Errorf("cuckoo: %w: bits set behind the last slot", frame.ErrCorrupt)
	}
	g := empty(p)
	g.table.load(body)
	for s := range p.Buckets * uint64(p.Slots) {
		if g.table.get(s*uint64(p.FingerprintBits)) != 0 {
			g.count++
		}
	}
	*f = *g
	return nil
}

// load fills the words from bytes, little endian.
func (t *table) load(b []byte) {
	for i, v := range b {
		t.words[i/8] |= uint64(v) << (i % 8 * 8)
	}
}
