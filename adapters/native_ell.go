package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/ell"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var nativeELL = Cardinality{
	Name: "ell",
	Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		return ell.New(standardELL(spec))
	},
	Merge:  mergeAs[*ell.Sketch, sketchproof.Cardinality],
	Encode: encode[sketchproof.Cardinality],
	Decode: decodeInto[ell.Sketch, *ell.Sketch, sketchproof.Cardinality],
	Laws:   windowLaws("ell", "Ertl 2024", ellLaw(ell.MLError)),
}

var nativeELLMartingale = Cardinality{
	Name: "ell-martingale",
	Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		return ell.NewMartingale(standardELL(spec))
	},
	Encode: encode[sketchproof.Cardinality],
	Decode: decodeInto[ell.Martingale, *ell.Martingale, sketchproof.Cardinality],
	Laws:   windowLaws("ell.martingale", "Ertl 2024; Cohen 2015; Ting 2014", ellLaw(ell.MartingaleError)),
}

func standardELL(spec sketchproof.CardinalitySpec) ell.Params {
	return ell.Standard(spec.Precision, hashing.XX(spec.Seed))
}

// ellLaw is a law of ExaLogLog for the t and d that standardELL takes.
func ellLaw(err func(t, d int, m, n float64) float64) func(m, n float64) float64 {
	p := standardELL(sketchproof.CardinalitySpec{})
	return func(m, n float64) float64 { return err(p.T, p.D, m, n) }
}
