package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/ull"
	"github.com/sketchproof/sketchproof/stats"
)

var nativeULL = Cardinality{
	Name: "ull",
	Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		return ull.New(ull.Params{Precision: spec.Precision, Hash: hashing.XX(spec.Seed)})
	},
	Merge:  mergeAs[*ull.Sketch, sketchproof.Cardinality],
	Encode: encode[sketchproof.Cardinality],
	Decode: decodeInto[ull.Sketch, *ull.Sketch, sketchproof.Cardinality],
	Laws:   windowLaws("ull", "Ertl 2023", ull.MLError),
}

var nativeULLMartingale = Cardinality{
	Name: "ull-martingale",
	Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		return ull.NewMartingale(ull.Params{Precision: spec.Precision, Hash: hashing.XX(spec.Seed)})
	},
	Encode: encode[sketchproof.Cardinality],
	Decode: decodeInto[ull.Martingale, *ull.Martingale, sketchproof.Cardinality],
	Laws:   windowLaws("ull.martingale", "Ertl 2023; Cohen 2015; Ting 2014", ull.MartingaleError),
}

// Registers is the size of anything that is made of registers.
type Registers interface {
	M() int // registers
}

// windowLaws are the laws of a sketch whose relative standard error, given
// registers and keys, is known at every number of keys: the error at that number,
// and no bias but for a tenth of the error at many.
func windowLaws(name, source string, err func(m, n float64) float64) []cardinalityLaw {
	const many = 1e9 // keys a register
	return []cardinalityLaw{
		{
			Name: name + ".error", Metric: sketchproof.MetricSpread, Source: source,
			Predict: func(s sketchproof.Cardinality, spec sketchproof.CardinalitySpec, n int) stats.Band {
				return stats.Within(err(float64(s.(Registers).M()), float64(n)), stats.SpreadTolerance(spec.Precision))
			},
		},
		{
			Name: name + ".unbiased", Metric: sketchproof.MetricBias, Source: source,
			Predict: func(s sketchproof.Cardinality, _ sketchproof.CardinalitySpec, _ int) stats.Band {
				m := float64(s.(Registers).M())
				e := stats.BiasTolerance * err(m, many*m)
				return stats.Between(0, -e, e)
			},
		},
	}
}
