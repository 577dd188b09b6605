package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// Three means of 2^M over the same registers.
var (
	harmonicSpread = engine.Metric{
		Name: "spread-harmonic", Method: stats.Spread,
		Law: "hll.error", Source: "Flajolet et al. 2007, Theorem 1",
	}
	geometricSpread = engine.Metric{
		Name: "spread-geometric", Method: stats.Spread,
		Law: "loglog.error", Source: "Durand and Flajolet 2003, Theorem 1",
	}
	arithmeticSpread = engine.Metric{
		Name: "beyond-two-arithmetic/pair", Method: stats.Rate,
		Law: "hll.damps", Source: "Bloom Filters and HyperLogLog in Practice: the harmonic mean dampens the influence of outlier registers",
	}
)

var hllHarmonic = engine.Experiment{
	Name:     "hll/harmonic",
	Question: "Does the harmonic mean damp outlying registers?",
	Claims: []engine.Claim{
		{
			Text:   "the harmonic mean dampens outlying registers: the arithmetic one spreads more than twice as much",
			Source: "Bloom Filters & Probabilistic Data Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: arithmeticSpread.Name, Law: arithmeticSpread.Law,
		},
		{
			Text:   "the harmonic mean spreads by 1.04/sqrt(m)",
			Source: harmonicSpread.Source,
			Metric: harmonicSpread.Name, Law: harmonicSpread.Law,
		},
		{
			Text:   "the geometric mean spreads by 1.30/sqrt(m): a quarter more",
			Source: geometricSpread.Source,
			Metric: geometricSpread.Name, Law: geometricSpread.Law,
		},
	},
	Method: "Two sketches of n keys each; the harmonic, geometric and arithmetic mean of 2^M is taken of both. The logarithm of the ratio of two means, divided by the " +
		"square root of two, has the relative standard error as its spread, and no constant is needed, which matters: the arithmetic mean has none that serves all n, since a single register may outweigh all others. For " +
		"the arithmetic mean, which is not near normal, it is counted how often the ratio is off by more than two standard errors of the harmonic mean: one time in 22 with the spread of that, " +
		"and one in three with twice the spread.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, p := range engine.Pick(s, nil, []int{8}, []int{10, 12}) {
			cells = append(cells, harmonicCell(p, 40<<p))
		}
		return cells
	},
}

// means are the logarithms of three means of 2^M.
func means(s *hll.Sketch) (harmonic, geometric, arithmetic float64) {
	var inverse, sum, power float64
	for i := range s.M() {
		r := float64(s.Register(i))
		inverse, sum, power = inverse+math.Exp2(-r), sum+r, power+math.Exp2(r)
	}
	return -math.Log(inverse), sum * math.Ln2 / float64(s.M()), math.Log(power)
}

func harmonicCell(p, n int) engine.Cell {
	subject, m := cardinality("hll").subject, 1<<p
	// The variance of a register is pi^2/(6 ln^2 2) + 1/12.
	geometric := math.Sqrt((math.Pi*math.Pi/6 + math.Ln2*math.Ln2/12) / float64(m))
	const tolerance = 0.08 // 8192 trials tell a spread to 5 %; at 40 keys a register it is 1.2 % under the law
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "p", p, "n", n),
		Metrics: []engine.Metric{harmonicSpread, geometricSpread, arithmeticSpread},
		Trials:  8192, Cost: engine.Cost{Seconds: float64(2*n)*2e-9 + float64(2*m)*20e-9, Bytes: 2 << p},
		Run: func(t *engine.T) error {
			var h, g, a [2]float64
			for i := range h {
				s, err := subject.Build(sketchproof.CardinalitySpec{Precision: p, Seed: parts(t.Seed, 1)})
				if err != nil {
					return err
				}
				fillDistinct(s, keys(parts(t.Seed, 2+i)), n)
				h[i], g[i], a[i] = means(s.(*hll.Sketch))
			}
			read := func(of [2]float64) float64 { return (of[0] - of[1]) / math.Sqrt2 }
			const parts9 = 1e9
			t.Read(harmonicSpread, int64(math.Round(read(h)*parts9)), parts9, stats.Within(hll.StandardError(m), tolerance))
			t.Read(geometricSpread, int64(math.Round(read(g)*parts9)), parts9, stats.Within(geometric, tolerance))
			law := hll.StandardError(m)
			t.Read(arithmeticSpread, one(math.Abs(read(a)) > 2*law), 1, stats.AtLeast(math.Erfc(1/math.Sqrt2)))
			return nil
		},
	}
}
