package adapters

import (
	"math"

	boom "github.com/tylertreat/BoomFilters"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/stats"
)

// boomStable has as many cells of one bit as a Bloom filter of that capacity and
// rate has bits, and 64 at least: it has no capacity of its own.
var boomStable = Filter{
	Name:    "boom-stable",
	Module:  boomModule,
	Forgets: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkBoomSpec(spec); err != nil {
			return nil, err
		}
		cells := max(64, boom.OptimalM(uint(max(spec.Size(), 1)), spec.Epsilon))
		return holding(BoomStable{BoomKeys{boom.NewDefaultStableBloomFilter(cells, spec.Epsilon)}}, nil, spec.Keys)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) {
		return f.(boomLibrary).library().(*boom.StableBloomFilter).GobEncode()
	},
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f := boom.NewDefaultStableBloomFilter(64, 0.5) // which has cells and a hash function
		if err := f.GobDecode(data); err != nil {
			return nil, err
		}
		return BoomStable{BoomKeys{f}}, nil
	},
	Forms: boomForms(func(f *boom.StableBloomFilter) sketchproof.Filter { return BoomStable{BoomKeys{f}} }),
	Laws:  []filterLaw{boomStablePoint, promisedRate},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Rate, Text: "a tight upper bound on the rate of false positives while introducing a non-zero rate of false negatives", Where: "type StableBloomFilter"},
		{Of: sketchproof.Serialization, Text: "ReadFrom reads a binary representation of StableBloomFilter (such as might have been written by WriteTo())", Where: "func (*StableBloomFilter) ReadFrom"},
	},
}

// boomStablePoint is the rate that a stable filter comes to, and never passes: that
// of the cells which are not zero.
var boomStablePoint = filterLaw{
	Name: "stable.point", Metric: sketchproof.MetricFPR,
	Source: "Deng & Rafiei 2006, Theorem 2 and equation 2: (1 - (1 + 1/(P(1/K - 1/m)))^-Max)^K, cells of one bit",
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, _ int) stats.Band {
		s := f.(BoomStable).f.(*boom.StableBloomFilter)
		k := float64(s.K())
		zero := 1 / (1 + 1/(float64(s.P())*(1/k-1/float64(s.Cells()))))
		return Promise(math.Pow(1-zero, k))
	},
}

// BoomStable is a filter of github.com/tylertreat/BoomFilters that ages: each key
// that is added takes one from cells which the global math/rand draws.
type BoomStable struct{ BoomKeys }

// SizeBytes is the length of the cells, one bit each.
func (b BoomStable) SizeBytes() int { return int(b.f.(*boom.StableBloomFilter).Cells()+7) / 8 }

// boomInverse has as many slots as keys are wanted.
var boomInverse = Filter{
	Name:    "boom-inverse",
	Module:  boomModule,
	Forgets: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkBoomSpec(spec); err != nil {
			return nil, err
		}
		return holding(BoomInverse{BoomKeys{boom.NewInverseBloomFilter(uint(max(spec.Size(), 1)))}}, nil, spec.Keys)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) {
		return f.(boomLibrary).library().(*boom.InverseBloomFilter).GobEncode()
	},
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f := boom.NewInverseBloomFilter(1) // which has a hash function
		if err := f.GobDecode(data); err != nil {
			return nil, err
		}
		return BoomInverse{BoomKeys{f}}, nil
	},
	Forms: boomForms(func(f *boom.InverseBloomFilter) sketchproof.Filter { return BoomInverse{BoomKeys{f}} }),
	Laws:  []filterLaw{boomNoFalsePositives},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Rate, Text: "may report a false negative but can never report a false positive", Where: "type InverseBloomFilter"},
		{Of: sketchproof.Serialization, Text: "ReadFrom reads a binary representation of InverseBloomFilter (such as might have been written by WriteTo())", Where: "func (*InverseBloomFilter) ReadFrom"},
		{Of: sketchproof.Concurrency, Text: "It uses a CAS-style approach, which makes it thread-safe.", Where: "README"},
	},
}

var boomNoFalsePositives = filterLaw{
	Name: "inverse.no-false-positives", Metric: sketchproof.MetricFPR, Source: "Hodges 2012: a slot holds the key itself",
	Predict: func(sketchproof.Filter, sketchproof.FilterSpec, int) stats.Band { return stats.AtMost(0) },
}

// BoomInverse is a table of github.com/tylertreat/BoomFilters that holds keys
// themselves, and of those that meet in a slot the last one: FNV-1 of 32 bits.
type BoomInverse struct{ BoomKeys }

// SizeBytes is a pointer a slot, and a key of eight bytes with its slice header in
// each. The library does not tell how many slots have one: it is what a full table
// takes.
func (b BoomInverse) SizeBytes() int {
	return int(b.f.(*boom.InverseBloomFilter).Capacity()) * (8 + 24 + 8)
}
