package adapters

import (
	"encoding"
	"fmt"

	"github.com/axiomhq/hyperloglog"

	"github.com/sketchproof/sketchproof"
)

var axiomhqHLL = Cardinality{
	Name:   "axiomhq-hll",
	Module: "github.com/axiomhq/hyperloglog",
	Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		if spec.Precision < 4 || spec.Precision > 18 {
			return nil, fmt.Errorf("adapters: axiomhq-hll: precision %d; it must be 4 to 18", spec.Precision)
		}
		s, err := hyperloglog.NewSketch(uint8(spec.Precision), true)
		return &AxiomhqHLL{s, 1 << spec.Precision}, err
	},
	Merge: func(dst, src sketchproof.Cardinality) error {
		return dst.(*AxiomhqHLL).s.Merge(src.(*AxiomhqHLL).s)
	},
	Encode: func(c sketchproof.Cardinality) ([]byte, error) {
		return encoding.BinaryMarshaler(c.(*AxiomhqHLL).s).MarshalBinary()
	},
	Decode: func(data []byte) (sketchproof.Cardinality, error) {
		a := &AxiomhqHLL{s: new(hyperloglog.Sketch)}
		return a, a.s.UnmarshalBinary(data)
	},
	Laws: []cardinalityLaw{hllSpread, hllBias},
}

// AxiomhqHLL is a sketch of github.com/axiomhq/hyperloglog: sparse at first,
// metro hash, LogLog-Beta estimate, no seed.
type AxiomhqHLL struct {
	s *hyperloglog.Sketch
	m int
}

func (a *AxiomhqHLL) Add(key uint64)      { a.s.Insert(keyBytes(key)) }
func (a *AxiomhqHLL) AddBytes(key []byte) { a.s.Insert(key) }
func (a *AxiomhqHLL) AddHash(hash uint64) { a.s.InsertHash(hash) }
func (a *AxiomhqHLL) Estimate() float64   { return float64(a.s.Estimate()) }

// SizeBytes is the dense form's: a byte a register. The library does not tell
// what its sparse form holds.
func (a *AxiomhqHLL) SizeBytes() int { return a.m }
