package experiments

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The memory that a filter takes over what any filter must, log2(1/rate).
var (
	overBound = engine.Metric{
		Name: "bits/bound", Method: stats.Mean,
		Law: "lower-bound", Source: "Carter, Floyd, Gill, Markowsky, Wegman 1978",
	}
	bloomOverBound = engine.Metric{
		Name: overBound.Name, Method: stats.Mean,
		Law: "bloom.1.44", Source: "Broder & Mitzenmacher 2004, section 2: 1/ln 2",
	}
)

var bloomLowerBound = engine.Experiment{
	Name:     "bloom/lower-bound",
	Question: "How many bits does a filter pay for each bit that any filter must pay?",
	Claims: []engine.Claim{
		{
			Text:   "any filter without false negatives needs n log2(1/p) bits",
			Source: "Probabilistic Structures: Bloom Filters, Count-Min, HyperLogLog, Sampling and Consistent Hashing",
			Metric: overBound.Name, Law: overBound.Law,
		},
		{
			Text:   "a Bloom filter uses 1.44 times the bound",
			Source: "Probabilistic Structures: Bloom Filters, Count-Min, HyperLogLog, Sampling and Consistent Hashing",
			Metric: bloomOverBound.Name, Law: bloomOverBound.Law,
		},
	},
	Method: "Bits of memory per key, over the binary logarithm of one over the rate that is measured in the same filter, filled to capacity. " +
		"A library that rounds its capacity up pays for room that it does not fill. A filter whose rate is far below the one asked for, " +
		"because it is fixed or kept for later, has too few wrong answers to count.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Filters {
			for _, eps := range engine.Pick(s, []float64{0.01}, []float64{0.1, 0.001}, nil) {
				if rate := rateByLaw(subject, eps); rate >= leastSeen {
					cells = append(cells, lowerBoundCell(subject, 10000, eps, rate))
				}
			}
		}
		return cells
	},
}

// leastSeen is the least rate that look-ups enough are made for.
const leastSeen = 1. / 3000

// rateByLaw is the rate by its own law of a filter that is asked for one, 0 for a
// set that is never wrong.
func rateByLaw(subject adapters.Filter, eps float64) float64 {
	law, ok := subject.LawFor(sketchproof.MetricFPR)
	const n = 1000
	spec := sketchproof.FilterSpec{Keys: keys(1).slice(0, n), Epsilon: eps}
	f, err := subject.Build(spec)
	if !ok || err != nil {
		return 0
	}
	return law.Predict(f, spec, n).Predicted
}

func lowerBoundCell(subject adapters.Filter, n int, eps, rate float64) engine.Cell {
	// At 400 wrong answers a trial, the mean of their logarithm is off by a
	// ten-thousandth part. A logarithm near 3, at 0.1, takes more to be as sharp.
	probes := int(max(400/rate, 40000))
	price := cost(subject.Module, n+probes, 2*n)
	metrics := []engine.Metric{overBound}
	if isBloom(subject) {
		metrics = append(metrics, bloomOverBound)
	}
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "n", n, "eps", eps),
		Module:  adapters.At(subject.Module),
		Metrics: metrics,
		Trials:  128,
		Cost:    price,
		Run: func(t *engine.T) error {
			keys := keys(parts(t.Seed, 0))
			f, err := subject.Build(sketchproof.FilterSpec{Keys: keys.slice(0, n), Epsilon: eps, Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			found := keys.foundIn(f, n, n+probes)
			if found == 0 {
				return fmt.Errorf("no wrong answer in %d look-ups", probes)
			}
			const scale = 1e6 // readings are whole numbers
			bits := 8 * float64(f.SizeBytes()) / float64(n)
			ratio := int64(math.Round(scale * bits / bloom.LowerBoundBits(float64(found)/float64(probes))))
			t.Read(overBound, ratio, scale, stats.AtLeast(1))
			if len(metrics) > 1 {
				// Two percent is what the whole numbers m and k may cost.
				t.Read(bloomOverBound, ratio, scale, stats.Within(1/math.Ln2, 0.02))
			}
			return nil
		},
	}
}
