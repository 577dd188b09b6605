package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/linearcounting"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The bias in keys, as derived and as Whang et al. print it. They differ by t/2.
var (
	linearKeys = engine.Metric{
		Name: "bias-keys", Unit: "keys", Method: stats.Mean,
		Law: "linearcounting.bias-keys", Source: "derived: (e^t - 1)/2",
	}
	linearKeysPrinted = engine.Metric{
		Name: linearKeys.Name, Unit: linearKeys.Unit, Method: stats.Mean,
		Law: "linearcounting.printed-bias", Source: "Whang, Vander-Zanden and Taylor 1990: (e^t - t - 1)/2",
	}
)

var linearCountingError = engine.Experiment{
	Name:     "linearcounting/error",
	Question: "Does a bitmap count with the error and the bias that its inventors print?",
	Claims: []engine.Claim{
		{
			Text:   "the relative standard error is sqrt(m (e^t - t - 1))/n at t = n/m keys a bit",
			Source: "Whang, Vander-Zanden and Taylor 1990, equation 10",
			Metric: sketchproof.MetricSpread, Law: adapters.LinearCountingSpread.Name,
		},
		{
			Text:   "the relative bias is (e^t - t - 1)/(2 n)",
			Source: "Whang, Vander-Zanden and Taylor 1990",
			Metric: linearKeysPrinted.Name, Law: linearKeysPrinted.Law,
		},
		{
			Text:   "the relative bias is (e^t - 1)/(2 n): t/(2 n) more, since a bit stays zero with chance (1 - 1/m)^n, less than e^-t",
			Source: "derived",
			Metric: linearKeys.Name, Law: linearKeys.Law,
		},
	},
	Method: "Fresh bitmaps of m = 8 2^p bits, at 1/4 to 2 keys a bit: what is beyond, the laws say nothing of. Printed and derived bias are " +
		"t/2 keys apart, a quarter of a key at half a key a bit, which no user would notice and many bitmaps tell: bias-keys is the mean of " +
		"estimate - n over 128 bitmaps a trial, judged to t/4 on either side. The printed bias replaces the chance that a bit stays zero, " +
		"(1 - 1/m)^n, by e^-t before it takes the logarithm.",
	Plan: func(s engine.Scale) []engine.Cell {
		subject := cardinalitySubject("linearcounting")
		own := counter{subject, ownEstimator, sketchproof.Cardinality.Estimate}
		var cells []engine.Cell
		for _, at := range engine.Pick(s,
			[][2]int{{8, 512}},
			[][2]int{{4, 64}, {8, 2048}, {8, 4096}},
			[][2]int{{6, 1024}, {10, 8192}, {12, 65536}}) {
			p, n := at[0], at[1]
			laws := lawsOf(subject, sketchproof.MetricBias, sketchproof.MetricSpread)
			cells = append(cells, errorCell(own, p, n, laws))
		}
		for _, at := range engine.Pick(s, nil, [][2]int{{4, 64}}, [][2]int{{4, 128}, {5, 64}}) {
			cells = append(cells, linearBiasCell(subject, at[0], at[1]))
		}
		return cells
	},
}

// linearBiasCell tells the two biases apart.
func linearBiasCell(subject adapters.Cardinality, p, n int) engine.Cell {
	const group = 128
	m := float64(int(8) << p)
	t0 := float64(n) / m
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "estimator", ownEstimator, "p", p, "n", n, "bitmaps", group),
		Metrics: []engine.Metric{linearKeys, linearKeysPrinted},
		Trials:  4096, Cost: engine.Cost{Seconds: group * (float64(n)*3e-9 + 4e-7), Bytes: 1 << p},
		Run: func(t *engine.T) error {
			sum := 0.0
			for i := range group {
				s, err := subject.Build(sketchproof.CardinalitySpec{Precision: p, Seed: parts(t.Seed, 2*i+1)})
				if err != nil {
					return err
				}
				fillDistinct(s, keys(parts(t.Seed, 2*i)), n)
				sum += s.Estimate() - float64(n)
			}
			const unit = 1e9
			num := int64(math.Round(sum / group * unit))
			read := func(metric engine.Metric, relative float64) {
				keys := relative * float64(n)
				t.Read(metric, num, unit, stats.Between(keys, keys-t0/4, keys+t0/4))
			}
			read(linearKeys, linearcounting.Bias(m, float64(n)))
			read(linearKeysPrinted, linearcounting.PrintedBias(m, float64(n)))
			return nil
		},
	}
}
