package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What a Bloom filter's ones say about the filter itself.
var (
	rateByOnes = engine.Metric{
		Name: "measured/estimated", Method: stats.Mean,
		Law: "rate-estimate", Source: "Bloom 1970: a probe of an absent key meets a 1 with chance X/m",
	}
	rateByKeys = engine.Metric{
		Name: "measured/expected", Method: stats.Spread,
	}
	countBias = engine.Metric{
		Name: "bias", Unit: "relative", Method: stats.Mean,
		Law: "count-estimate.bias", Source: "derived, second order: (e^t - 1)/(2k) keys with t = kn/m",
	}
	countSpread = engine.Metric{
		Name: "spread", Unit: "relative", Method: stats.Spread,
		Law: "count-estimate.spread", Source: "derived from Swamidass & Baldi 2007: sd sqrt(m (e^t - t - 1))/k",
	}
)

var bloomRateEstimate = engine.Experiment{
	Name:     "bloom/rate-estimate",
	Question: "Do the ones of a Bloom filter tell its false-positive rate?",
	Claims: []engine.Claim{{
		Text:   "(bits set / m)^k estimates the present rate",
		Source: "Bloom Filters & Probabilistic Data Structures",
		Metric: rateByOnes.Name, Law: rateByOnes.Law,
	}},
	Method: "In each filter the rate that is measured with absent keys is divided by (X/m)^k of that very filter; the claim is about the mean of the quotient. " +
		"The same rate over that which the number of keys lets expect is printed as its root mean square distance from 1, without a verdict: " +
		"filters of one shape differ, small ones by a good part of their rate, and the ones know by how much.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct {
			m, k int
			load float64
		}
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			[]point{{10000, 7, 1}},
			[]point{{100, 3, 1}, {100, 7, 2}, {1000, 7, 1}, {10000, 7, 0.5}, {10000, 7, 2}, {10000, 7, 4}, {100000, 7, 1}},
			[]point{{1000, 7, 0.5}, {1000, 7, 3}, {10000, 7, 8}, {100000, 14, 2}, {1000000, 7, 1}}) {
			cells = append(cells, rateEstimateCell(p.m, p.k, p.load))
		}
		return cells
	},
}

func rateEstimateCell(size, k int, load float64) engine.Cell {
	m, n := uint64(size), int(math.Round(load*float64(size)/10))
	expected := bloom.FPRExact(m, uint64(k), uint64(n))
	// 100 wrong answers a filter leave a tenth of its rate to chance.
	probes := int(math.Ceil(100 / expected))
	price := cost("", n+probes, size/8)
	return engine.Cell{
		Labels:  record.L("subject", "bloom", "m", size, "k", k, "load", load),
		Metrics: []engine.Metric{rateByOnes, rateByKeys},
		Trials:  planned(price),
		Cost:    price,
		Run: func(t *engine.T) error {
			f, err := bloom.New(bloom.Params{M: m, K: uint64(k), Hash: hashing.XX(parts(t.Seed, 1))})
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			if err := keys.addTo(f, 0, n); err != nil {
				return err
			}
			found := float64(keys.foundIn(f, n, n+probes)) / float64(probes)
			const parts = 1e6 // readings are whole numbers
			t.Read(rateByOnes, int64(math.Round(parts*found/f.RateEstimate())), parts,
				stats.Within(1, stats.RateTolerance(expected)))
			t.Read(rateByKeys, int64(math.Round(parts*(found/expected-1))), parts, stats.Band{})
			return nil
		},
	}
}

var bloomCountEstimate = engine.Experiment{
	Name:     "bloom/count-estimate",
	Question: "Do the ones of a Bloom filter tell how many keys it holds?",
	Claims: []engine.Claim{
		{
			Text:   "-(m/k) ln(1 - X/m) estimates the number of keys: its bias is a tenth of its spread at most, or the second-order term",
			Source: "Swamidass & Baldi 2007; the bias is derived",
			Metric: countBias.Name, Law: countBias.Law,
		},
		{
			Text:   "its standard deviation is sqrt(m (e^t - t - 1))/k keys, t = kn/m",
			Source: "derived from Swamidass & Baldi 2007",
			Metric: countSpread.Name, Law: countSpread.Law,
		},
	},
	Method: "Fresh filters of 10 bits a key and 7 probes take a share of their design load, or more; estimate/n - 1 is read. Bias is allowed a tenth of the spread around its " +
		"law, the spread what a sketch of few registers is. A filter for 200 keys tells their number to 1.8 % at its design load, " +
		"and to 2.8 % at four times that. Repeats of a key change nothing, so it is a distinct counter: " +
		"linear counting with k times the throws. The laws are of second order: where few bits are empty (from t = 4 on, 40 of 2000) the logarithm is bent more than they know.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, load := range engine.Pick(s, []float64{1}, []float64{0.1, 0.25, 0.5, 2, 3, 4}, []float64{0.05, 1.5, 5, 6, 8}) {
			cells = append(cells, countEstimateCell(2000, 7, load))
		}
		for _, load := range engine.Pick(s, nil, nil, []float64{0.1, 1, 3}) {
			cells = append(cells, countEstimateCell(2000, 3, load), countEstimateCell(20000, 7, load))
		}
		return cells
	},
}

func countEstimateCell(size, k int, load float64) engine.Cell {
	m, n := uint64(size), int(math.Round(load*float64(size)/10))
	price := cost("", n, size/8)
	bias, sd := bloom.CountEstimateBiasSD(m, uint64(k), uint64(n))
	bias, sd = bias/float64(n), sd/float64(n)
	return engine.Cell{
		Labels:  record.L("subject", "bloom", "m", size, "k", k, "load", load),
		Metrics: []engine.Metric{countSpread, countBias},
		Trials:  min(planned(price), 16384),
		Cost:    price,
		Run: func(t *engine.T) error {
			f, err := bloom.New(bloom.Params{M: m, K: uint64(k), Hash: hashing.XX(parts(t.Seed, 1))})
			if err != nil {
				return err
			}
			if err := keys(parts(t.Seed, 0)).addTo(f, 0, n); err != nil {
				return err
			}
			num, den := relativeError(min(f.CountEstimate(), float64(m)), n) // m stands for the infinity of a full filter
			t.Read(countSpread, num, den, stats.Within(math.Hypot(bias, sd), stats.SpreadTolerance(10)))
			t.Read(countBias, num, den, stats.Between(bias, bias-stats.BiasTolerance*sd, bias+stats.BiasTolerance*sd))
			return nil
		},
	}
}
