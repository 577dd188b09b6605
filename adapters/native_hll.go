package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/stats"
)

// nativeHLLSparse starts as a set of hashes.
var nativeHLLSparse = Cardinality{
	Name: "hll-sparse",
	Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		return hll.New(hll.Params{Precision: spec.Precision, Sparse: true, Hash: hashing.XX(spec.Seed)})
	},
	Merge:  mergeAs[*hll.Sketch, sketchproof.Cardinality],
	Encode: encode[sketchproof.Cardinality],
	Decode: decodeInto[hll.Sketch, *hll.Sketch, sketchproof.Cardinality],
	Laws:   []cardinalityLaw{hllSpread, hllBias},
}

// nativeHLLMartingale counts while it is filled, so that it cannot merge.
var nativeHLLMartingale = Cardinality{
	Name: "hll-martingale",
	Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		return hll.NewMartingale(hll.Params{Precision: spec.Precision, Hash: hashing.XX(spec.Seed)})
	},
	Encode: encode[sketchproof.Cardinality],
	Decode: decodeInto[hll.Martingale, *hll.Martingale, sketchproof.Cardinality],
	Laws:   []cardinalityLaw{hllMartingale, hllMartingaleBias},
}

// hllMartingale is the relative error of a martingale at large n.
var hllMartingale = cardinalityLaw{
	Name: "hll.martingale", Metric: sketchproof.MetricSpread,
	Source: "Ting 2014; Cohen 2015",
	Predict: func(_ sketchproof.Cardinality, spec sketchproof.CardinalitySpec, _ int) stats.Band {
		return stats.Within(hll.MartingaleError(1<<spec.Precision), stats.SpreadTolerance(spec.Precision))
	},
}

// hllMartingaleBias allows a tenth of a standard error either way, at every n.
var hllMartingaleBias = cardinalityLaw{
	Name: hllBias.Name, Metric: sketchproof.MetricBias,
	Source: "Ting 2014; Cohen 2015",
	Predict: func(_ sketchproof.Cardinality, spec sketchproof.CardinalitySpec, _ int) stats.Band {
		e := stats.BiasTolerance * hll.MartingaleError(1<<spec.Precision)
		return stats.Between(0, -e, e)
	},
}
