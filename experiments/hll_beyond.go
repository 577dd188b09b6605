package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// How often an estimate is off by more than one, two and three standard errors.
var (
	beyondOne   = beyond("beyond-one/sketch")
	beyondTwo   = beyond("beyond-two/sketch")
	beyondThree = beyond("beyond-three/sketch")
)

func beyond(name string) engine.Metric {
	return engine.Metric{Name: name, Method: stats.Rate, Law: "hll.normal", Source: "Flajolet et al. 2007, section 4: within 1, 2, 3 standard errors in 65, 95, 99 % of cases"}
}

var hllBeyond = engine.Experiment{
	Name:     "hll/beyond",
	Question: "How often is an estimate off by more than its standard error?",
	Claims: []engine.Claim{
		{
			Text:   "one run can land outside the standard error: one in three does",
			Source: "Probabilistic Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: beyondOne.Name, Law: beyondOne.Law,
		},
		{
			Text:   "one in 22 is off by more than twice the standard error",
			Source: "derived: errors are near normal",
			Metric: beyondTwo.Name, Law: beyondTwo.Law,
		},
		{
			Text:   "one in 370, at most one in 120, is off by more than three times the standard error",
			Source: "derived: errors are near normal",
			Metric: beyondThree.Name, Law: beyondThree.Law,
		},
	},
	Method: "Estimates of fresh sketches against 1.04/sqrt(m), and the share of a normal error beside it, with an allowance of a tenth, three tenths, and a factor of three: " +
		"errors are skewed to the high side, by the less the more registers there are, and the spread at this n is one per cent under the law.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, at := range engine.Pick(s, nil, []counts{{8, 10240}}, []counts{{14, 655360}}) {
			cells = append(cells, beyondCell(native(hll.Ertl), at))
		}
		return cells
	},
}

func beyondCell(c counter, at counts) engine.Cell {
	m := 1 << at.p
	const group = 16 // sketches a trial
	normal := func(z float64) float64 { return math.Erfc(z / math.Sqrt2) }
	return engine.Cell{
		Labels:  record.L("subject", c.subject.Name, "p", at.p, "n", at.n),
		Metrics: []engine.Metric{beyondOne, beyondTwo, beyondThree},
		Trials:  2048, Cost: engine.Cost{Seconds: group * (float64(at.n)*2e-9 + 1e-5), Bytes: 1 << at.p},
		Run: func(t *engine.T) error {
			var off [4]int64
			for i := range group {
				s, err := c.subject.Build(sketchproof.CardinalitySpec{Precision: at.p, Seed: parts(t.Seed, 2*i+1)})
				if err != nil {
					return err
				}
				fillDistinct(s, keys(parts(t.Seed, 2*i)), at.n)
				z := math.Abs(c.read(s)/float64(at.n)-1) / hll.StandardError(m)
				for k := 1; k <= 3; k++ {
					off[k] += one(z > float64(k))
				}
			}
			t.Read(beyondOne, off[1], group, stats.Within(normal(1), 0.1))
			t.Read(beyondTwo, off[2], group, stats.Within(normal(2), 0.3))
			t.Read(beyondThree, off[3], group, stats.AtMost(3*normal(3)))
			return nil
		},
	}
}
