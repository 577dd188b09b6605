package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/counting"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What becomes of cells that are raised too often.
var (
	overflowNever = engine.Metric{
		Name: "lost/increment", Method: stats.Invariant,
		Law: "counting.negligible", Source: "Fan et al. 2000: anywhere with a chance of 1.37e-15 m at most, at the optimal k",
	}
	overflowLost = engine.Metric{
		Name: overflowNever.Name, Method: stats.Rate,
		Law: "counting.overflow", Source: "Fan et al. 2000: a cell is raised Binomial(kn, 1/m) times; E[(X-top)+] are lost",
	}
	overflowTop = engine.Metric{
		Name: "at-maximum/cell", Method: stats.Rate,
		Law: "counting.at-maximum", Source: "Fan et al. 2000: P(Binomial(kn, 1/m) >= top)",
	}
	overflowTwin = engine.Metric{
		Name: "cells-wrong/cell", Method: stats.Invariant,
		Law: "counting.saturates", Source: "definition: a cell is the smaller of its maximum and what a wider one counts",
	}
	stuckAt15 = duplicatesMetric("counting.sticks", "as printed: the counter stays at its maximum, and deletion no longer works")
	backTo14  = duplicatesMetric("counting.back-to-14", "as printed: the counter stays at 15, and a delete leaves it at 14")
	wideHolds = duplicatesMetric("counting.wide", "as printed: 8-bit counters keep count")
)

func duplicatesMetric(law, source string) engine.Metric {
	return engine.Metric{Name: "steps-otherwise/step", Method: stats.Invariant, Law: law, Source: source}
}

var countingOverflow = engine.Experiment{
	Name:     "counting/overflow",
	Question: "When do the counters of a counting filter overflow, and what then?",
	Claims: []engine.Claim{
		{
			Text:   "the chance of overflow is negligible for well-sized filters",
			Source: "Bloom Filters & Probabilistic Data Structures",
			Metric: overflowNever.Name, Law: overflowNever.Law,
		},
		{
			Text:   "a cell counts Binomial(kn, 1/m), and what is above its maximum is lost",
			Source: "Fan et al. 2000",
			Metric: overflowLost.Name, Law: overflowLost.Law,
		},
		{
			Text:   "a counter that overflows stays at its maximum, and deletion becomes unsafe",
			Source: "Bloom Filters & Probabilistic Data Structures",
			Metric: stuckAt15.Name, Law: stuckAt15.Law,
		},
		{
			Text:   "a 4-bit counter saturates at 15; after a 16th addition of an element, a delete leaves it at 14, mismatching reality",
			Source: "Bloom Filter, 8.3",
			Metric: backTo14.Name, Law: backTo14.Law,
		},
		{
			Text:   "8-bit counters help",
			Source: "Bloom Filter, 8.3",
			Metric: wideHolds.Name, Law: wideHolds.Law,
		},
	},
	Method: "Load is kn/m, the mean of a cell: ln 2 by design; 6 and more to see overflows. Each filter has a twin of 16-bit cells, which tells " +
		"what its cells should count. duplicates: one key is added 16 times and deleted 16 times, and what its cells show is a step. Our cells " +
		"stick: one at its maximum never goes down, so the key stays for good, a false positive, but no other key is lost. The source's " +
		"arithmetic (subject saturating-4, nothing but a counter) goes back to 14; then the 15th delete empties it, and the one addition that is " +
		"left is missed: a false negative. That is why ours stick.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct {
			bits, m int
			load    float64
		}
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			[]point{{4, 1000, 12}},
			[]point{{4, 10000, 6}, {4, 10000, 8}, {4, 100, 12}, {8, 1000, 240}, {8, 1000, 260}},
			[]point{{4, 1000000, 4}, {16, 10, 65600}}) {
			cells = append(cells, overflowCell(p.bits, p.m, p.load))
		}
		for _, m := range engine.Pick(s, []int{1000}, []int{100000}, []int{10000000}) {
			cells = append(cells, designLoadCell(m))
		}
		return append(cells, duplicatesCell(4), duplicatesCell(8), plainSaturationCell())
	},
}

// overflowHashes is the number of cells a key raises: it plays no part in the
// law but through the load.
const overflowHashes = 5

func overflowCell(cellBits, m int, load float64) engine.Cell {
	n := int(math.Round(load * float64(m) / overflowHashes))
	price := cost("", 4*n+2*m, m*cellBits/8+2*m)
	top := 1<<cellBits - 1
	return engine.Cell{
		Labels:  record.L("subject", countingName(cellBits), "m", m, "load", load),
		Metrics: []engine.Metric{overflowLost, overflowTop, overflowTwin}, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			p := counting.Params{Cells: m, Hashes: overflowHashes, CellBits: cellBits, Hash: hashing.XX(parts(t.Seed, 1))}
			f, err := counting.New(p)
			if err != nil {
				return err
			}
			p.CellBits = 16
			twin, err := counting.New(p)
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			for i := range n {
				if err := f.Add(keys.at(i)); err != nil {
					return err
				}
				if err := twin.Add(keys.at(i)); err != nil {
					return err
				}
			}
			var full, wrong int64
			for i := range m {
				full += one(f.Cell(i) == top)
				wrong += one(f.Cell(i) != min(top, twin.Cell(i)))
			}
			increments := float64(n * overflowHashes)
			t.Read(overflowLost, int64(f.Overflows()), int64(increments),
				adapters.RateBand(counting.Lost(n, m, overflowHashes, cellBits)*float64(m)/increments))
			t.Read(overflowTop, full, int64(m), adapters.RateBand(counting.CellOverflow(n, m, overflowHashes, top)))
			t.Read(overflowTwin, wrong, int64(m), never)
			return nil
		},
	}
}

func designLoadCell(m int) engine.Cell {
	const k = 7
	n := int(float64(m) * math.Ln2 / k)
	return engine.Cell{
		Labels:  record.L("subject", countingName(4), "m", m, "load", "ln2"),
		Metrics: []engine.Metric{overflowNever}, Trials: 32, Cost: cost("", k*n, m/2),
		Run: func(t *engine.T) error {
			f, err := counting.New(counting.Params{Cells: m, Hashes: k, CellBits: 4, Hash: hashing.XX(parts(t.Seed, 1))})
			if err != nil {
				return err
			}
			if err := keys(parts(t.Seed, 0)).addTo(f, 0, n); err != nil {
				return err
			}
			t.Read(overflowNever, int64(f.Overflows()), int64(k*n), never)
			return nil
		},
	}
}

// duplicates is how often the one key is added: once more than 4 bits count.
const duplicates = 16

func duplicatesCell(cellBits int) engine.Cell {
	metric := stuckAt15
	if cellBits > 4 {
		metric = wideHolds
	}
	return engine.Cell{
		Labels:  record.L("subject", countingName(cellBits), "keys", "duplicates"),
		Metrics: []engine.Metric{metric}, Trials: 32, Cost: cost("", 100, 1000),
		Run: func(t *engine.T) error {
			f, err := counting.New(counting.Params{Cells: 1000, Hashes: 5, CellBits: cellBits, Hash: hashing.XX(parts(t.Seed, 1))})
			if err != nil {
				return err
			}
			key := keys(parts(t.Seed, 0)).at(0)
			if err := f.Add(key); err != nil {
				return err
			}
			once := f.Clone() // a cell that the key raises twice counts double
			for range duplicates - 1 {
				if err := f.Add(key); err != nil {
					return err
				}
			}
			otherwise := int64(0)
			step := func(additions int) { // compares the cells with those of so many additions
				for i := range f.Cells() {
					want := once.Cell(i) * additions
					if cellBits == 4 && once.Cell(i) > 0 {
						want = 15
					}
					if f.Cell(i) != want {
						otherwise++
						return
					}
				}
			}
			step(duplicates)
			for left := duplicates - 1; left >= 0; left-- {
				if err := f.Remove(key); err != nil {
					return err
				}
				step(left)
				otherwise += one(f.Contains(key) != (cellBits == 4 || left > 0))
			}
			t.Read(metric, otherwise, 2*duplicates+1, never)
			return nil
		},
	}
}

// plainSaturationCell runs the source's arithmetic: one counter that stops at 15
// and goes down from there.
func plainSaturationCell() engine.Cell {
	return engine.Cell{
		Labels:  record.L("subject", "saturating-4", "keys", "duplicates"),
		Metrics: []engine.Metric{backTo14}, Trials: 1, Cost: cost("", 100, 8),
		Run: func(t *engine.T) error {
			counter := 0
			for range duplicates {
				counter = min(15, counter+1)
			}
			otherwise := one(counter != 15)
			counter--
			otherwise += one(counter != 14)
			for range duplicates - 2 { // one addition is left
				counter = max(0, counter-1)
			}
			otherwise += one(counter != 0) // and is missed
			t.Read(backTo14, otherwise, 3, never)
			return nil
		},
	}
}
