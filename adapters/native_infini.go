package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/infini"
	"github.com/sketchproof/sketchproof/stats"
)

// nativeInfini starts with room for its capacity, and grows beyond.
var nativeInfini = Filter{
	Name:  "infini",
	Keyed: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		f, err := infini.ForRate(uint64(max(spec.Size(), 1)), spec.Epsilon, hashOf(spec, hashing.XX))
		return holding(f, err, spec.Keys)
	},
	Encode: encode[sketchproof.Filter],
	Decode: decodeInto[infini.Filter, *infini.Filter, sketchproof.Filter],
	Laws:   []filterLaw{InfiniGrowth, promisedRate},
}

// InfiniShape is how a filter that grows started.
type InfiniShape interface{ Params() infini.Params }

// InfiniGrowth is the rate of a filter whose keys are prefixes of their hashes,
// each as long as the generation that it came in says.
var InfiniGrowth = filterLaw{
	Name: "infini.growth", Metric: sketchproof.MetricFPR,
	Source: "derived; Dayan, Bercea, Reviriego, Pagh 2023, section 4: the rates of the generations add up",
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, n int) stats.Band {
		return RateBand(infini.GrowthFPR(f.(InfiniShape).Params(), uint64(n)))
	},
}
