package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/stats"
)

// The load at the first refusal, and what a refusal does to the keys held.
var (
	firstRefusal = engine.Metric{
		Name: "keys/slot", Method: stats.Mean,
		Law: "cuckoo.load", Source: "Fan et al. 2014, section 5.1: 50, 84, 95, 98 % for b = 1, 2, 4, 8",
	}
	keptKeys = engine.Metric{
		Name: sketchproof.MetricFalseNeg, Method: stats.Invariant,
		Law: "cuckoo.keeps-keys", Source: "Fan et al. 2014, section 3: a key that was added is found",
	}
)

var cuckooLoadExperiment = engine.Experiment{
	Name:     "cuckoo/load",
	Question: "How full is a cuckoo filter when it first refuses a key, and are all others then still there?",
	Claims: []engine.Claim{
		{
			Text:   "the load factor is typically about 95 % with four slots (50, 84 and 98 % with 1, 2 and 8)",
			Source: "Bloom Filters & Probabilistic Data Structures; Fan et al. 2014",
			Metric: firstRefusal.Name, Law: firstRefusal.Law,
		},
		{
			Text:   "a key that was added is found, also after another was refused",
			Source: "Bloom Filters & Probabilistic Data Structures; Fan et al. 2014",
			Metric: keptKeys.Name, Law: keptKeys.Law,
		},
	},
	Method: "Random keys until the first refusal after 500 kicks; then every accepted key is looked up. The quoted loads are taken as " +
		"a floor, with no tolerance. printed-cuckoo is the code of the first document as printed: with 8-bit tags its partner bucket is at " +
		"most 255 buckets away, so the table is many tables of 256 buckets and the fullest refuses first; with a bucket count that is no " +
		"power of two the partner's partner is another bucket, and keys that were moved are lost; a refusal loses the last tag kicked out.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, shape := range engine.Pick(s,
			[]cuckooShape{{1 << 14, 4, 16}},
			[]cuckooShape{
				{1 << 14, 1, 16},
				{1 << 14, 2, 16},
				{1 << 14, 8, 16},
				{1 << 14, 4, 8},
				{1 << 14, 4, 4},
				{10000, 4, 16},
				{10007, 4, 16},
				{1 << 10, 4, 16},
			},
			[]cuckooShape{
				{1 << 18, 1, 16}, {1 << 18, 2, 16}, {1 << 18, 4, 16}, {1 << 18, 8, 16}, {250001, 4, 16}, {1 << 18, 4, 8}, {1 << 18, 4, 12},
			}) {
			cells = append(cells, firstRefusalCell(nativeCuckoo, shape))
		}
		for _, shape := range engine.Pick(s,
			[]cuckooShape{{1 << 12, 4, 8}}, nil, []cuckooShape{{1 << 16, 4, 8}}) {
			cells = append(cells, firstRefusalCell(seiflotfyCuckoo, shape))
		}
		for _, shape := range engine.Pick(s,
			[]cuckooShape{{1 << 14, 4, 8}},
			[]cuckooShape{{10000, 4, 8}, {1 << 14, 4, 16}, {1000, 4, 8}},
			[]cuckooShape{{1 << 18, 4, 8}}) {
			cells = append(cells, firstRefusalCell(printedCuckooKind, shape))
		}
		return cells
	},
}

func firstRefusalCell(kind cuckooKind, shape cuckooShape) engine.Cell {
	const kicking = 3 // a fill to the brim costs about so many times one without kicks
	price := cost(kind.module, (kicking+1)*shape.slots(), shape.slots()*shape.f/8)
	return engine.Cell{
		Labels: kind.labels(shape, "kicks", cuckoo.DefaultMaxKicks), Module: adapters.At(kind.module),
		Metrics: []engine.Metric{firstRefusal, keptKeys}, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			f, err := kind.build(shape, parts(t.Seed, 1))
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			n, err := fillCuckoo(f, keys, math.MaxInt)
			if err != nil {
				return err
			}
			t.Read(firstRefusal, int64(n), int64(shape.slots()), stats.AtLeast(cuckoo.Threshold(shape.b)))
			t.Read(keptKeys, int64(n)-keys.foundIn(f, 0, n), int64(n), never)
			return nil
		},
	}
}
