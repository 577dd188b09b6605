package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	partitionedRate = rateUnder(adapters.BloomPartitioned)
	// plainRate judges a partitioned filter by the law of the plain one.
	plainRate = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "bloom.exact", Source: adapters.BloomExact.Source + ": the law of a filter without slices",
	}
	partitionCost = engine.Metric{
		Name: "extra-false-positives/absent", Method: stats.Mean,
		Law: "bloom.partition-cost", Source: "Broder & Mitzenmacher 2004, section 2: the difference of the two laws is positive",
	}
)

var bloomPartitioned = engine.Experiment{
	Name:     "bloom/partitioned",
	Question: "What does it cost to give every hash function a slice of its own?",
	Claims: []engine.Claim{
		{
			Text:   "k partitions give a slightly worse rate",
			Source: "Bloom Filter, 7.6",
			Metric: partitionCost.Name, Law: partitionCost.Law,
		},
		{
			Text:   "the rate of k slices is (1 - (1 - k/m)^n)^k",
			Source: "Broder & Mitzenmacher 2004, section 2",
			Metric: partitionedRate.Name, Law: partitionedRate.Law,
		},
		{
			Text:   "the difference is in theory only: the rate is that of a plain filter",
			Source: "derived from “Slightly worse FPR theoretically”, Bloom Filter, 7.6",
			Metric: plainRate.Name, Law: plainRate.Law,
		},
	},
	Method: "A partitioned and a plain filter of the same bits, probes and keys, asked for the same absent keys. The cost is the " +
		"difference of their rates, tried where it can be told. The partitioned filter is judged by its own law and by that of the plain one. " +
		"That one breaks in small filters, because a slice of m/k bits always takes n probes, where " +
		"the probes of a plain filter may meet: fill is 1 - (1 - k/m)^n against 1 - (1 - 1/m)^(kn). From some thousand bits on no one could tell.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			[]bloomShape{{70, 7, 7}, {70000, 7, 7000}},
			[]bloomShape{{32, 4, 4}, {200, 10, 14}, {1400, 7, 140}},
			[]bloomShape{{140, 7, 14}, {400, 20, 20}, {7000, 7, 700}, {700, 7, 70}, {7000000, 7, 700000}}) {
			cells = append(cells, partitionedCell(p))
		}
		return cells
	},
}

func partitionedCell(p bloomShape) engine.Cell {
	m, k, n := uint64(p.m), uint64(p.k), uint64(p.n)
	probes := probesOf(m, k, n)
	group := groupOf(p.n + probes)
	price := cost("", 2*group*(p.n+probes), p.m/4)
	metrics := []engine.Metric{partitionedRate, plainRate}
	// Where the laws are further apart than a tolerance, the cost can be told.
	law, plain := bloom.FPRPartitioned(m, k, n), bloom.FPRExact(m, k, n)
	if law > plain*(1+stats.RateTolerance(plain)) {
		metrics = append(metrics, partitionCost)
	}
	return engine.Cell{
		Labels:  record.L("subject", "bloom-partitioned", "m", p.m, "k", p.k, "n", p.n),
		Metrics: metrics,
		Trials:  planned(price),
		Cost:    price,
		Run: func(t *engine.T) error {
			var found, foundPlain int64
			for i := range group {
				params := bloom.Params{M: m, K: k, Scheme: bloom.Partitioned, Hash: hashing.XX(parts(t.Seed, 2*i+1))}
				sliced, err := bloom.New(params)
				if err != nil {
					return err
				}
				params.Scheme = bloom.Derived
				whole, err := bloom.New(params)
				if err != nil {
					return err
				}
				keys := keys(parts(t.Seed, 2*i))
				if err := keys.addTo(sliced, 0, p.n); err != nil {
					return err
				}
				if err := keys.addTo(whole, 0, p.n); err != nil {
					return err
				}
				found += keys.foundIn(sliced, p.n, p.n+probes)
				foundPlain += keys.foundIn(whole, p.n, p.n+probes)
			}
			absent := int64(group * probes)
			t.Read(partitionedRate, found, absent, adapters.RateBand(law))
			t.Read(plainRate, found, absent, adapters.RateBand(plain))
			if len(metrics) > 2 {
				t.Read(partitionCost, found-foundPlain, absent, stats.Between(law-plain, 0, math.Inf(1)))
			}
			return nil
		},
	}
}
