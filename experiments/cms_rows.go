package experiments

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// One row on average, and d rows at once.
var (
	rowExcess = engine.Metric{
		Name: "excess/event", Method: stats.Mean,
		Law: "cms.row-mean", Source: "Cormode and Muthukrishnan 2005, proof of Theorem 1: (N-f)/w",
	}
	rowsFail = engine.Metric{
		Name: "over-x/absent", Method: stats.Rate,
		Law: "cms.tail", Source: "Cormode and Muthukrishnan 2005, proof of Theorem 1: (row tail)^d",
	}
)

// rowTolerance is the difference in a mean excess that would matter to nobody.
const rowTolerance = 0.02

var cmsRowLaw = engine.Experiment{
	Name:     "cms/row-law",
	Question: "Is one row over by (N-f)/w on average, and do d rows fail independently?",
	Claims: []engine.Claim{
		{
			Text:   "the expected excess in one row is (N-f)/w: every other event falls into the key's counter with chance 1/w",
			Source: "Probabilistic Structures (its proof)",
			Metric: rowExcess.Name, Law: rowExcess.Law,
		},
		{
			Text:   "the rows are independent: P(all d over x) = P(one over x)^d",
			Source: "Probabilistic Structures (its proof)",
			Metric: rowsFail.Name, Law: rowsFail.Law,
		},
	},
	Method: "Mean: one row, the excess of every key of a Zipf stream, summed and divided by the sum of N-f. Tail: a stream of fixed counts, " +
		"1000/i for the i-th of 300 keys; the law of one row's counter is computed exactly from them, and keys that are not in the stream are asked " +
		"for. x is where one row is over with probability near 1/2. Plain update only: conservative update is lower.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range plainFrequencies() {
			for _, w := range engine.Pick(s, []int{55}, []int{16, 272}, nil) {
				for _, exponent := range engine.Pick(s, []float64{1}, []float64{0.5, 1.5}, nil) {
					cells = append(cells, rowMeanCell(subject, w, newZipfStream(5000, 1000, exponent)))
				}
			}
			for _, table := range engine.Pick(s,
				[]cmsTable{{55, 1}, {55, 3}},
				[]cmsTable{{55, 2}, {55, 5}, {272, 1}, {272, 2}, {272, 3}, {272, 5}, {64, 5}},
				[]cmsTable{{55, 7}, {2719, 2}, {2719, 5}}) {
				cells = append(cells, rowTailCell(subject, table))
			}
		}
		return cells
	},
}

// plainFrequencies are the sketches without conservative update, with counters of
// 64 bits: those of 32 are the same numbers until they stop.
func plainFrequencies() []adapters.Frequency {
	var plain []adapters.Frequency
	for _, s := range adapters.Frequencies {
		f, err := s.Build(sketchproof.FrequencySpec{Width: 1, Depth: 1})
		if sketch, ok := f.(*countmin.Sketch); err == nil && ok && !sketch.Conservative() && sketch.CellBits() == 64 {
			plain = append(plain, s)
		}
	}
	return plain
}

func rowMeanCell(subject adapters.Frequency, w int, stream zipfStream) engine.Cell {
	price := cost(subject.Module, 2*stream.events, 8*w)
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "kind", "mean", "w", w, "d", 1, "zipf", stream.s), Module: adapters.At(subject.Module),
		Metrics: []engine.Metric{rowExcess}, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			f, err := subject.Build(sketchproof.FrequencySpec{Width: w, Depth: 1, Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			var excess, others int64
			for i, count := range stream.feed(f, keys, t.Seed) {
				excess += int64(f.Count(keys.at(i)) - count)
				others += int64(stream.events) - int64(count)
			}
			t.Read(rowExcess, excess, others, stats.Within(countmin.RowMean(1, 0, w), rowTolerance))
			return nil
		},
	}
}

// fixedCounts are 1000, 500, 333 ... of 300 keys.
func fixedCounts() []uint64 {
	counts := make([]uint64, 300)
	for i := range counts {
		counts[i] = uint64(1000 / (i + 1))
	}
	return counts
}

// medianExcess is the least x that one row exceeds with probability at most one
// half.
func medianExcess(counts []uint64, w int) int {
	x := 0
	for rowTail(counts, w, x) > 0.5 {
		x++
	}
	return x
}

func rowTailCell(subject adapters.Frequency, table cmsTable) engine.Cell {
	counts := fixedCounts()
	x := medianExcess(counts, table.w)
	want := countmin.Tail(rowTail(counts, table.w, x), table.d)
	absent := 4 * table.w // they share w counters a row: more say little more
	price := cost(subject.Module, len(counts)+absent, 8*table.w*table.d)
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "kind", "tail", "w", table.w, "d", table.d, "x", x), Module: adapters.At(subject.Module),
		Metrics: []engine.Metric{rowsFail}, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			f, err := subject.Build(sketchproof.FrequencySpec{Width: table.w, Depth: table.d, Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			for i, c := range counts {
				f.Add(keys.at(i), c)
			}
			var over int64
			for i := range absent {
				over += one(f.Count(keys.at(len(counts)+i)) > uint64(x))
			}
			t.Read(rowsFail, over, int64(absent), adapters.RateBand(want))
			return nil
		},
	}
}
