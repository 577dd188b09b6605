package adapters

import (
	"bytes"
	"encoding/binary"
	"fmt"

	boom "github.com/tylertreat/BoomFilters"

	"github.com/sketchproof/sketchproof"
)

// boomPrecision is the highest precision that the adapter asks for. The library
// takes every power of two, from one register on.
const boomPrecision = 24

var boomHLL = Cardinality{
	Name:   "boom-hll",
	Module: boomModule,
	Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		if spec.Precision < 0 || spec.Precision > boomPrecision {
			return nil, fmt.Errorf("adapters: boom-hll: precision %d; it must be 0 to %d", spec.Precision, boomPrecision)
		}
		h, err := boom.NewHyperLogLog(1 << spec.Precision)
		return &BoomHLL{h, 1 << spec.Precision}, err
	},
	Merge: func(dst, src sketchproof.Cardinality) error { return dst.(*BoomHLL).h.Merge(src.(*BoomHLL).h) },
	Encode: func(c sketchproof.Cardinality) ([]byte, error) {
		var b bytes.Buffer
		_, err := c.(*BoomHLL).h.WriteDataTo(&b)
		return b.Bytes(), err
	},
	Decode: func(data []byte) (sketchproof.Cardinality, error) {
		// The library reads into a sketch of as many registers, and no other.
		const header = 8 + 4 + 8
		if len(data) < header {
			return nil, fmt.Errorf("adapters: boom-hll: %d bytes", len(data))
		}
		m := binary.LittleEndian.Uint64(data)
		if m != uint64(len(data)-header) {
			return nil, fmt.Errorf("adapters: boom-hll: %d bytes hold no %d registers", len(data), m)
		}
		h, err := boom.NewHyperLogLog(uint(m))
		if err != nil {
			return nil, err
		}
		_, err = h.ReadDataFrom(bytes.NewReader(data))
		return &BoomHLL{h, int(m)}, err
	},
	Laws: []cardinalityLaw{hllSpread, hllBias},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Accuracy, Text: "uses a fraction of the memory while providing an accurate approximation", Where: "type HyperLogLog"},
		{Of: sketchproof.Merging, Text: "Merge combines this HyperLogLog with another.", Where: "func (*HyperLogLog) Merge"},
		{Of: sketchproof.Serialization, Text: "ReadDataFrom reads a binary representation of the Hll data written by WriteDataTo()", Where: "func (*HyperLogLog) ReadDataFrom"},
	},
}

// BoomHLL is the HyperLogLog of github.com/tylertreat/BoomFilters: FNV-1 of 32 bits,
// the corrections of 2007, no seed.
type BoomHLL struct {
	h *boom.HyperLogLog
	m int
}

func (b *BoomHLL) Add(key uint64)      { b.h.Add(keyBytes(key)) }
func (b *BoomHLL) AddBytes(key []byte) { b.h.Add(key) }
func (b *BoomHLL) Estimate() float64   { return float64(b.h.Count()) }

// SizeBytes is a byte a register.
func (b *BoomHLL) SizeBytes() int { return b.m }
