package adapters

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/stats"
)

type (
	filterLaw      = sketchproof.Law[sketchproof.Filter, sketchproof.FilterSpec]
	cardinalityLaw = sketchproof.Law[sketchproof.Cardinality, sketchproof.CardinalitySpec]
)

// BloomShape is the geometry of anything that is a Bloom filter.
type BloomShape interface {
	M() uint64 // bits
	K() uint64 // probes
}

// CuckooShape is the geometry of anything that is a cuckoo filter.
type CuckooShape interface {
	Slots() int           // per bucket
	Buckets() uint64      // in all
	FingerprintBits() int // of which zero is reserved
	Len() int             // fingerprints stored
}

// RateBand is the default band around a predicted rate.
func RateBand(rate float64) stats.Band { return stats.Within(rate, stats.RateTolerance(rate)) }

// PromiseLaw is what a filter built for a rate at a capacity promises by that.
const PromiseLaw = "promise"

// Promise is the band of a promised rate: at most eps, and what is too small a
// difference to matter beside it.
func Promise(eps float64) stats.Band {
	return stats.Between(eps, math.Inf(-1), eps*(1+stats.RateTolerance(eps)))
}

// BloomExact is the rate of a Bloom filter with independent probes.
var BloomExact = filterLaw{
	Name: "bloom.exact", Metric: sketchproof.MetricFPR,
	Source: "Bose et al. 2008; Christensen, Roginsky, Jimeno 2010",
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, n int) stats.Band {
		s := f.(BloomShape)
		return RateBand(bloom.FPRExact(s.M(), s.K(), uint64(n)))
	},
}

var promisedRate = filterLaw{
	Name: PromiseLaw, Metric: sketchproof.MetricFPR,
	Source: "the rate that the constructor was asked for",
	Predict: func(_ sketchproof.Filter, spec sketchproof.FilterSpec, _ int) stats.Band {
		return Promise(spec.Epsilon)
	},
}

// noFalsePositives is the law of an exact set.
var noFalsePositives = filterLaw{
	Name: "exact", Metric: sketchproof.MetricFPR, Source: "definition",
	Predict: func(sketchproof.Filter, sketchproof.FilterSpec, int) stats.Band { return stats.AtMost(0) },
}

// hllSpread is the relative error of HyperLogLog at large n.
var hllSpread = cardinalityLaw{
	Name: "hll.error", Metric: sketchproof.MetricSpread,
	Source: "Flajolet, Fusy, Gandouet, Meunier 2007, Theorem 1",
	Predict: func(_ sketchproof.Cardinality, spec sketchproof.CardinalitySpec, _ int) stats.Band {
		return stats.Within(hll.StandardError(1<<spec.Precision), stats.SpreadTolerance(spec.Precision))
	},
}

// hllBias allows a tenth of a standard error either way.
var hllBias = cardinalityLaw{
	Name: "hll.unbiased", Metric: sketchproof.MetricBias,
	Source: "Flajolet, Fusy, Gandouet, Meunier 2007, Theorem 1",
	Predict: func(_ sketchproof.Cardinality, spec sketchproof.CardinalitySpec, _ int) stats.Band {
		e := stats.BiasTolerance * hll.StandardError(1<<spec.Precision)
		return stats.Between(0, -e, e)
	},
}

// checkFilterSpec refuses what no filter can be built for.
func checkFilterSpec(spec sketchproof.FilterSpec) error {
	if !(spec.Epsilon > 0 && spec.Epsilon < 1) {
		return fmt.Errorf("adapters: rate %v; it must lie between 0 and 1, both excluded", spec.Epsilon)
	}
	return nil
}
