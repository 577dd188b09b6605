package experiments

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The rate under the finite form and under the exact law.
var (
	finiteRate = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "bloom.finite", Source: "Bloom 1970: (1 - (1 - 1/m)^(kn))^k",
	}
	exactRate = rateUnder(adapters.BloomExact)
)

// rateUnder is the false-positive rate as a law of the catalogue judges it.
func rateUnder(law sketchproof.Law[sketchproof.Filter, sketchproof.FilterSpec]) engine.Metric {
	return engine.Metric{Name: law.Metric, Method: stats.Rate, Law: law.Name, Source: law.Source}
}

// bloomShape is a geometry in bits, probes and keys.
type bloomShape struct{ m, k, n int }

var bloomExact = engine.Experiment{
	Name:     "bloom/fpr-exact",
	Question: "Where does the classic formula break, and does the exact one still hold there?",
	Claims: []engine.Claim{
		{
			Text:   "the rate is (1 - e^(-kn/m))^k, said to be optimistic by a few percent",
			Source: "Bloom Filter, 8.7; Probabilistic Structures",
			Metric: classicRate.Name, Law: classicRate.Law,
		},
		{
			Text:   "the exact formula accounts for the dependence of the bits",
			Source: "Bose et al. 2008; Christensen et al. 2010",
			Metric: exactRate.Name, Law: exactRate.Law,
		},
	},
	Method: "Independent probes (repeats allowed), from 16 bits to 100 000. The same counts are judged by three laws: " +
		"the exponential form, the finite form, and the exact law E[(X/m)^k].",
	Plan: func(s engine.Scale) []engine.Cell {
		shapes := engine.Pick(s,
			[]bloomShape{{32, 5, 4}, {100, 7, 10}, {1000, 7, 100}},
			[]bloomShape{{16, 3, 2}, {64, 4, 10}, {128, 4, 20}, {100, 12, 10}, {1000, 20, 100}, {10000, 7, 1000}, {10000, 20, 1000}, {100000, 7, 10000}},
			[]bloomShape{{16, 2, 3}, {500, 7, 50}, {1000, 14, 50}, {100000, 20, 10000}})
		var cells []engine.Cell
		laws := []engine.Metric{classicRate, finiteRate, exactRate}
		for _, p := range shapes {
			cells = append(cells, schemeCell(bloom.Derived, p, laws))
		}
		for _, p := range shapes[:3] { // k hash functions apart, to be sure that Derived acts so
			cells = append(cells, schemeCell(bloom.Independent, p, laws))
		}
		return cells
	},
}

// schemeCell measures the rate of our own filter under an index scheme, and
// judges it by the laws of the metrics. A trial of a tiny filter builds a group
// of them, each with its own keys and hash, and pools their counts: the trials
// are then alike and independent as before, only fewer.
func schemeCell(scheme bloom.Scheme, p bloomShape, metrics []engine.Metric) engine.Cell {
	m, k, n := uint64(p.m), uint64(p.k), uint64(p.n)
	probes := probesOf(m, k, n)
	group := groupOf(p.n + probes)
	price := cost("", group*(p.n+probes), p.m/8)
	return engine.Cell{
		Labels:  record.L("subject", "bloom", "scheme", scheme, "m", p.m, "k", p.k, "n", p.n),
		Metrics: metrics,
		Trials:  planned(price),
		Cost:    price,
		Run: func(t *engine.T) error {
			var found int64
			for i := range group {
				f, err := bloom.New(bloom.Params{M: m, K: k, Scheme: scheme, Hash: hashing.XX(parts(t.Seed, 2*i+1))})
				if err != nil {
					return err
				}
				keys := keys(parts(t.Seed, 2*i))
				if err := keys.addTo(f, 0, p.n); err != nil {
					return err
				}
				found += keys.foundIn(f, p.n, p.n+probes)
			}
			for _, metric := range metrics {
				t.Read(metric, found, int64(group*probes), bloomLaw(metric.Law, m, k, n))
			}
			return nil
		},
	}
}

// bloomLaw is the band of a named law of the false-positive rate.
func bloomLaw(law string, m, k, n uint64) stats.Band {
	switch law {
	case classicRate.Law:
		return adapters.RateBand(bloom.FPRClassic(m, k, n))
	case finiteRate.Law:
		return adapters.RateBand(bloom.FPRFinite(m, k, n))
	default:
		return adapters.RateBand(bloom.FPRExact(m, k, n))
	}
}
