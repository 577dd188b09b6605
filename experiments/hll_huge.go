package experiments

import (
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/experiments/events"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// meanSquare is m times the mean square of estimate/n - 1: the spread squared, in
// units that are those of no precision. A trial is a group of streams, so that
// this is a mean over trials.
const meanSquare = "mean-square*m"

// squareAtN is the mean square under the law for n keys.
var squareAtN = engine.Metric{Name: meanSquare, Method: stats.Mean, Law: spreadAtN.Law, Source: spreadAtN.Source}

// A course is how a subject is taken to numbers of keys that nobody inserts.
type course struct {
	stream func(p int, seed uint64) *events.Stream
	// address is the number of bits of an address beyond p.
	address int
	// below is what a jump must tell; see events.Stream.Jump.
	below int
	// path is whether estimates depend on the order of keys: no jumps then.
	path bool
	// sparse is whether few keys are held in a form that notices more than
	// registers do: they are inserted, and errors may be smaller than the law's.
	sparse bool
	atN    *lawAtN
}

// A lawAtN is the spread of m registers' estimates at n keys.
type lawAtN struct {
	metric engine.Metric
	spread func(m, n float64) float64
}

var hllAtN = &lawAtN{squareAtN, hll.ErtlSpread}

// courses are those of the subjects that take hashes and cut them in the way of
// streams.
var courses = map[string]course{
	"hll":         {stream: events.Records, atN: hllAtN},
	"axiomhq-hll": {stream: events.Records, sparse: true, atN: hllAtN},
}

// farReaders are all estimators of all subjects that have a course.
func farReaders() []counter {
	var all []counter
	for _, c := range counters() {
		if _, ok := courses[c.subject.Name]; ok {
			all = append(all, c)
		}
	}
	for _, e := range []hll.Estimator{hll.ErtlPublished, hll.Raw, hll.Classic} {
		all = append(all, native(e))
	}
	return all
}

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
			Text:   "the standard error is 1.04/sqrt(m), its square 1.079/m, up to 10^19 keys",
			Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: meanSquare, Law: "hll.error",
		},
		{
			Text:   "with few keys a register the error is smaller, by a law that holds at every n",
			Source: "derived from Ertl 2017, equation 22",
			Metric: squareAtN.Name, Law: squareAtN.Law,
		},
	},
	Method: "Keys are not inserted, but for the first 20 m: a stream draws those alone that a sketch would notice, with the number of keys " +
		"between them, which is exact (package experiments/events); sketches that do not look at the path get their last state without the " +
		"way there. A trial is 16 streams. Bias is the mean of estimate/n - 1, mean-square*m that of its square, times the number of " +
		"registers, with bands as wide as those of bias and spread in hll/error. The law at n is judged on both sides from 20 keys on, " +
		"and as an upper bound below, where errors come as single collisions; sparse forms may stay under it to 4 m keys.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, c := range farReaders() {
			for _, n := range engine.Pick(s,
				[]uint64{1, 1e9, 1e19},
				[]uint64{2, 3, 10, 30, 100, 300, 700, 2000, 5000, 1e6, 1e12, 1e15, 1e18},
				[]uint64{5, 20, 50, 200, 500, 1000, 1e4, 1e5, 1e7, 1e8, 1e10, 1e11, 1e13, 1e14, 1e16, 1e17, 2e18, 5e18}) {
				cells = append(cells, farCell(c, 8, n))
			}
			for _, n := range engine.Pick(s, nil, nil,
				[]uint64{1, 10, 100, 1000, 4096, 10000, 20000, 1e5, 1e6, 1e9, 1e12, 1e15, 1e18, 1e19}) {
				cells = append(cells, farCell(c, 12, n))
			}
		}
		return cells
	},
}

// farGroup is the number of streams of a trial: one stream is less work than to
// tell of it.
const farGroup = 16

// farCell measures bias and mean square at n keys.
func farCell(c counter, p int, n uint64) engine.Cell {
	course := courses[c.subject.Name]
	m := uint64(1) << p
	biases := lawsOf(c.subject, sketchproof.MetricBias)
	var squares []*cardinalityLaw
	if n >= 1000*m { // where the law of many keys is as good as the law at n
		for _, l := range lawsOf(c.subject, sketchproof.MetricSpread) {
			squares = append(squares, squared(l, m))
		}
	}
	if course.atN != nil {
		squares = append(squares, course.atN.judged(p, n, course.sparse && n < 4*m))
	}
	var metrics []engine.Metric
	for _, l := range slices.Concat(biases, squares) {
		metrics = append(metrics, l.metric)
	}
	return engine.Cell{
		Labels:  record.L("subject", c.subject.Name, "estimator", c.estimator, "p", p, "n", n),
		Module:  adapters.At(c.subject.Module),
		Metrics: metrics, Trials: 4096, Cost: course.cost(p, n),
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
				course.run(p, parts(t.Seed, 2+i), n, s.(sketchproof.HashCardinality).AddHash)
				x := c.read(s)/float64(n) - 1
				sum += int64(math.Round(x * partsOf))
				square += int64(math.Round(x * x * float64(m) * squarePartsOf))
			}
			for _, l := range biases {
				l.read(t, s, spec, int(min(n, math.MaxInt)), sum, farGroup*partsOf)
			}
			for _, l := range squares {
				l.read(t, s, spec, int(min(n, math.MaxInt)), square, farGroup*squarePartsOf)
			}
			return nil
		},
	}
}

// squared is a law of the spread as one of the mean square.
func squared(l *cardinalityLaw, m uint64) *cardinalityLaw {
	metric := l.metric
	metric.Name, metric.Method = meanSquare, stats.Mean
	return &cardinalityLaw{metric: metric, predict: func(s sketchproof.Cardinality, spec sketchproof.CardinalitySpec, n int) stats.Band {
		return squaredBand(l.predict(s, spec, n), float64(m))
	}}
}

func squaredBand(b stats.Band, m float64) stats.Band {
	return stats.Between(m*b.Predicted*b.Predicted, m*b.Lo*b.Lo, m*b.Hi*b.Hi)
}

// judged is the law as a cell judges it, with the spread of many keys as the
// upper bound where it is one-sided. Few keys that all come to registers of their
// own are told exactly: the variance has a factor 1 - 1/n, which the law at n
// leaves out.
func (l *lawAtN) judged(p int, n uint64, oneSided bool) *cardinalityLaw {
	m, tolerance := math.Exp2(float64(p)), stats.SpreadTolerance(p)
	return &cardinalityLaw{metric: l.metric, predict: func(sketchproof.Cardinality, sketchproof.CardinalitySpec, int) stats.Band {
		law := l.spread(m, float64(n))
		if n < 20 || oneSided {
			band := squaredBand(stats.Between(law*math.Sqrt(1-1/float64(n)), 0, l.spread(m, 1e6*m)*(1+tolerance)), m)
			band.Lo = math.Inf(-1)
			return band
		}
		return squaredBand(stats.Within(law, tolerance), m)
	}}
}

// run gives add hashes that take a sketch to the state it has after n keys.
func (c course) run(p int, seed, n uint64, add func(hash uint64)) {
	m := uint64(1) << p
	s := c.stream(p+c.address, seed)
	switch {
	case c.path:
		s.To(n, add)
	case c.sparse || n < 1000*m:
		s.Insert(min(n, 20*m), add)
		s.Jump(n, c.below, add)
	default:
		s.Jump(n, c.below, add)
	}
}

// cost is the price of a trial: what is told to its sketches.
func (c course) cost(p int, n uint64) engine.Cost {
	m, keys, addresses := math.Exp2(float64(p)), float64(n), math.Exp2(float64(p+c.address))
	seconds := 5e-6
	if c.path {
		seconds += 60e-9 * min(keys, addresses*(2+max(0, math.Log2(keys/addresses))))
	} else {
		seconds += 40e-9*min(keys, addresses) + 7e-9*min(keys, 20*m)
	}
	return engine.Cost{Seconds: farGroup * seconds, Bytes: 16 << (p + c.address)}
}
