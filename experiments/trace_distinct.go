package experiments

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func (t trace) distinct() engine.Experiment {
	return engine.Experiment{
		Name:     "trace/distinct",
		Question: "How far are distinct counts of a trace of real requests from the truth?",
		Claims: []engine.Claim{
			{Text: "the relative error of a distinct count is what the structure's law says", Source: "the law of each structure", Metric: sketchproof.MetricSpread},
			{Text: "a distinct count is not biased", Source: "the law of each structure", Metric: sketchproof.MetricBias},
		},
		Method: "Each distinct key of the trace is added once, in the order of first requests: repeats change nothing. Before it is added a key is mixed with the trial's seed, one to one, " +
			"which takes the place of a seed that not every structure has. Laws of many keys are judged where there are twenty of them for each register.",
		Plan: func(s engine.Scale) []engine.Cell {
			var cells []engine.Cell
			for _, name := range engine.Pick(s, []string{"hll"}, nil, []string{"ull", "hll-martingale", "ull-martingale", "ell", "ell-martingale", "axiomhq-hll"}) {
				for _, subject := range adapters.Cardinalities {
					if subject.Name == name {
						cells = append(cells, t.distinctCell(subject, tracePrecision))
					}
				}
			}
			return cells
		},
	}
}

// tracePrecision is the least precision whose spread takes no more than 8192 trials
// to tell, see spreadTrials.
const tracePrecision = 13

func (t trace) distinctCell(subject adapters.Cardinality, p int) engine.Cell {
	laws := lawsOf(subject, sketchproof.MetricSpread, sketchproof.MetricBias)
	var metrics []engine.Metric
	for _, l := range laws {
		metrics = append(metrics, l.metric)
	}
	return engine.Cell{
		Labels: t.labels(subject.Name, "p", p), Module: adapters.At(subject.Module), Metrics: metrics,
		Trials: spreadTrials(p), Cost: engine.Cost{Seconds: float64(t.about.Requests)*4e-9 + 4e-5, Bytes: int64(12*t.about.Requests) + 1<<p},
		Run: t.run(func(et *engine.T, r *Requests) error {
			spec, n := sketchproof.CardinalitySpec{Precision: p, Seed: parts(et.Seed, 1)}, len(r.Keys)
			s, err := subject.Build(spec)
			if err != nil {
				return err
			}
			addMixed(s, r.Keys, parts(et.Seed, 0))
			num, den := relativeError(s.Estimate(), n)
			for _, l := range laws {
				if l.metric.Name == sketchproof.MetricSpread && n < manyKeys<<p {
					continue
				}
				l.read(et, s, spec, n, num, den)
			}
			return nil
		}),
	}
}

// addMixed adds each key as another, a random one for each seed.
func addMixed(s sketchproof.Cardinality, list []uint64, seed uint64) {
	h, hashes := s.(sketchproof.HashBatchAdder)
	var room [512]uint64
	for len(list) > 0 {
		n := min(len(list), len(room))
		for i, key := range list[:n] {
			room[i] = hashing.Mix(key ^ seed)
		}
		if hashes {
			_, _ = h.AddHashBatch(room[:n]) // a sketch is never full
		} else {
			for _, key := range room[:n] {
				s.Add(key)
			}
		}
		list = list[n:]
	}
}
