package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/kmv"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What the k smallest hashes promise.
var (
	kmvWrong = engine.Metric{
		Name: "wrong-counts/sketch", Method: stats.Invariant,
		Law: "kmv.exact", Source: "Beyer et al. 2007: fewer than k keys are all kept",
	}
	jaccardBias = engine.Metric{
		Name: "jaccard-bias", Method: stats.Mean,
		Law: "kmv.jaccard-unbiased", Source: "Beyer et al. 2007",
	}
	jaccardSpread = engine.Metric{
		Name: "jaccard-spread", Method: stats.Spread,
		Law: "kmv.jaccard", Source: "Beyer et al. 2007: a sample without replacement",
	}
	commonBias = engine.Metric{
		Name: "intersection-bias", Method: stats.Mean,
		Law: "kmv.intersection-unbiased", Source: "Beyer et al. 2007",
	}
	commonSpread = engine.Metric{
		Name: "intersection-spread", Method: stats.Spread,
		Law: "kmv.intersection", Source: "derived from Beyer et al. 2007: independent factors",
	}
)

var kmvError = engine.Experiment{
	Name:     "kmv/error",
	Question: "Do the k smallest hashes count without bias and with an error of 1/sqrt(k-2)?",
	Claims: []engine.Claim{
		{
			Text:   "the relative standard error of (k-1)/U is at most 1/sqrt(k-2); at n keys it is sqrt((n-k+1)/((k-2) n))",
			Source: "Beyer et al. 2007",
			Metric: sketchproof.MetricSpread, Law: adapters.KMVSpread.Name,
		},
		{
			Text: "(k-1)/U is free of bias", Source: "Beyer et al. 2007",
			Metric: sketchproof.MetricBias, Law: adapters.KMVBias.Name,
		},
		{
			Text: "below k keys the count is exact", Source: "Beyer et al. 2007",
			Metric: kmvWrong.Name, Law: kmvWrong.Law,
		},
	},
	Method: "Fresh sketches of distinct keys, k = 2^p. At n = 2 k the error is 0.7 of 1/sqrt(k-2), since half of the keys are kept. " +
		"Memory is 8 bytes a hash, 64 bits times 1/k for the variance: 64 where HyperLogLog has 6.5, which is the price of a sample.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct {
			p int
			n int
		}
		subject := cardinalitySubject("kmv")
		own := counter{subject, ownEstimator, sketchproof.Cardinality.Estimate}
		var cells []engine.Cell
		for _, at := range engine.Pick(s,
			nil,
			[]point{{6, 80}, {6, 1280}, {8, 512}, {8, 2560}},
			[]point{{4, 1600}, {6, 6400}, {10, 40960}, {12, 100000}}) {
			cells = append(cells, errorCell(own, at.p, at.n, lawsOf(subject, sketchproof.MetricBias, sketchproof.MetricSpread)))
		}
		for _, at := range engine.Pick(s, []point{{6, 63}}, []point{{10, 1023}}, []point{{14, 16383}}) {
			cells = append(cells, kmvExactCell(at.p, at.n))
		}
		return cells
	},
}

func kmvExactCell(p, n int) engine.Cell {
	subject := cardinalitySubject("kmv")
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "estimator", ownEstimator, "p", p, "n", n), Metrics: []engine.Metric{kmvWrong},
		Trials: 128, Cost: cost(subject.Module, n, 10<<p),
		Run: func(t *engine.T) error {
			s, err := subject.Build(sketchproof.CardinalitySpec{Precision: p, Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			for i := range n {
				s.Add(keys(parts(t.Seed, 0)).at(i))
			}
			t.Read(kmvWrong, one(s.Estimate() != float64(n)), 1, never)
			return nil
		},
	}
}

var kmvOverlap = engine.Experiment{
	Name:     "kmv/overlap",
	Question: "Do two sketches tell how much their sets have in common?",
	Claims: []engine.Claim{
		{
			Text: "the share of the union's k smallest hashes that both sets have estimates their Jaccard similarity without bias", Source: "Beyer et al. 2007",
			Metric: jaccardBias.Name, Law: jaccardBias.Law,
		},
		{
			Text: "its standard error is sqrt(J (1-J)/k), a little less where k is no small part of the union", Source: "Beyer et al. 2007",
			Metric: jaccardSpread.Name, Law: jaccardSpread.Law,
		},
		{
			Text: "times the estimate of the union it estimates the intersection without bias", Source: "Beyer et al. 2007",
			Metric: commonBias.Name, Law: commonBias.Law,
		},
		{
			Text: "and with the error that the two factors have together", Source: commonSpread.Source,
			Metric: commonSpread.Name, Law: commonSpread.Law,
		},
	},
	Method: "Two sets of which the share J of the union is in both, the rest dealt by turns. Errors of the intersection are relative to its size: " +
		"at J = 1 % and k = 256 two or three of the union's smallest hashes are common, and the error is 63 %: a sketch of k hashes " +
		"sees no overlap far below 1/k.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, at := range engine.Pick(s,
			nil,
			[][3]int{{64, 500, 50}, {256, 2000, 10}, {256, 400, 25}},
			[][3]int{{256, 2000, 50}, {1024, 20000, 1}, {1024, 20000, 50}, {1024, 20000, 90}}) {
			cells = append(cells, overlapCell(at[0], at[1], float64(at[2])/100))
		}
		return cells
	},
}

// overlapCell compares two sets whose union has n keys, the share j of them common.
func overlapCell(k, n int, j float64) engine.Cell {
	common := int(math.Round(j * float64(n)))
	j = float64(common) / float64(n)
	shareErr, commonErr := kmv.JaccardError(k, float64(n), j), kmv.IntersectionError(k, float64(n), j)
	tenth := func(e float64) stats.Band {
		return stats.Between(0, -stats.BiasTolerance*e, stats.BiasTolerance*e)
	}
	tolerance := stats.SpreadTolerance(0)
	return engine.Cell{
		Labels:  record.L("subject", "kmv", "k", k, "n", n, "jaccard", j),
		Metrics: []engine.Metric{jaccardBias, jaccardSpread, commonBias, commonSpread},
		Trials:  16384, Cost: engine.Cost{Seconds: float64(n)*8e-9 + float64(k)*60e-9, Bytes: int64(20 * k)},
		Run: func(t *engine.T) error {
			a, err := kmv.New(kmv.Params{K: k, Hash: hashing.XX(parts(t.Seed, 1))})
			if err != nil {
				return err
			}
			b := a.Clone()
			keys := keys(parts(t.Seed, 0))
			for i := range n {
				// The numbers are hashes already: splitmix64 is one.
				if i < common || i%2 == 0 {
					a.AddHash(keys.at(i))
				}
				if i < common || i%2 == 1 {
					b.AddHash(keys.at(i))
				}
			}
			o, err := kmv.Compare(a, b)
			if err != nil {
				return err
			}
			const unit = 1e9
			share := int64(math.Round((o.Jaccard - j) * unit))
			t.Read(jaccardBias, share, unit, tenth(shareErr))
			t.Read(jaccardSpread, share, unit, stats.Within(shareErr, tolerance))
			num, den := relativeError(o.Intersection, common)
			t.Read(commonBias, num, den, tenth(commonErr))
			t.Read(commonSpread, num, den, stats.Within(commonErr, tolerance))
			return nil
		},
	}
}
