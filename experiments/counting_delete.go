package experiments

import (
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/counting"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What deleting added keys does to a counting filter.
var (
	cellsRestored = engine.Metric{
		Name: "cells-changed/cell", Method: stats.Invariant,
		Law: "counting.restore", Source: "Fan et al. 2000: a deletion lowers the cells that the insertion raised",
	}
	countingChurned = engine.Metric{
		Name: sketchproof.MetricFalseNeg, Method: stats.Invariant,
		Law: "counting.delete", Source: "Fan et al. 2000: a deletion of an added key loses no other",
	}
	countingRate = rateUnder(adapters.CountingExact)
)

var countingDelete = engine.Experiment{
	Name:     "counting/delete",
	Question: "Does deleting added keys from a counting filter leave it as if they had never been there?",
	Claims: []engine.Claim{
		{
			Text:   "adding increments the counters and deleting decrements them, which supports deletion",
			Source: "all five documents",
			Metric: cellsRestored.Name, Law: cellsRestored.Law,
		},
		{
			Text:   "deleting an added key loses no other",
			Source: "all five documents",
			Metric: countingChurned.Name, Law: countingChurned.Law,
		},
		{
			Text:   "a counting filter errs as often as the Bloom filter of its keys, whatever came and went before",
			Source: "Fan et al. 2000",
			Metric: countingRate.Name, Law: countingRate.Law,
		},
	},
	Method: "A filter at its capacity takes as many keys again, deletes these in another order, and every cell is compared with what it was. " +
		"Then its oldest keys make room for new ones, five times for each key it holds; a key that cannot be deleted, or is not found at the end, " +
		"is a counterexample. At last keys never added are looked up. A cell of 4 bits would overflow at twice the capacity with a chance of 1e-11.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct {
			bits, n int
			eps     float64
		}
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			[]point{{4, 1000, 0.1}},
			[]point{{4, 10000, 0.01}, {4, 1000, 0.01}, {4, 1000, 1e-3}, {8, 1000, 0.01}, {16, 1000, 0.01}},
			[]point{{4, 100000, 0.01}, {8, 10000, 0.001}}) {
			cells = append(cells, countingDeleteCell(p.bits, p.n, p.eps))
		}
		return cells
	},
}

// countingName is the subject of the catalogue with cells of so many bits.
func countingName(bits int) string { return fmt.Sprintf("counting-%d", bits) }

func countingDeleteCell(cellBits, n int, eps float64) engine.Cell {
	const turns = 5 // how often every key is replaced
	probes := min(probesFor(eps), 100*n)
	price := cost("", (8+3*turns)*n+probes, n)
	return engine.Cell{
		Labels:  record.L("subject", countingName(cellBits), "n", n, "eps", eps),
		Metrics: []engine.Metric{cellsRestored, countingChurned, countingRate}, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			f, err := counting.ForRate(uint64(n), eps, cellBits, hashing.XX(parts(t.Seed, 1)))
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			if err := keys.addTo(f, 0, n); err != nil {
				return err
			}
			bad, changed := passThrough(f, keys, n)
			t.Read(cellsRestored, changed, int64(f.Cells()), never)

			for i := range turns * n {
				bad += one(f.Remove(keys.at(i)) != nil)
				if err := f.Add(keys.at(n + i)); err != nil {
					return err
				}
			}
			held := turns * n
			bad += int64(n) - keys.foundIn(f, held, held+n)
			t.Read(countingChurned, bad, int64((2+turns)*n), never)
			t.Read(countingRate, keys.foundIn(f, held+n, held+n+probes), int64(probes),
				adapters.RateBand(bloom.FPRExact(uint64(f.Cells()), uint64(f.Hashes()), uint64(n))))
			return nil
		},
	}
}

// passThrough adds the keys number n to 2n-1 and deletes them in the opposite
// order. It returns how many could not be deleted, and how many cells are not
// what they were.
func passThrough(f *counting.Filter, keys keys, n int) (bad, changed int64) {
	before := f.Clone()
	for i := n; i < 2*n; i++ {
		_ = f.Add(keys.at(i)) // never an error
	}
	for i := 2*n - 1; i >= n; i-- {
		bad += one(f.Remove(keys.at(i)) != nil)
	}
	for i := range f.Cells() {
		changed += one(f.Cell(i) != before.Cell(i))
	}
	return bad, changed
}
