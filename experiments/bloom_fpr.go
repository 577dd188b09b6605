package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// classicRate is the rate under the textbook formula.
var classicRate = engine.Metric{
	Name: sketchproof.MetricFPR, Method: stats.Rate,
	Law: "bloom.classic", Source: "Bloom 1970",
}

// bloomPoint is one geometry: c bits per key, k probes, n keys.
type bloomPoint struct{ c, k, n int }

func (p bloomPoint) m() uint64 { return uint64(p.c * p.n) }

var bloomFPR = engine.Experiment{
	Name:     "bloom/fpr",
	Question: "Is the false-positive rate of a Bloom filter (1 - e^(-kn/m))^k?",
	Claims: []engine.Claim{{
		Text:   "the false-positive rate is near (1 - e^(-kn/m))^k",
		Source: "all five documents",
		Metric: classicRate.Name, Law: classicRate.Law,
	}},
	Method: "A fresh filter of c·n bits and k probes takes n random keys; then keys never added are looked up. " +
		"Geometry is given, so no sizing rule has a part in it.",
	Plan: func(s engine.Scale) []engine.Cell {
		points := engine.Pick(s,
			[]bloomPoint{{8, 3, 10000}, {10, 3, 10000}, {10, 7, 10000}},
			[]bloomPoint{
				{4, 1, 10000}, {4, 3, 10000}, {4, 6, 10000}, {8, 1, 10000}, {8, 6, 10000}, {8, 12, 10000},
				{10, 1, 10000}, {10, 5, 10000}, {10, 12, 10000}, {16, 3, 10000}, {16, 6, 10000}, {16, 11, 10000},
				{10, 3, 1000000}, {10, 7, 1000000},
			},
			[]bloomPoint{
				{24, 4, 10000}, {24, 8, 10000}, {24, 17, 10000}, {16, 20, 10000}, {8, 20, 10000},
				{10, 3, 100000}, {10, 7, 100000}, {16, 11, 1000000}, {10, 7, 10000000},
			})
		var cells []engine.Cell
		for _, subject := range adapters.Blooms {
			for _, p := range points {
				cells = append(cells, bloomFPRCell(subject, p))
			}
		}
		return cells
	},
}

func bloomFPRCell(subject adapters.Bloom, p bloomPoint) engine.Cell {
	probes := probesFor(bloom.FPRClassic(p.m(), uint64(p.k), uint64(p.n)), p.n)
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "c", p.c, "k", p.k, "n", p.n),
		Module:  adapters.At(subject.Module),
		Metrics: []engine.Metric{classicRate},
		Trials:  1024,
		Cost:    cost(subject.Module, p.n+probes, p.c*p.n/8),
		Run: func(t *engine.T) error {
			f, err := subject.Build(adapters.BloomSpec{M: p.m(), K: uint64(p.k), Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			k := keys(parts(t.Seed, 0))
			if err := k.addTo(f, 0, p.n); err != nil {
				return err
			}
			found := k.foundIn(f, p.n, p.n+probes)
			t.Read(classicRate, found, int64(probes), rateBand(bloom.FPRClassic(f.M(), f.K(), uint64(p.n))))
			return nil
		},
	}
}

// rateBand is the default band around a predicted rate.
func rateBand(rate float64) stats.Band { return stats.Within(rate, stats.RateTolerance(rate)) }

// probesFor is the number of look-ups a trial makes to measure a rate: enough
// to see it about a thousand times, not fewer than the keys added below a
// hundred thousand, and never more than ten million.
func probesFor(rate float64, n int) int {
	want := 1000 / math.Max(rate, 1e-9)
	return int(math.Min(1e7, math.Max(want, math.Min(float64(n), 1e5))))
}
