package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/experiments/events"
	"github.com/sketchproof/sketchproof/impl/ell"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/stats"
)

// A traveller is an estimator of a subject that can be taken to numbers of keys
// that nobody inserts.
type traveller struct {
	counter
	course course
	atN    *lawAtN // nil where the catalogue's law of the spread is one at n
}

// A lawAtN is the relative standard error of m registers at n keys.
type lawAtN struct {
	name, source string
	err          func(m, n float64) float64
}

// spreadAt is the law of the spread at n.
func (c traveller) spreadAt() *cardinalityLaw {
	if c.atN == nil {
		return c.spreadLaws()[0]
	}
	return &cardinalityLaw{
		metric: engine.Metric{Law: c.atN.name, Source: c.atN.source},
		predict: func(_ sketchproof.Cardinality, spec sketchproof.CardinalitySpec, n int) stats.Band {
			return stats.Within(c.atN.err(math.Exp2(float64(spec.Precision)), float64(n)), stats.SpreadTolerance(spec.Precision))
		},
	}
}

// A course is how a subject gets there.
type course struct {
	stream func(p int, seed uint64) *events.Stream
	// address is the number of bits of an address beyond p.
	address int
	// cut turns a hash of the stream into one of the subject, if they differ.
	cut func(p int, hash uint64) uint64
	// below is what a jump must tell; see events.Stream.Jump.
	below int
	// path is whether estimates depend on the order of keys: no jumps then.
	path bool
	// sparse is whether few keys are held in a form that notices more than
	// registers do: they are inserted, and errors may be smaller than the law's.
	sparse bool
}

// courses are those of the subjects that take hashes, and the laws at n of what
// they read by Estimate.
var courses = map[string]struct {
	course
	atN *lawAtN
}{
	"hll":            {course{stream: events.Records}, hllAtN},
	"hll-sparse":     {course{stream: events.Records, sparse: true}, hllAtN},
	"hll-martingale": {course{stream: events.Records, path: true}, hllMartingaleAtN},
	"axiomhq-hll":    {course{stream: events.Records, sparse: true}, hllAtN},
	"ull":            {course{stream: events.Firsts, below: 2}, nil},
	"ull-martingale": {course{stream: events.Firsts, path: true}, nil},
	"ell":            {course{stream: events.Firsts, address: ellT, cut: ellCut, below: ellD >> ellT}, nil},
	"ell-martingale": {course{stream: events.Firsts, address: ellT, cut: ellCut, path: true}, nil},
}

// The standard geometry of ExaLogLog, of ell.Standard.
const ellT, ellD = 2, 20

// ellCut moves the bits that follow the register to the end, where ExaLogLog
// looks for them.
func ellCut(p int, hash uint64) uint64 {
	rest := hash << p >> p
	return hash - rest + rest<<(p+ellT)>>p + rest>>(64-p-ellT)
}

// Laws at n. HyperLogLog is ExaLogLog with t = d = 0.
var (
	hllAtN           = &lawAtN{spreadAtN.Law, spreadAtN.Source, hll.ErtlSpread}
	hllLikelihoodAtN = &lawAtN{
		"hll.likelihood-at-n", "derived from Ertl 2017, section 5",
		func(m, n float64) float64 { return ell.MLError(0, 0, m, n) },
	}
	hllMartingaleAtN = &lawAtN{
		"hll.martingale-at-n", "derived from Cohen 2015",
		func(m, n float64) float64 { return ell.MartingaleError(0, 0, m, n) },
	}
)

// travellers are all estimators of all subjects that have a course.
func travellers() []traveller {
	var all []traveller
	for _, s := range adapters.Cardinalities {
		c, ok := courses[s.Name]
		if !ok {
			continue
		}
		all = append(all, traveller{counter{s, ownEstimator, sketchproof.Cardinality.Estimate}, c.course, c.atN})
		if s.Name != "hll" {
			continue
		}
		for _, e := range hll.Estimators() {
			law := c.atN
			if e == hll.MaximumLikelihood {
				law = hllLikelihoodAtN
			}
			if e != hll.Ertl { // which is Estimate
				all = append(all, traveller{native(e), c.course, law})
			}
		}
	}
	return all
}

// run gives add hashes that take a sketch to the state it has after n keys.
func (c course) run(p int, seed, n uint64, add func(hash uint64)) {
	m := uint64(1) << p
	s := c.stream(p+c.address, seed)
	if c.cut != nil {
		plain := add
		add = func(hash uint64) { plain(c.cut(p, hash)) }
	}
	if c.path {
		s.To(n, add)
		return
	}
	switch {
	case n < 1000*m:
		s.Insert(min(n, 20*m), add)
	case c.sparse:
		s.Insert(4*m, add) // dense by then
	}
	s.Jump(n, c.below, add)
}

// cost is the price of a trial: what is told to its sketches.
func (c course) cost(p int, n uint64) engine.Cost {
	m, keys, addresses := math.Exp2(float64(p)), float64(n), math.Exp2(float64(p+c.address))
	seconds := 5e-6
	if c.path {
		seconds += 60e-9 * min(keys, addresses*(2+max(0, math.Log2(keys/addresses))))
	} else {
		seconds += 25e-9 * float64(1+c.below) * min(keys, addresses)
		if keys < 1000*m || c.sparse {
			seconds += 10e-9 * min(keys, 20*m)
		}
	}
	return engine.Cost{Seconds: farGroup * seconds, Bytes: 16 << (p + c.address)}
}
