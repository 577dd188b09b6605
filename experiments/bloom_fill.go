package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// fill is the share of bits that are set.
var fill = engine.Metric{
	Name: "ones/bit", Method: stats.Mean,
	Law: "bloom.fill", Source: "Bloom 1970: 1 - (1 - 1/m)^(kn)",
}

// design is the filter of ten bits a key and seven probes that the documents
// work through, at ten thousand keys.
var design = bloomPoint{c: 10, k: 7, n: 10000}

var bloomFill = engine.Experiment{
	Name:     "bloom/fill",
	Question: "How many bits of a Bloom filter are set?",
	Claims: []engine.Claim{{
		Text:   "P(bit is 0) = (1 - 1/m)^(kn), near e^(-kn/m)",
		Source: "all but “Bloom Filters and HyperLogLog in Practice”",
		Metric: fill.Name, Law: fill.Law,
	}},
	Method: "A filter of 10 bits a key and 7 probes takes 0.1 to 4 times its design load; its ones are counted. " +
		"The band is the change of fill that moves the false-positive rate by its own tolerance.",
	Plan: func(s engine.Scale) []engine.Cell {
		loads := engine.Pick(s, []float64{0.5, 1, 2}, []float64{
			0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1.2, 1.4, 1.6, 1.8, 2.25, 2.5, 3, 3.5, 4,
		}, nil)
		var cells []engine.Cell
		for _, subject := range adapters.Blooms {
			for _, load := range loads {
				cells = append(cells, fillCell(subject, load))
			}
		}
		return cells
	},
}

func fillCell(subject adapters.Bloom, load float64) engine.Cell {
	n := int(math.Round(load * float64(design.n)))
	price := cost(subject.Module, n, design.c*design.n/8)
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "c", design.c, "k", design.k, "load", load),
		Module:  adapters.At(subject.Module),
		Metrics: []engine.Metric{fill},
		Trials:  planned(price),
		Cost:    price,
		Run: func(t *engine.T) error {
			f, err := subject.Build(adapters.BloomSpec{M: design.m(), K: uint64(design.k), Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			if err := keys(parts(t.Seed, 0)).addTo(f, 0, n); err != nil {
				return err
			}
			t.Read(fill, int64(f.BitsSet()), int64(f.M()), fillBand(f.M(), f.K(), uint64(n)))
			return nil
		},
	}
}

// fillBand allows the fill to differ by what moves the false-positive rate by
// its tolerance: rate = fill^k, so a relative change of fill counts k times.
func fillBand(m, k, n uint64) stats.Band {
	expected := bloom.Fill(m, k, n)
	return stats.Within(expected, stats.RateTolerance(math.Pow(expected, float64(k)))/float64(k))
}
