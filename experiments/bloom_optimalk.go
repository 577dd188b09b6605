package experiments

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// excess is how much higher the rate is with one number of probes than with
// another, on the same keys.
var excess = engine.Metric{
	Name: "excess-false-positives/absent", Method: stats.Mean,
	Law: "bloom.optimal-k", Source: "Bloom 1970: the rate is least at k = (m/n) ln 2",
}

var bloomOptimalK = engine.Experiment{
	Name:     "bloom/optimal-k",
	Question: "Is the rate least at k = (m/n) ln 2, and do more hashes then hurt?",
	Claims: []engine.Claim{
		{
			Text:   "the rate is least at k = (m/n) ln 2; beyond it, more hashes raise the rate",
			Source: "all five documents",
			Metric: excess.Name, Law: excess.Law,
		},
		{
			Text:   "the rate at every k is that of the formula",
			Source: "all five documents",
			Metric: exactRate.Name, Law: exactRate.Law,
		},
	},
	Method: "k from 1 to 20 at 8, 10 and 16 bits a key, 10 000 keys. In the pairs, two filters of one size take the same keys " +
		"with different k; the difference of their rates on the same look-ups must favour the k nearer the optimum.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct{ c, k int }
		points := engine.Pick(s, []point{{10, 4}, {10, 12}}, nil, nil)
		if s >= engine.CI {
			for _, c := range []int{8, 10, 16} {
				for k := 1; k <= 20; k++ {
					if p := (point{c, k}); p != points[0] && p != points[1] {
						points = append(points, p)
					}
				}
			}
		}
		var cells []engine.Cell
		for _, p := range points {
			cells = append(cells, densityCell(p.c, p.k, exactRate))
		}
		type pair struct{ c, best, other int }
		for _, p := range engine.Pick(s,
			[]pair{{10, 7, 12}},
			[]pair{{8, 6, 3}, {8, 6, 10}, {10, 7, 4}, {10, 7, 10}, {16, 11, 7}, {16, 11, 16}},
			[]pair{{10, 7, 5}, {10, 7, 9}}) {
			cells = append(cells, pairCell(p.c, p.best, p.other))
		}
		return cells
	},
}

// densityCell measures our filter at c bits a key and k probes.
func densityCell(c, k int, metric engine.Metric) engine.Cell {
	cell := schemeCell(bloom.Derived, bloomShape{m: c * design.n, k: k, n: design.n}, []engine.Metric{metric})
	cell.Labels = record.L("subject", "bloom", "c", c, "k", k, "n", design.n)
	return cell
}

func pairCell(c, best, other int) engine.Cell {
	m, n := uint64(c*design.n), design.n
	least, more := bloom.FPRExact(m, uint64(best), uint64(n)), bloom.FPRExact(m, uint64(other), uint64(n))
	probes := probesFor(least)
	price := cost("", 2*(n+probes), 2*c*n/8)
	return engine.Cell{
		Labels:  record.L("subject", "bloom", "c", c, "k", fmt.Sprintf("%d-against-%d", other, best), "n", n),
		Metrics: []engine.Metric{excess},
		Trials:  planned(price),
		Cost:    price,
		Run: func(t *engine.T) error {
			keys := keys(parts(t.Seed, 0))
			var found [2]int64
			for i, k := range []int{best, other} {
				f, err := bloom.New(bloom.Params{M: m, K: uint64(k), Hash: hashing.XX(parts(t.Seed, 1))})
				if err != nil {
					return err
				}
				if err := keys.addTo(f, 0, n); err != nil {
					return err
				}
				found[i] = keys.foundIn(f, n, n+probes)
			}
			t.Read(excess, found[1]-found[0], int64(probes), stats.Between(more-least, 0, math.Inf(1)))
			return nil
		},
	}
}

// halfRate and halfFill are the two halves of the rule of thumb.
var (
	halfRate = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "bloom.half-full-rate", Source: "Bloom 1970: 0.6185^(m/n)",
	}
	halfFill = engine.Metric{
		Name: fill.Name, Method: stats.Mean,
		Law: "bloom.half-full", Source: "Bloom 1970: half of the bits at k = (m/n) ln 2",
	}
)

var bloomHalfFull = engine.Experiment{
	Name:     "bloom/half-full",
	Question: "At the optimum, is half of the filter full and the rate 0.6185^(m/n)?",
	Claims: []engine.Claim{
		{
			Text: "at the optimal k half of the bits are set", Source: "Bloom Filters & Counting Filters; Probabilistic Structures",
			Metric: halfFill.Name, Law: halfFill.Law,
		},
		{
			Text: "at the optimal k the rate is 0.6185^(m/n)", Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures",
			Metric: halfRate.Name, Law: halfRate.Law,
		},
	},
	Method: "For each whole k, m is chosen so that k is the optimum: m = kn/ln 2, 10 000 keys.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, k := range engine.Pick(s, []int{3, 7}, []int{1, 2, 4, 5, 6, 8, 10}, []int{13}) {
			cells = append(cells, halfFullCell(k))
		}
		return cells
	},
}

func halfFullCell(k int) engine.Cell {
	n := design.n
	m := uint64(math.Round(float64(k) * float64(n) / math.Ln2))
	rate := math.Exp2(-float64(m) / float64(n) * math.Ln2) // 0.6185 is 2^(-ln 2)
	probes := probesFor(rate)
	price := cost("", n+probes, int(m/8))
	return engine.Cell{
		Labels:  record.L("subject", "bloom", "k", k, "m", m, "n", n),
		Metrics: []engine.Metric{halfFill, halfRate},
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
			t.Read(halfFill, int64(f.BitsSet()), int64(m), stats.Within(0.5, stats.RateTolerance(rate)/float64(k)))
			t.Read(halfRate, keys.foundIn(f, n, n+probes), int64(probes), adapters.RateBand(rate))
			return nil
		},
	}
}
