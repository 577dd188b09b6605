package experiments

import (
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var hllHuge = engine.Experiment{
	Name:     "hll/huge",
	Question: "Are estimates unbiased, and is their error that of the law, from 1 to 10^19 keys?",
	Claims: []engine.Claim{
		{
			Text:   "the estimate is unbiased at any number of keys, but for a tenth of a standard error",
			Source: "Flajolet et al. 2007, Theorem 1, for many keys",
			Metric: sketchproof.MetricBias, Law: "hll.unbiased",
		},
		{
			Text:   "the standard error is 1.04/sqrt(m), its square 1.079/m, up to 10^18 keys",
			Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: meanSquare, Law: "hll.error",
		},
		{
			Text:   "with few keys a register the error is smaller, by a law that holds at every n",
			Source: hllAtN.source,
			Metric: meanSquare, Law: hllAtN.name,
		},
	},
	Method: "Keys are not inserted, but for the first 20 m: a stream draws those alone that a sketch would notice, with the number of keys " +
		"between them, which is exact (package experiments/events); sketches that do not look at the path get their last state without the " +
		"way there. A trial is 16 streams. Bias is the mean of estimate/n - 1, mean-square*m that of its square, times the number of " +
		"registers, with bands as wide as those of bias and spread in hll/error. The law at n is judged on both sides from 20 keys on, " +
		"and as an upper bound below, where errors come as single collisions. It ends at 2^60: at 10^19, where hashes run out, it is an upper " +
		"bound with twice the tolerance. Sparse forms may stay under it to 4 m keys. raw must fail " +
		"below 5 m, classic about its switch at 2.5 m; ertl-published is 1.08/m too high. At 10^19 keys half of all 64-bit hashes are taken: " +
		"registers near their greatest value can no longer tell, and raw, classic and every estimator that is a formula of " +
		"sum 2^-M read 6 % too little, which the 32-bit form of 2007 mended by a correction of its own; Ertl's estimators and maximum " +
		"likelihood know the greatest value.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, c := range travellers() {
			for _, n := range c.grid(s) {
				cells = append(cells, farCell(c, c.precision(), n))
			}
			for _, n := range engine.Pick(s, nil, nil,
				[]uint64{1, 10, 100, 1000, 4096, 10000, 20000, 1e5, 1e6, 1e9, 1e12, 1e15, 1e18, 1e19}) {
				if !c.course.path || n <= 1e6 {
					cells = append(cells, farCell(c, 12, n))
				}
			}
		}
		return cells
	},
}

// precision is that of most cells. The way to 10^19 keys costs thirty times what a
// jump does.
func (c traveller) precision() int {
	if c.course.path {
		return 6
	}
	return 8
}

// grid are the numbers of keys. Those of smoke see one estimator hold and one fail.
func (c traveller) grid(s engine.Scale) []uint64 {
	var smoke []uint64
	few := []uint64{2, 3, 10, 100, 300, 700, 2000, 1e6, 1e12, 1e18, 1e19}
	many := []uint64{5, 20, 30, 50, 200, 500, 1000, 5000, 1e4, 1e5, 1e7, 1e8, 1e10, 1e11, 1e13, 1e14, 1e15, 1e16, 1e17, 2e18, 5e18}
	switch {
	case c.course.path:
		few = []uint64{2, 10, 100, 1000, 1e4, 1e6, 1e19}
		many = []uint64{3, 30, 300, 1e5, 1e8, 1e10, 1e12, 1e14, 1e16, 1e18}
	case c.course.address > 0: // an address has two bits more
		few = []uint64{10, 100, 700, 1e6, 1e19}
		many = append(many, 300, 2000, 1e12, 1e18)
	case c.course.sparse: // of interest while they are
		few = slices.DeleteFunc(few, func(n uint64) bool { return n > 5000 && n < 1e18 })
		many = append(many, 1e6, 1e12)
	}
	if first := []uint64{1, 1e9}; c.subject.Name == "hll" && (c.estimator == ownEstimator || c.estimator == hll.Raw.String()) {
		smoke = first
	} else {
		few = append(first, few...)
	}
	if c.course.address > 0 { // a collision among so few is too rare to tell its mean
		rare := func(n uint64) bool { return n == 2 || n == 3 || n == 5 }
		few, many = slices.DeleteFunc(few, rare), slices.DeleteFunc(many, rare)
	}
	if c.course.address > 0 && c.course.path { // the dearest way
		few = slices.DeleteFunc(few, func(n uint64) bool { return n == 1e9 })
		many = append(many, 1e9)
	}
	return engine.Pick(s, smoke, few, many)
}

// meanSquare is m times the mean square of estimate/n - 1: the spread squared, in
// units that are those of no precision. A trial is a group of streams, so that
// this is a mean over trials.
const meanSquare = "mean-square*m"

// farGroup is the number of streams of a trial: one stream is less work than to
// tell of it.
const farGroup = 16

// farCell measures bias and mean square at n keys.
func farCell(c traveller, p int, n uint64) engine.Cell {
	m := uint64(1) << p
	biases := lawsOf(c.subject, sketchproof.MetricBias)
	bound := n < 20 || n > lawsEnd || c.course.sparse && n < 4*m
	squares := []*cardinalityLaw{squared(c.spreadAt(), m, n, bound)}
	if c.atN != nil && n >= 1000*m && n <= lawsEnd { // where the law of many keys is as good as the law at n
		squares = append(squares, squared(c.spreadLaws()[0], m, n, false))
	}
	var metrics []engine.Metric
	for _, l := range slices.Concat(biases, squares) {
		metrics = append(metrics, l.metric)
	}
	return engine.Cell{
		Labels:  record.L("subject", c.subject.Name, "estimator", c.estimator, "p", p, "n", n),
		Module:  adapters.At(c.subject.Module),
		Metrics: metrics, Trials: 4096, Cost: c.course.cost(p, n),
		Run: func(t *engine.T) error {
			spec := sketchproof.CardinalitySpec{Precision: p, Seed: parts(t.Seed, 1)}
			const partsOf, squarePartsOf = 1e9, 1e6
			var s sketchproof.Cardinality
			var sum, square int64
			for i := range farGroup {
				var err error
				if s, err = c.subject.Build(spec); err != nil {
					return err
				}
				c.course.run(p, parts(t.Seed, 2+i), n, s.(sketchproof.HashCardinality).AddHash)
				x := c.read(s)/float64(n) - 1
				sum += int64(math.Round(x * partsOf))
				square += int64(math.Round(x * x * float64(m) * squarePartsOf))
			}
			keys := int(min(n, math.MaxInt))
			for _, l := range biases {
				l.read(t, s, spec, keys, sum, farGroup*partsOf)
			}
			for _, l := range squares {
				l.read(t, s, spec, keys, square, farGroup*squarePartsOf)
			}
			return nil
		},
	}
}

// lawsEnd is the number of keys up to which laws at n are derived: they leave out
// that hashes have 64 bits.
const lawsEnd = 1 << 60

// squared is a law of the spread of m registers as one of the mean square. An
// upper bound is that of many keys, with twice the tolerance where laws end. What
// it predicts below is for few keys, of which those that come to registers of
// their own are told exactly: the variance has a factor 1 - 1/n, which laws at n
// leave out.
func squared(l *cardinalityLaw, m, n uint64, bound bool) *cardinalityLaw {
	metric := l.metric
	metric.Name, metric.Method = meanSquare, stats.Mean
	return &cardinalityLaw{metric: metric, predict: func(s sketchproof.Cardinality, spec sketchproof.CardinalitySpec, _ int) stats.Band {
		b := l.predict(s, spec, int(min(n, lawsEnd, math.MaxInt)))
		if bound {
			many := l.predict(s, spec, int(min(1e6*m, math.MaxInt)))
			b = stats.Between(b.Predicted*math.Sqrt(1-1/float64(n)), math.Inf(-1), many.Hi)
			if n > lawsEnd {
				b.Hi += many.Hi - many.Predicted
			}
		}
		scale := func(x float64) float64 { return float64(m) * x * math.Abs(x) }
		return stats.Between(scale(b.Predicted), scale(b.Lo), scale(b.Hi))
	}}
}
