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
		s := new(hyperloglog.Sketch)
		if err := s.UnmarshalBinary(data); err != nil {
			return nil, err
		}
		return axiomhqOf(s), nil
	},
	Forms: otherForms(sketchproof.FormsOf(
		func(c sketchproof.Cardinality) *hyperloglog.Sketch { return c.(*AxiomhqHLL).s },
		func(s *hyperloglog.Sketch) sketchproof.Cardinality { return axiomhqOf(s) },
	)),
	Laws: []cardinalityLaw{hllSpread, hllBias},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Accuracy, Text: "LogLog-Beta for dynamic bias correction across all cardinalities", Where: "README"},
		{Of: sketchproof.Merging, Text: "Order-independent insertions and merging for consistent results regardless of data input order", Where: "README"},
		{Of: sketchproof.Serialization, Text: "MarshalBinary implements the encoding.BinaryMarshaler interface.", Where: "func (*Sketch) MarshalBinary"},
		{Of: sketchproof.Memory, Text: "Minimum (2^4 registers): 16 bytes. Default (2^14 registers): 16 KB. Maximum (2^18 registers): 256 KB", Where: "README"},
	},
}

// AxiomhqHLL is a sketch of github.com/axiomhq/hyperloglog: sparse at first,
// metro hash, LogLog-Beta estimate, no seed.
type AxiomhqHLL struct {
	s *hyperloglog.Sketch
	m int
}

// axiomhqOf finds the precision of a sketch in its bytes, whose second it is: the
// library tells it nowhere else.
func axiomhqOf(s *hyperloglog.Sketch) *AxiomhqHLL {
	a := &AxiomhqHLL{s: s}
	if data, err := encoding.BinaryMarshaler(s).MarshalBinary(); err == nil && len(data) > 1 {
		a.m = 1 << data[1]
	}
	return a
}

func (a *AxiomhqHLL) Add(key uint64)      { a.s.Insert(keyBytes(key)) }
func (a *AxiomhqHLL) AddBytes(key []byte) { a.s.Insert(key) }
func (a *AxiomhqHLL) AddHash(hash uint64) { a.s.InsertHash(hash) }
func (a *AxiomhqHLL) Estimate() float64   { return float64(a.s.Estimate()) }

// SizeBytes is the dense form's: a byte a register. The library does not tell
// what its sparse form holds.
func (a *AxiomhqHLL) SizeBytes() int { return a.m }
