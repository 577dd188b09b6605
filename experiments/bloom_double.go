package experiments

import (
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
)

var bloomDouble = engine.Experiment{
	Name:     "bloom/double-hashing",
	Question: "From which size on do two hashes stand in for k?",
	Claims: []engine.Claim{{
		Text:   "two hash functions stand in for k with no loss of accuracy as the filter grows",
		Source: "Bloom Filters & Probabilistic Data Structures; Bloom Filter, 3.3; Bloom Filters & Counting Filters; Kirsch & Mitzenmacher 2006",
		Metric: exactRate.Name, Law: exactRate.Law,
	}},
	Method: "Five ways to turn hashes into k positions, at the same bits per key and probes, from a hundred bits up; " +
		"all judged by the law of independent probes. The theorem is about the limit: the question is where it begins.",
	Plan: func(s engine.Scale) []engine.Cell {
		type density struct{ c, k, m int }
		points := engine.Pick(s,
			[]density{{10, 7, 1000}, {10, 7, 100000}},
			[]density{{10, 7, 100}, {10, 7, 10000}, {20, 14, 1024}, {20, 14, 65536}, {20, 14, 1 << 20}},
			[]density{{10, 7, 1 << 20}, {10, 7, 10000000}, {20, 14, 1 << 18}, {20, 14, 10000000}, {20, 14, 16384}, {28, 19, 65536}, {28, 19, 1 << 20}})
		var cells []engine.Cell
		// Partitioned has a law of its own: see bloom/partitioned.
		for _, scheme := range []bloom.Scheme{bloom.Derived, bloom.Independent, bloom.Double, bloom.DoubleOdd, bloom.Enhanced} {
			for _, p := range points {
				cells = append(cells, schemeCell(scheme, bloomShape{m: p.m, k: p.k, n: p.m / p.c}, []engine.Metric{exactRate}))
			}
		}
		return cells
	},
}
