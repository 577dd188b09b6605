package adapters

import (
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/kmv"
	"github.com/sketchproof/sketchproof/stats"
)

// nativeKMV keeps as many hashes as registers were asked for, each of eight bytes.
var nativeKMV = Cardinality{
	Name: "kmv",
	Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		if spec.Precision < 4 || spec.Precision > 26 {
			return nil, fmt.Errorf("adapters: kmv: precision %d; it must be 4 to 26", spec.Precision)
		}
		return kmv.New(kmv.Params{K: 1 << spec.Precision, Hash: hashing.XX(spec.Seed)})
	},
	Merge:  mergeAs[*kmv.Sketch, sketchproof.Cardinality],
	Encode: encode[sketchproof.Cardinality],
	Decode: decodeInto[kmv.Sketch, *kmv.Sketch, sketchproof.Cardinality],
	Laws:   []cardinalityLaw{KMVSpread, KMVBias},
}

// KMVSpread is the spread of the k smallest hashes, which is exact. Below k keys
// there is none, but for what would be too little to see.
var KMVSpread = cardinalityLaw{
	Name: "kmv.error", Metric: sketchproof.MetricSpread,
	Source: "Beyer et al. 2007; the moments of the Beta distribution",
	Predict: func(s sketchproof.Cardinality, spec sketchproof.CardinalitySpec, n int) stats.Band {
		k := s.(*kmv.Sketch).K()
		if n < k {
			return stats.AtMost(1e-6)
		}
		return stats.Within(kmv.Error(k, float64(n)), stats.SpreadTolerance(spec.Precision))
	},
}

// KMVBias is none, but for a tenth of the error at many keys.
var KMVBias = cardinalityLaw{
	Name: "kmv.unbiased", Metric: sketchproof.MetricBias,
	Source: "Bar-Yossef et al. 2002; Beyer et al. 2007",
	Predict: func(s sketchproof.Cardinality, _ sketchproof.CardinalitySpec, _ int) stats.Band {
		e := stats.BiasTolerance * kmv.Error(s.(*kmv.Sketch).K(), 1e18)
		return stats.Between(0, -e, e)
	},
}
