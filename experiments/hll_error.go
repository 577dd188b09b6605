package experiments

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// spreadAtN is the spread under the law for n keys, where n is not far above m.
var spreadAtN = engine.Metric{
	Name: sketchproof.MetricSpread, Method: stats.Spread,
	Law: "hll.error-at-n", Source: "derived from Ertl 2017, equation 22",
}

// spreadLikelihood is the law of maximum likelihood, which uses all that the
// registers tell.
var spreadLikelihood = engine.Metric{
	Name: sketchproof.MetricSpread, Method: stats.Spread,
	Law: "hll.likelihood", Source: "Ertl 2017, section 5",
}

// A counter is one way to count distinct keys: a subject, and how to read it.
type counter struct {
	subject   adapters.Cardinality
	estimator string
	read      func(sketchproof.Cardinality) float64
}

// spreadLaws are the laws of the counter's spread for many keys.
func (c counter) spreadLaws() []*cardinalityLaw {
	if c.estimator != hll.MaximumLikelihood.String() {
		return lawsOf(c.subject, sketchproof.MetricSpread)
	}
	return []*cardinalityLaw{{
		metric: spreadLikelihood,
		predict: func(_ sketchproof.Cardinality, spec sketchproof.CardinalitySpec, _ int) stats.Band {
			return stats.Within(hll.MaximumLikelihoodError(1<<spec.Precision), stats.SpreadTolerance(spec.Precision))
		},
	}}
}

// ownEstimator is the one that Estimate uses.
const ownEstimator = "own"

// counters are all subjects that promise a spread, read by Estimate. Packed
// registers are left out, and those that were sparse: hll/merge and the tests of
// their package show that they are the same registers.
func counters() []counter {
	var all []counter
	for _, s := range adapters.Cardinalities {
		if _, ok := s.LawFor(sketchproof.MetricSpread); ok && s.Name != "hll-packed" && s.Name != "hll-sparse" {
			all = append(all, counter{s, ownEstimator, sketchproof.Cardinality.Estimate})
		}
	}
	return all
}

// hyperLogLogs are the counters whose spread is judged by a law of HyperLogLog.
func hyperLogLogs() []counter {
	return slices.DeleteFunc(counters(), func(c counter) bool {
		law, _ := c.subject.LawFor(sketchproof.MetricSpread)
		return !strings.HasPrefix(law.Name, "hll.")
	})
}

// native is our HyperLogLog, read by an estimator of choice.
func native(e hll.Estimator) counter {
	for _, c := range counters() {
		if c.subject.Name == "hll" {
			if e != hll.Ertl {
				c.estimator, c.read = e.String(), func(s sketchproof.Cardinality) float64 { return s.(*hll.Sketch).EstimateWith(e) }
			}
			return c
		}
	}
	panic("experiments: our HyperLogLog is not in the catalogue")
}

// fillDistinct gives a sketch n distinct keys. Where it takes hashes, the
// numbers are hashes already: splitmix64 is one.
func fillDistinct(s sketchproof.Cardinality, keys keys, n int) {
	if b, ok := s.(sketchproof.HashBatchAdder); ok && n >= keyBlock {
		_ = keys.blocks(0, n, func(block []uint64) error {
			_, err := b.AddHashBatch(block)
			return err // never: a sketch is not full
		})
		return
	}
	if h, ok := s.(sketchproof.HashCardinality); ok {
		for i := range n {
			h.AddHash(keys.at(i))
		}
		return
	}
	for i := range n {
		s.Add(keys.at(i))
	}
}

// relativeError is estimate/n - 1 as a count of parts in 10^9.
func relativeError(estimate float64, n int) (num, den int64) {
	const parts = 1e9
	return int64(math.Round((estimate/float64(n) - 1) * parts)), parts
}

var hllErrorExperiment = engine.Experiment{
	Name:     "hll/error",
	Question: "Is the relative error of HyperLogLog 1.04/sqrt(m), and is it free of bias?",
	Claims: []engine.Claim{
		{
			Text:   "the standard error is 1.04/sqrt(m): 3.25, 0.81 and 0.41 % at p = 10, 14 and 16",
			Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: sketchproof.MetricSpread, Law: "hll.error",
		},
		{
			Text:   "the estimate is unbiased, but for what no user would notice: a tenth of a standard error",
			Source: "Flajolet et al. 2007, Theorem 1",
			Metric: sketchproof.MetricBias, Law: "hll.unbiased",
		},
		{
			Text:   "read by maximum likelihood, the standard error is 1.0367/sqrt(m)",
			Source: spreadLikelihood.Source,
			Metric: spreadLikelihood.Name, Law: spreadLikelihood.Law,
		},
		{
			Text:   "a martingale that counts while the sketch is filled has a standard error of 0.8326/sqrt(m)",
			Source: "Ting 2014; Cohen 2015",
			Metric: sketchproof.MetricSpread, Law: "hll.martingale",
		},
		{
			Text:   "with n/m keys a register the error is smaller: 24 % under 1.04/sqrt(m) at n = m, 2.3 % at n = 20 m",
			Source: "derived from Ertl 2017, equation 22",
			Metric: spreadAtN.Name, Law: spreadAtN.Law,
		},
	},
	Method: "Spread is the root mean square of estimate/n - 1 over fresh sketches, bias its mean. The law is about many keys; it is " +
		"judged from n = 20 m on, and its constant is 1.106 for 16 registers. Estimators of one sketch: own (Ertl's improved " +
		"estimator, freed of its bias), ertl-published (as printed: 1.08/m too high, a quarter of a standard error at 16 registers), " +
		"classic (Flajolet's with linear counting), hll++ (with our own bias table), loglog-beta, maximum-likelihood. Sketches that take hashes get 64-bit numbers of splitmix64.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct{ p, times int }
		var cells []engine.Cell
		for _, c := range hyperLogLogs() {
			ci, full := point{10, 40}, point{8, 40}
			if c.subject.Module == "" && c.subject.Name != "hll" {
				ci, full = full, ci // a quarter of the price
			}
			for _, p := range engine.Pick(s,
				[]point{{10, 5}},
				[]point{ci},
				[]point{{4, 100}, {6, 100}, full, {12, 40}, {14, 20}, {18, 20}}) {
				cells = append(cells, spreadCell(c, p.p, p.times<<p.p))
			}
		}
		for _, p := range engine.Pick(s, nil,
			[]point{{10, 1}, {14, 30}, {16, 20}},
			[]point{{10, 977}, {12, 1}, {12, 5}, {14, 1}, {14, 61}, {16, 1}, {16, 5}}) {
			cells = append(cells, spreadCell(native(hll.Ertl), p.p, p.times<<p.p))
		}
		for _, p := range engine.Pick(s, nil, []point{{10, 40}}, []point{{4, 100}, {6, 100}, {12, 40}, {14, 20}}) {
			cells = append(cells, spreadCell(native(hll.Classic), p.p, p.times<<p.p))
		}
		for _, e := range []hll.Estimator{hll.PlusPlus, hll.LogLogBeta, hll.MaximumLikelihood} {
			for _, p := range engine.Pick(s, nil, []point{{8, 40}}, []point{{4, 100}, {6, 100}, {10, 40}, {12, 40}, {14, 20}}) {
				cells = append(cells, spreadCell(native(e), p.p, p.times<<p.p))
			}
		}
		for _, p := range engine.Pick(s, nil, nil, []point{{4, 100}, {6, 100}, {10, 40}, {12, 40}, {14, 20}}) {
			cells = append(cells, spreadCell(native(hll.ErtlPublished), p.p, p.times<<p.p))
		}
		return cells
	},
}

// A cardinalityLaw is a law of a subject as a cell judges it. Its band is that of
// the first sketch built, and of all others of the cell: they are built alike,
// and the law's integral takes longer than a trial.
type cardinalityLaw struct {
	metric  engine.Metric
	predict func(sketchproof.Cardinality, sketchproof.CardinalitySpec, int) stats.Band
	once    sync.Once
	band    stats.Band
}

func (l *cardinalityLaw) read(t *engine.T, s sketchproof.Cardinality, spec sketchproof.CardinalitySpec, n int, num, den int64) {
	l.once.Do(func() { l.band = l.predict(s, spec, n) })
	t.Read(l.metric, num, den, l.band)
}

// lawsOf are the subject's laws of some metrics.
func lawsOf(subject adapters.Cardinality, metrics ...string) []*cardinalityLaw {
	var laws []*cardinalityLaw
	for _, law := range subject.Laws {
		if !slices.Contains(metrics, law.Metric) {
			continue
		}
		method := stats.Spread
		if law.Metric == sketchproof.MetricBias {
			method = stats.Mean
		}
		laws = append(laws, &cardinalityLaw{
			metric:  engine.Metric{Name: law.Metric, Method: method, Law: law.Name, Source: law.Source},
			predict: law.Predict,
		})
	}
	return laws
}

// spreadCell measures bias, and spread under the laws that speak about n keys.
func spreadCell(c counter, p, n int) engine.Cell {
	laws := lawsOf(c.subject, sketchproof.MetricBias)
	if n >= manyKeys<<p {
		laws = append(laws, c.spreadLaws()...)
	}
	if c.subject.Name == "hll" && c.estimator == ownEstimator && p >= 8 { // derived up to 1/m: 2 % low at p = 6
		laws = append(laws, &cardinalityLaw{metric: spreadAtN, predict: func(sketchproof.Cardinality, sketchproof.CardinalitySpec, int) stats.Band {
			return stats.Within(hll.ErtlSpread(float64(int(1)<<p), float64(n)), stats.SpreadTolerance(p))
		}})
	}
	return errorCell(c, p, n, laws)
}

// manyKeys is the number of keys a register from which on the law of many keys
// is judged: the truth is then at most 2.4 % under it.
const manyKeys = 20

// errorCell reads one relative error a trial, under all laws.
func errorCell(c counter, p, n int, laws []*cardinalityLaw) engine.Cell {
	var metrics []engine.Metric
	for _, l := range laws {
		metrics = append(metrics, l.metric)
	}
	return engine.Cell{
		Labels:  record.L("subject", c.subject.Name, "estimator", c.estimator, "p", p, "n", n),
		Module:  adapters.At(c.subject.Module),
		Metrics: metrics, Trials: spreadTrials(p), Cost: engine.Cost{Seconds: float64(n)*4e-9 + 4e-5, Bytes: 1 << p},
		Run: func(t *engine.T) error {
			spec := sketchproof.CardinalitySpec{Precision: p, Seed: parts(t.Seed, 1)}
			s, err := c.subject.Build(spec)
			if err != nil {
				return err
			}
			fillDistinct(s, keys(parts(t.Seed, 0)), n)
			num, den := relativeError(c.read(s), n)
			for _, l := range laws {
				l.read(t, s, spec, n, num, den)
			}
			return nil
		},
	}
}

// spreadTrials is the number of trials that tell a root mean square error to
// well within its tolerance. A bit over six standard errors, each 1/sqrt(2N), are
// 2.4 % with 32 768 trials, and 5 % with the 8192 from p = 13 on. What is left of the
// tolerance must hold what the spread is under the law: 1.2 % at n = 40 m, 2.4 %
// at n = 20 m, which is too much up to p = 12.
func spreadTrials(p int) int {
	if stats.SpreadTolerance(p) > 0.05 {
		return 8192
	}
	return 32768
}
