package experiments

import (
	"fmt"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/topk"
	"github.com/sketchproof/sketchproof/stats"
)

// traceRanks are the ranks at which errors are read, the most requested key's is 1.
// A rank stands for as many keys as its number, from it on.
var traceRanks = []int{1, 10, 100, 1000, 10000}

// errorAtRank is the mean of error over count at each of traceRanks.
var errorAtRank = func() []engine.Metric {
	metrics := make([]engine.Metric, len(traceRanks))
	for i, rank := range traceRanks {
		metrics[i] = engine.Metric{Name: fmt.Sprintf("error/count-at-rank-%d", rank), Method: stats.Mean}
	}
	return metrics
}()

func (t trace) heavy() engine.Experiment {
	return engine.Experiment{
		Name:     "trace/topk",
		Question: "Do the structures of heavy hitters keep their bounds on a trace of real requests?",
		Claims:   topkSpaceSaving.Claims,
		Method: "As topk/space-saving, on all requests of the trace, each of weight 1. Beside the bounds, judged by no law: by how much a key's listed count is off, as a share of the truth, " +
			"at ranks from the most requested on; a key that is not listed is off by all of it.",
		Plan: func(s engine.Scale) []engine.Cell {
			var cells []engine.Cell
			for _, subject := range adapters.TopKs {
				for _, k := range engine.Pick(s, []int{100}, []int{1000}, []int{10, 10000}) {
					cells = append(cells, t.topkCell(subject, k))
				}
			}
			return cells
		},
	}
}

func (t trace) topkCell(subject adapters.TopK, k int) engine.Cell {
	truth := sync.OnceValue(func() map[uint64]uint64 {
		r, _ := t.requests() // an error is a trial's
		counts := make(map[uint64]uint64, len(r.Keys))
		for i, c := range r.counts() {
			counts[r.Keys[i]] = c
		}
		return counts
	})
	return engine.Cell{
		Labels: t.labels(subject.Name, "k", k), Module: adapters.At(subject.Module),
		Metrics: append(topkMetrics(subject), errorAtRank...),
		Trials:  2, // the stream is the same: only the hash of the index differs
		Cost:    t.cost(subject.Module, 6, 100*k),
		Run: t.run(func(et *engine.T, r *Requests) error {
			top, err := subject.Build(sketchproof.TopKSpec{K: k, Seed: parts(et.Seed, 1)})
			if err != nil {
				return err
			}
			for _, i := range r.Order {
				top.Add(r.Keys[i], 1)
			}
			listed := map[uint64]uint64{}
			for _, h := range top.Top(k) {
				listed[h.Key] = h.Count
			}
			readListed(et, top, k, truth())
			if s, ok := top.(*topk.SpaceSaving); ok {
				readSpaceSaving(et, s, truth(), uint64(len(r.Order)))
			}
			r.readRanks(et, func(key uint64) uint64 { return listed[key] })
			return nil
		}),
	}
}

// readRanks reads the error of a counter at each rank that the trace has.
func (r *Requests) readRanks(t *engine.T, count func(key uint64) uint64) {
	ranked, truth := r.ranked(), r.counts()
	for i, rank := range traceRanks {
		if rank > len(ranked) {
			return
		}
		at := ranked[rank-1 : min(2*rank-1, len(ranked))]
		var sum float64
		for _, key := range at {
			f := float64(truth[key])
			off := float64(count(r.Keys[key])) - f
			sum += max(off, -off) / f
		}
		readRatio(t, errorAtRank[i], sum, float64(len(at)), stats.Band{})
	}
}

var traceOver = engine.Metric{
	Name: "over-bound/key", Method: stats.Share, Law: "cms.bound",
	Source: "Cormode and Muthukrishnan 2005, Theorem 1: over by more than (e/w)N with probability at most e^-d",
}

var traceUnder = engine.Metric{
	Name: "under/key", Method: stats.Invariant, Law: "cms.never-under", Source: "Cormode and Muthukrishnan 2005, Theorem 1",
}

var traceEven = engine.Metric{
	Name: "excess/row-mean", Method: stats.Mean, Law: "cms.row-mean",
	Source: "Cormode and Muthukrishnan 2005, proof of Theorem 1: the one row of a table is over by (N - f)/w on the mean",
}

func (t trace) counts() engine.Experiment {
	return engine.Experiment{
		Name:     "trace/countmin",
		Question: "How good are a count-min sketch's counts on a trace of real requests, by rank?",
		Claims: []engine.Claim{
			{Text: "a count is never too low", Source: traceUnder.Source, Metric: traceUnder.Name, Law: traceUnder.Law},
			{Text: "a count is over by eps N for a share delta at most", Source: traceOver.Source, Metric: traceOver.Name, Law: traceOver.Law},
			{Text: "a row gives every key (N - f)/w more on the mean", Source: traceEven.Source, Metric: traceEven.Name, Law: traceEven.Law},
		},
		Method: "Each distinct key of the trace is added once, with its number of requests for a weight: a sketch without conservative update is the same as after the requests one by one. All keys are asked for. " +
			"Beside the bounds, judged by no law: the error as a share of the truth at ranks from the most requested on.",
		Plan: func(s engine.Scale) []engine.Cell {
			var cells []engine.Cell
			for _, table := range engine.Pick(s, []cmsTable{{2719, 2}}, []cmsTable{{2719, 1}, {272, 5}, {27183, 5}}, []cmsTable{{272, 1}, {271829, 5}}) {
				cells = append(cells, t.countCell(table))
			}
			return cells
		},
	}
}

// countCell judges the share of keys beyond the bound in tables of few rows: no
// share below about 20/trials can be shown.
func (t trace) countCell(table cmsTable) engine.Cell {
	metrics, trials := append([]engine.Metric{traceUnder}, errorAtRank...), 32
	if table.d <= 2 {
		metrics, trials = append(metrics, traceOver), 256
	}
	if table.d == 1 {
		metrics = append(metrics, traceEven)
	}
	return engine.Cell{
		Labels: t.labels("countmin", "w", table.w, "d", table.d), Metrics: metrics,
		Trials: trials, Cost: t.cost("", 1, 8*table.w*table.d),
		Run: t.run(func(et *engine.T, r *Requests) error {
			f, err := countmin.New(countmin.Params{Width: table.w, Depth: table.d, Hash: hashing.XX(parts(et.Seed, 1))})
			if err != nil {
				return err
			}
			truth, total := r.counts(), uint64(len(r.Order))
			for i, c := range truth {
				f.Add(r.Keys[i], c)
			}
			counts := make([]uint64, len(r.Keys))
			f.CountBatch(r.Keys, counts)
			bound := uint64(countmin.Epsilon(table.w) * float64(total))
			var under, over int64
			var excess, expected float64
			for i, c := range counts {
				under += one(c < truth[i])
				over += one(c > truth[i]+bound)
				excess += float64(c) - float64(truth[i])
				expected += countmin.RowMean(float64(total), float64(truth[i]), table.w)
			}
			et.Read(traceUnder, under, int64(len(counts)), never)
			if table.d <= 2 {
				et.Read(traceOver, over, int64(len(counts)), stats.AtMost(countmin.Delta(table.d)))
			}
			if table.d == 1 && expected > 0 {
				readRatio(et, traceEven, excess, expected, stats.Within(1, 0.02))
			}
			r.readRanks(et, f.Count)
			return nil
		}),
	}
}
