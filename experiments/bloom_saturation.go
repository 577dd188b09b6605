package experiments

import (
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/record"
)

var bloomSaturation = engine.Experiment{
	Name:     "bloom/saturation",
	Question: "What does a Bloom filter answer when it takes more keys than it was sized for?",
	Claims: []engine.Claim{{
		Text:   "over-inserting drives the rate towards 1, as the law says, without warning",
		Source: "Bloom Filter, 8.5; Probabilistic Structures",
		Metric: exactRate.Name, Law: exactRate.Law,
	}},
	Method: "A filter for 10 000 keys at 10 bits and 7 probes takes up to ten times as many. Every insertion succeeds: " +
		"that is the missing warning. The rate follows the law all the way up.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Blooms {
			for _, load := range engine.Pick(s, []int{2, 5}, []int{1, 3, 10}, []int{4, 6, 8}) {
				cells = append(cells, saturationCell(subject, load))
			}
		}
		return cells
	},
}

func saturationCell(subject adapters.Bloom, load int) engine.Cell {
	n := load * design.n
	probes := probesFor(bloom.FPRClassic(design.m(), uint64(design.k), uint64(n)))
	price := cost(subject.Module, n+probes, design.c*design.n/8)
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "c", design.c, "k", design.k, "load", load),
		Module:  adapters.At(subject.Module),
		Metrics: []engine.Metric{exactRate},
		Trials:  planned(price),
		Cost:    price,
		Run: func(t *engine.T) error {
			return readRate(t, subject, bloomShape{m: int(design.m()), k: design.k, n: n}, probes, exactRate)
		},
	}
}

// readRate is the trial of a filter of given geometry: fill it, look up absent
// keys, read the rate under one law.
func readRate(t *engine.T, subject adapters.Bloom, p bloomShape, probes int, metric engine.Metric) error {
	f, err := subject.Build(adapters.BloomSpec{M: uint64(p.m), K: uint64(p.k), Seed: parts(t.Seed, 1)})
	if err != nil {
		return err
	}
	keys := keys(parts(t.Seed, 0))
	if err := keys.addTo(f, 0, p.n); err != nil {
		return err
	}
	t.Read(metric, keys.foundIn(f, p.n, p.n+probes), int64(probes), bloomLaw(metric.Law, f.M(), f.K(), uint64(p.n)))
	return nil
}
