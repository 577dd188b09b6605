package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/stats"
)

var nativePartitioned = Filter{
	Name:  "bloom-partitioned",
	Keyed: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		f, err := bloom.ForRatePartitioned(uint64(max(spec.Size(), 1)), spec.Epsilon, hashOf(spec, hashing.XX))
		return holding(f, err, spec.Keys)
	},
	Merge:  mergeAs[*bloom.Filter, sketchproof.Filter],
	Encode: encode[sketchproof.Filter],
	Decode: decodeInto[bloom.Filter, *bloom.Filter, sketchproof.Filter],
	Laws:   []filterLaw{BloomPartitioned, promisedRate},
}

// BloomPartitioned is the rate of a Bloom filter of k slices with one probe in
// each.
var BloomPartitioned = filterLaw{
	Name: "bloom.partitioned", Metric: sketchproof.MetricFPR,
	Source: "Broder & Mitzenmacher 2004, section 2: (1 - (1 - k/m)^n)^k",
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, n int) stats.Band {
		s := f.(BloomShape)
		return RateBand(bloom.FPRPartitioned(s.M(), s.K(), uint64(n)))
	},
}
