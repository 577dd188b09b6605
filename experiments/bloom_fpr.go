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
				{4, 1, 10000},
				{4, 3, 10000},
				{4, 6, 10000},
				{8, 1, 10000},
				{8, 6, 10000},
				{8, 12, 10000},
				{10, 1, 10000},
				{10, 5, 10000},
				{10, 12, 10000},
				{16, 3, 10000},
				{16, 6, 10000},
				{16, 11, 10000},
			},
			[]bloomPoint{
				{24, 4, 10000},
				{24, 8, 10000},
				{24, 17, 10000},
				{16, 20, 10000},
				{8, 20, 10000},
				{10, 3, 100000},
				{10, 7, 100000},
				{10, 3, 1000000},
				{10, 7, 1000000},
				{16, 11, 1000000},
				{10, 7, 10000000},
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
	// Beside a million additions, half as many look-ups cost little.
	probes := max(probesFor(bloom.FPRClassic(p.m(), uint64(p.k), uint64(p.n))), p.n/2)
	price := cost(subject.Module, p.n+probes, p.c*p.n/8)
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "c", p.c, "k", p.k, "n", p.n),
		Module:  adapters.At(subject.Module),
		Metrics: []engine.Metric{classicRate},
		Trials:  planned(price),
		Cost:    price,
		Run: func(t *engine.T) error {
			return readRate(t, subject, bloomShape{m: p.c * p.n, k: p.k, n: p.n}, probes, classicRate)
		},
	}
}

// probesFor is the number of look-ups that a trial makes to measure a rate. Over
// 128 trials they see the rate closely enough for its band: z = 6 standard
// errors, the two-sided normal quantile at 1e-7 and three looks, must fit into
// three quarters of the tolerance.
func probesFor(rate float64) int {
	const z, trials = 6, 128
	events := math.Pow(z/(0.75*stats.RateTolerance(rate)), 2) * (1 - rate)
	return int(math.Min(1e7, math.Max(1000, math.Ceil(events/trials/rate))))
}

// probesOf is probesFor for a Bloom filter, but not more than pays: past the
// point where one filter's own rate strays from the law by half as much as its
// look-ups tell, another filter says more than another look-up. A filter's rate
// is (X/m)^k, and the variance of X, the occupied bits, is m(e^-t - (1+t)e^-2t)
// with t = kn/m (Kolchin et al. 1978).
func probesOf(m, k, n uint64) int {
	rate := bloom.FPRClassic(m, k, n)
	t := float64(k) * float64(n) / float64(m)
	variance := (math.Exp(-t) - (1+t)*math.Exp(-2*t)) / float64(m)
	spread := variance * math.Pow(float64(k)/bloom.Fill(m, k, n), 2) // relative variance of the rate
	return int(math.Min(float64(probesFor(rate)), math.Ceil(2/(rate*spread))))
}
