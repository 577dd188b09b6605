package cuckoo

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

const (
	structure       = "CUCK"
	structureSorted = "CUCS" // semi-sorted
	version         = 1
	geometry        = 4 // buckets, slots, fingerprint bits, most kicks
)

// MarshalBinary writes geometry, hash function and table, the tags packed
// without gaps. It fails only for the zero value.
func (f *Filter) MarshalBinary() ([]byte, error) {
	p := f.params
	h := frame.Header{Structure: p.structure(), Version: version, Hash: p.Hash, Geometry: []uint64{
		p.Buckets, uint64(p.Slots), uint64(p.FingerprintBits), uint64(p.MaxKicks),
	}}
	size := payload(p)
	return frame.Marshal(h, int(size), func(b []byte) []byte { return append(b, f.table.bytes[:size]...) })
}

func (p Params) structure() string {
	if p.SemiSorted {
		return structureSorted
	}
	return structure
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
	p := Params{SemiSorted: bytes.HasPrefix(data, []byte("SKPF"+structureSorted))}
	h, body, err := frame.Decode(data, p.structure(), version, geometry)
	if err != nil {
		return fmt.Errorf("cuckoo: %w", err)
	}
	for _, g := range h.Geometry[1:] {
		if g > maxMaxKicks { // so that the conversions keep the value where an int has 32 bits
			return fmt.Errorf("cuckoo: %w: geometry %v", frame.ErrCorrupt, h.Geometry)
		}
	}
	p.Buckets, p.Slots, p.FingerprintBits = h.Geometry[0], int(h.Geometry[1]), int(h.Geometry[2])
	p.MaxKicks, p.Hash = int(h.Geometry[3]), h.Hash
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
	copy(g.table.bytes, body)
	if err := g.recount(); err != nil {
		return err
	}
	*f = *g
	return nil
}

// recount counts the keys held, and refuses semi-sorted buckets that are not as
// sort writes them.
func (f *Filter) recount() error {
	if f.table.form != sorted {
		for s := range f.params.Buckets * uint64(f.params.Slots) {
			if f.table.get(s*uint64(f.params.FingerprintBits)) != 0 {
				f.count++
			}
		}
		return nil
	}
	for i := range f.params.Buckets {
		v := f.table.unsort(i)
		if f.table.window(i*f.table.width)&(1<<rankBits-1) >= multisets || !slices.IsSorted(v[:]) {
			return fmt.Errorf("cuckoo: %w: bucket %d is not sorted", frame.ErrCorrupt, i)
		}
		for _, tag := range v {
			if tag != 0 {
				f.count++
			}
		}
	}
	return nil
}
