package adapters

import (
	"fmt"

	"github.com/retailnext/hllpp"

	"github.com/sketchproof/sketchproof"
)

var retailnextHLLPP = Cardinality{
	Name:   "retailnext-hllpp",
	Module: "github.com/retailnext/hllpp",
	Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		if spec.Precision < 4 || spec.Precision > 16 {
			return nil, fmt.Errorf("adapters: retailnext-hllpp: precision %d; it must be 4 to 16", spec.Precision)
		}
		// The sparse precision is the library's, and no less than the precision.
		h, err := hllpp.NewWithConfig(hllpp.Config{Precision: uint8(spec.Precision)})
		return &RetailnextHLLPP{h, 1 << spec.Precision}, err
	},
	Merge: func(dst, src sketchproof.Cardinality) error {
		return dst.(*RetailnextHLLPP).h.Merge(src.(*RetailnextHLLPP).h)
	},
	Encode: func(c sketchproof.Cardinality) ([]byte, error) { return c.(*RetailnextHLLPP).h.Marshal(), nil },
	Decode: func(data []byte) (sketchproof.Cardinality, error) {
		h, err := hllpp.Unmarshal(data)
		if err != nil {
			return nil, err
		}
		// Its ninth byte is the precision, which the library tells nowhere else.
		return &RetailnextHLLPP{h, 1 << data[8]}, nil
	},
	Laws: []cardinalityLaw{hllSpread, hllBias},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Accuracy, Text: "Defaults to 14, the recommended value, which gives an expected error of about 0.8%", Where: "type Config"},
		{Of: sketchproof.Merging, Text: "Merge turns h into the union of h and other.", Where: "func (*HLLPP) Merge"},
		{Of: sketchproof.Serialization, Text: "Marshal serializes h into a byte slice that can be deserialized via Unmarshal.", Where: "func (*HLLPP) Marshal"},
		{Of: sketchproof.Memory, Text: "only using 5 bits per register when possible", Where: "README"},
	},
}

// RetailnextHLLPP is a sketch of github.com/retailnext/hllpp: sparse at first,
// murmur3, the bias tables of 2013, no seed. The library does not allow two calls of
// one sketch side by side, not even to estimate.
type RetailnextHLLPP struct {
	h *hllpp.HLLPP
	m int
}

func (r *RetailnextHLLPP) Add(key uint64)      { r.h.Add(keyBytes(key)) }
func (r *RetailnextHLLPP) AddBytes(key []byte) { r.h.Add(key) }
func (r *RetailnextHLLPP) Estimate() float64   { return float64(r.h.Count()) }

// SizeBytes is the dense form's: six bits a register, of which the library saves one
// while no register is above 31. It does not tell what its sparse form holds.
func (r *RetailnextHLLPP) SizeBytes() int { return r.m * 6 / 8 }
