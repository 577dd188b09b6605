package adapters

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	boom "github.com/tylertreat/BoomFilters"

	"github.com/sketchproof/sketchproof"
)

var boomCountMin = Frequency{
	Name:   "boom-countmin",
	Module: boomModule,
	Build: func(spec sketchproof.FrequencySpec) (sketchproof.Frequency, error) {
		if spec.Width < 1 || spec.Depth < 1 {
			return nil, fmt.Errorf("adapters: boom-countmin: %d by %d counters; both are at least 1", spec.Width, spec.Depth)
		}
		// The library takes ε and δ, and rounds e/ε and ln(1/δ) up.
		eps := math.E / (float64(spec.Width) - 0.5)
		delta := math.Exp(0.5 - float64(spec.Depth))
		return &BoomCountMin{boom.NewCountMinSketch(eps, delta)}, nil
	},
	Merge: func(dst, src sketchproof.Frequency) error {
		return dst.(*BoomCountMin).s.Merge(src.(*BoomCountMin).s)
	},
	Encode: func(f sketchproof.Frequency) ([]byte, error) {
		var b bytes.Buffer
		_, err := f.(*BoomCountMin).s.WriteDataTo(&b)
		return b.Bytes(), err
	},
	Decode: func(data []byte) (sketchproof.Frequency, error) {
		// The library reads into a sketch of the ε and δ that were written, and no other.
		if len(data) < 24 {
			return nil, fmt.Errorf("adapters: boom-countmin: %d bytes", len(data))
		}
		eps := math.Float64frombits(binary.LittleEndian.Uint64(data))
		delta := math.Float64frombits(binary.LittleEndian.Uint64(data[8:]))
		if counters := boomWidth(eps) * boomDepth(delta); counters != float64(len(data)-24)/8 {
			return nil, fmt.Errorf("adapters: boom-countmin: %d bytes hold no %g counters", len(data), counters)
		}
		s := boom.NewCountMinSketch(eps, delta)
		_, err := s.ReadDataFrom(bytes.NewReader(data))
		return &BoomCountMin{s}, err
	},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Accuracy, Text: "the approximate count for the specified item, correct within epsilon * total count with a probability of delta", Where: "func (*CountMinSketch) Count"},
		{Of: sketchproof.Merging, Text: "Merge combines this CountMinSketch with another.", Where: "func (*CountMinSketch) Merge"},
		{Of: sketchproof.Serialization, Text: "ReadDataFrom reads a binary representation of the CMS data written by WriteDataTo()", Where: "func (*CountMinSketch) ReadDataFrom"},
	},
}

// BoomCountMin is a count-min sketch of github.com/tylertreat/BoomFilters: FNV-1,
// no seed.
type BoomCountMin struct{ s *boom.CountMinSketch }

func (b *BoomCountMin) Add(key, weight uint64)             { b.s.AddN(keyBytes(key), weight) }
func (b *BoomCountMin) Count(key uint64) uint64            { return b.s.Count(keyBytes(key)) }
func (b *BoomCountMin) AddBytes(key []byte, weight uint64) { b.s.AddN(key, weight) }
func (b *BoomCountMin) CountBytes(key []byte) uint64       { return b.s.Count(key) }

// SizeBytes is eight bytes a counter.
func (b *BoomCountMin) SizeBytes() int {
	return int(8 * boomWidth(b.s.Epsilon()) * boomDepth(b.s.Delta()))
}

// The library does not tell its geometry, but what it follows from.
func boomWidth(eps float64) float64   { return math.Ceil(math.E / eps) }
func boomDepth(delta float64) float64 { return math.Ceil(math.Log(1 / delta)) }
