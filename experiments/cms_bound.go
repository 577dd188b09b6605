package experiments

import (
	"math"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// Errors of a frequency sketch, each the share of the distinct keys of a stream.
var (
	underTruth = engine.Metric{
		Name: "under-truth/key", Method: stats.Invariant,
		Law: "cms.never-under", Source: "Cormode and Muthukrishnan 2005, Theorem 1",
	}
	overEpsN = engine.Metric{
		Name: "over-bound/key", Method: stats.Share,
		Law: "cms.bound", Source: "Cormode and Muthukrishnan 2005, Theorem 1: at most delta are over by more than eps N",
	}
	overPrinted = engine.Metric{
		Name: "over-printed-bound/key", Method: stats.Share,
		Law: "cms.printed-bound", Source: "“Bloom Filters & Probabilistic Data Structures” prints f + eps N/width",
	}
)

// A zipfStream is a stream of events over ranks, the same for all cells that
// ask alike.
type zipfStream struct {
	events, ranks int
	s             float64
	source        func() *zipf
}

func newZipfStream(events, ranks int, s float64) zipfStream {
	return zipfStream{events, ranks, s, sync.OnceValue(func() *zipf { return newZipf(ranks, s) })}
}

// feed counts a fresh stream in the sketch, and returns the truth by rank; the
// key of a rank is keys.at(rank).
func (z zipfStream) feed(f sketchproof.Frequency, keys keys, seed uint64) (truth []uint64) {
	ranks, truth := z.source().stream(draws(seed), z.events)
	for _, r := range ranks {
		f.Add(keys.at(r), 1)
	}
	return truth
}

// draws is an endless stream of random numbers.
func draws(seed uint64) keys { return keys(parts(seed, 3)) }

var cmsNeverUnder = engine.Experiment{
	Name:     "cms/never-under",
	Question: "Is an estimate ever below the truth?",
	Claims: []engine.Claim{{
		Text:   "no estimate is below the truth",
		Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures",
		Metric: underTruth.Name, Law: underTruth.Law,
	}},
	Method: "Streams of 20 000 events over 5000 keys, with Zipf exponents 0.5 to 2, in tables far too small and large enough; " +
		"every key is asked for, those that never came too.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Frequencies {
			for _, exponent := range engine.Pick(s, []float64{1}, []float64{0.5, 1.5, 2}, nil) {
				for _, table := range engine.Pick(s, []cmsTable{{55, 5}}, []cmsTable{{1, 1}, {7, 2}, {2719, 7}}, nil) {
					cells = append(cells, neverUnderCell(subject, table, newZipfStream(20000, 5000, exponent)))
				}
			}
		}
		return cells
	},
}

// A cmsTable is a geometry: columns and rows.
type cmsTable struct{ w, d int }

func neverUnderCell(subject adapters.Frequency, table cmsTable, stream zipfStream) engine.Cell {
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "w", table.w, "d", table.d, "zipf", stream.s), Module: adapters.At(subject.Module),
		Metrics: []engine.Metric{underTruth},
		Trials:  32, // 160 000 keys in all; one counterexample is enough
		Cost:    cost(subject.Module, 3*stream.events, 8*table.w*table.d),
		Run: func(t *engine.T) error {
			f, err := subject.Build(sketchproof.FrequencySpec{Width: table.w, Depth: table.d, Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			truth := stream.feed(f, keys, t.Seed)
			var under int64
			for i, count := range truth {
				under += one(f.Count(keys.at(i)) < count)
			}
			t.Read(underTruth, under, int64(len(truth)), never)
			return nil
		},
	}
}

// A promise is what a count-min sketch is sized for.
type promise struct{ eps, delta float64 }

var cmsBound = engine.Experiment{
	Name:     "cms/bound",
	Question: "How often is an estimate over by more than eps N?",
	Claims: []engine.Claim{
		{
			Text:   "with w = ceil(e/eps) and d = ceil(ln 1/delta), 55 x 5 for 0.05 and 0.01, an estimate is over by more than eps N with probability at most delta",
			Source: "Probabilistic Structures; Bloom Filters & Probabilistic Data Structures (its code)",
			Metric: overEpsN.Name, Law: overEpsN.Law,
		},
		{
			Text:   "with probability at least 1 - delta, the estimate is at most f + eps N/width",
			Source: "Bloom Filters & Probabilistic Data Structures (its formula)",
			Metric: overPrinted.Name, Law: overPrinted.Law,
		},
	},
	Method: "Share of the distinct keys of a Zipf stream over 1000 keys whose estimate exceeds the bound; the mean over fresh sketches and streams is what " +
		"delta bounds. One stream serves both bounds. The printed formula divides by the width once more: it promises the error of a table w times as wide.",
	Plan: func(s engine.Scale) []engine.Cell {
		promises := engine.Pick(s, []promise{{0.05, 0.01}}, []promise{{0.1, 0.1}, {0.01, 0.01}, {0.02, 0.05}}, []promise{{0.05, 0.001}, {0.001, 0.01}})
		exponents := engine.Pick(s, []float64{1}, []float64{0.5, 1.5}, []float64{0, 0.75, 1.25, 2})
		var cells []engine.Cell
		for _, subject := range adapters.Frequencies {
			if subject.Name == "exact-counter" {
				continue // it has no width
			}
			for _, p := range promises {
				for _, exponent := range exponents {
					if s < engine.Full && subject.Module != "" && p.eps < 0.02 && exponent != 1 {
						continue // a library's wide tables take as long as all of ours
					}
					cells = append(cells, cmsBoundCell(subject, p, newZipfStream(5000, 1000, exponent)))
				}
			}
		}
		return cells
	},
}

func cmsBoundCell(subject adapters.Frequency, p promise, stream zipfStream) engine.Cell {
	w, d, err := countmin.Size(p.eps, p.delta)
	if err != nil {
		panic(err) // the plan is a constant
	}
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "eps", p.eps, "delta", p.delta, "w", w, "d", d, "zipf", stream.s),
		Module: adapters.At(subject.Module), Metrics: []engine.Metric{overEpsN, overPrinted},
		Trials: shareTrials(p.delta), Cost: cost(subject.Module, 3*stream.events, 8*w*d),
		Run: func(t *engine.T) error {
			f, err := subject.Build(sketchproof.FrequencySpec{Width: w, Depth: d, Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			truth := stream.feed(f, keys, t.Seed)
			bound := p.eps * float64(stream.events)
			var over, printed, distinct int64
			for i, count := range truth {
				if count == 0 {
					continue
				}
				distinct++
				excess := float64(f.Count(keys.at(i))) - float64(count)
				over += one(excess > bound)
				printed += one(excess > bound/float64(w))
			}
			t.Read(overEpsN, over, distinct, stats.AtMost(p.delta))
			t.Read(overPrinted, printed, distinct, stats.AtMost(p.delta))
			return nil
		},
	}
}

// shareTrials is enough to show a bound without an event: no bound below about
// 20/trials can be shown by stats.Share. Doubled, for some events.
func shareTrials(bound float64) int {
	trials := 128
	for float64(trials) < 40/bound {
		trials *= 2
	}
	return trials
}

// rowTail is P(one counter of a row of w is over by more than x) for a key that
// is not in the stream, given the count of every key: the sum of counts, each
// with probability 1/w, by convolution up to x.
func rowTail(counts []uint64, w, x int) float64 {
	at := make([]float64, x+1)
	at[0] = 1
	p := 1 / float64(w)
	for _, c := range counts {
		for i := x; i >= 0; i-- {
			at[i] *= 1 - p
			if uint64(i) >= c {
				at[i] += p * at[i-int(c)]
			}
		}
	}
	within := 0.0
	for _, q := range at {
		within += q
	}
	return math.Max(0, 1-within)
}
