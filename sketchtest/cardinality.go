package sketchtest

import (
	"fmt"
	"math"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

type counterSubject = sketchproof.Subject[sketchproof.Cardinality, sketchproof.CardinalitySpec]

// Cardinality holds a distinct count to what all of its kind promise. build makes
// an empty sketch.
func Cardinality(t testing.TB, build func(sketchproof.CardinalitySpec) (sketchproof.Cardinality, error), o CardinalityOptions) {
	t.Helper()
	run(t, "cardinality", o, CardinalityCases(o.subject(build), o.effort()))
}

// CardinalityCases are the cases of a distinct count.
func CardinalityCases(s counterSubject, e Effort) []Case {
	var cases []Case
	for _, check := range cardinalityChecks {
		cases = append(cases, check(s, e)...)
	}
	return cases
}

// cardinalityChecks are the general checks of a distinct count. None knows an
// implementation.
var cardinalityChecks = []func(s counterSubject, e Effort) []Case{
	cardinalityEmpty,
	cardinalityFew,
	cardinalityErrors,
	cardinalitySwitch,
	cardinalityShapes,
	cardinalitySet,
	cardinalityAsked,
	func(s counterSubject, e Effort) []Case { return cardinalityProbe(s).alike() },
}

const (
	// biasRoom is the bias that is no defect, in standard errors of 2^p registers: it
	// adds 3 % to the root mean square error.
	biasRoom = 0.25
	// spreadRoom is how much more than its law a root mean square error may be. It is
	// no defect yet, and few trials tell.
	spreadRoom = 0.25
	// errorTrials tell a bias to a seventh of a standard error, and a spread to an eighth.
	errorTrials = 2048
)

// registerError is the relative standard error of 2^p registers: Flajolet, Fusy,
// Gandouet, Meunier 2007.
func registerError(p int) float64 { return 1.04 / math.Sqrt(math.Ldexp(1, p)) }

// leastPrecision is the least that is asked for: of fewer than 16 registers the laws
// of estimates say little.
const leastPrecision = 4

// coarsest and finest are the precisions that Build allows, up to one of 2^18
// registers, which takes no more than megabytes.
func coarsest(s counterSubject) int { return firstPrecision(s, 0, 1) }
func finest(s counterSubject) int   { return firstPrecision(s, 18, -1) }

func firstPrecision(s counterSubject, from, step int) int {
	for p := from; p >= 0 && p <= 18; p += step {
		if _, err := s.Build(sketchproof.CardinalitySpec{Precision: p}); err == nil {
			return p
		}
	}
	return from
}

// A counting is a number of keys that is given to a fresh sketch.
type counting struct {
	s    counterSubject
	p, n int
}

// build is an empty sketch of a trial.
func (c counting) build(k keys) (sketchproof.Cardinality, error) {
	return c.s.Build(sketchproof.CardinalitySpec{Precision: c.p, Seed: k.seed()})
}

// relative is the relative error of an estimate as a reading.
func relative(estimate float64, n int, band stats.Band) (Reading, error) {
	if math.IsNaN(estimate) || math.IsInf(estimate, 0) || estimate < 0 {
		return Reading{}, fmt.Errorf("the estimate of %d keys is %v", n, estimate)
	}
	return observed(estimate/float64(n)-1, band), nil
}

// law is the band of a metric at n keys: the subject's law with room, or what 2^p
// registers give. It reports false where the law says nothing.
func (c counting) law(metric string) (name, source string, band stats.Band, ok bool) {
	name, source = "registers", "the standard error of as many registers as were asked for: Flajolet, Fusy, Gandouet, Meunier 2007"
	predicted := 0.0
	if metric == sketchproof.MetricSpread {
		predicted = registerError(c.p)
	}
	if l, stated := c.s.LawFor(metric); stated {
		built, err := c.build(0)
		if err != nil {
			return name, source, band, false
		}
		name, source, predicted = l.Name, l.Source, l.Predict(built, sketchproof.CardinalitySpec{Precision: c.p}, c.n).Predicted
	}
	if metric == sketchproof.MetricSpread {
		// An estimate may be a whole number.
		return name, source, stats.AtMost(math.Hypot(predicted*(1+spreadRoom), 0.5/float64(c.n))), !math.IsNaN(predicted)
	}
	room := biasRoom*registerError(c.p) + 0.5/float64(c.n)
	return name, source, stats.Between(predicted, predicted-room, predicted+room), !math.IsNaN(predicted)
}

// judged is a case of the relative error of the estimate that fill leaves.
// words are about the keys.
func (c counting) judged(metric string, labels record.Labels, words string, fill func(s sketchproof.Cardinality, k keys, n int) int) []Case {
	name, source, band, ok := c.law(metric)
	if !ok {
		return nil
	}
	method, within := stats.Mean, "within a quarter of a standard error"
	if metric == sketchproof.MetricSpread {
		method, within = stats.Spread, "at most a quarter more"
	}
	return []Case{{
		Labels: labels, Of: sketchproof.Accuracy, Metric: metric, Method: method, Law: name, Source: source + "; " + within,
		Trials: errorTrials, Operations: c.n + 10,
		Run: func(seed uint64) (Reading, error) {
			k := keys(part(seed, 0))
			s, err := c.build(k)
			if err != nil {
				return Reading{}, err
			}
			n := fill(s, k, c.n)
			estimate := s.Estimate()
			r, err := relative(estimate, n, band)
			if off := math.Abs(estimate/float64(n) - 1); off > 8*registerError(c.p)+0.5/float64(n) {
				r.Input = fmt.Sprintf("precision %d, %d keys, %s, of the trial's seed: the estimate is %.6g", c.p, n, words, estimate)
			}
			return r, err
		},
	}}
}

// randomKeys gives a sketch n random keys.
func randomKeys(s sketchproof.Cardinality, k keys, n int) int {
	for i := range n {
		s.Add(k.at(i))
	}
	return n
}

// cardinalityEmpty: without keys the estimate is none.
func cardinalityEmpty(s counterSubject, _ Effort) []Case {
	return []Case{invariant(sketchproof.Accuracy, "wrong/empty", "empty", "no keys are 0 distinct keys", 40, record.L("check", "empty"), func(k keys, f *finding) error {
		for _, p := range []int{max(coarsest(s), leastPrecision), 8, finest(s)} {
			c, err := counting{s, p, 0}.build(k)
			if err != nil {
				return err
			}
			f.asked++
			if e := c.Estimate(); !(math.Abs(e) < 0.5) {
				f.fail("precision %d, no keys: the estimate is %v", p, e)
			}
		}
		return f.also(func(f *finding) error {
			const p = 8
			for _, end := range endKeys() {
				c, err := counting{s, p, 1}.build(k)
				if err != nil {
					return err
				}
				c.Add(end.number)
				if e := c.Estimate(); !(math.Abs(e-1) < 0.5+registerError(p)) {
					f.fail("precision %d, key %v alone: the estimate is %v", p, end, e)
				}
			}
			return nil
		})
	})}
}

// cardinalityFew: 1, 2 and 3 keys are counted, but for those that fall together.
func cardinalityFew(s counterSubject, _ Effort) []Case {
	const p, most = 8, 3
	// Of 3 keys in 2^8 registers two fall together with a chance of 1.2 %, of 2 with
	// 0.4 %: in the mean over 1, 2 and 3 keys that is a tenth of this.
	band := stats.AtMost(0.05)
	return []Case{{
		Labels: record.L("check", "few", "p", p), Of: sketchproof.Accuracy, Metric: "off-by-half/estimate", Method: stats.Share,
		Law: "few", Source: "the birthday problem: keys of different registers are told apart", Trials: errorTrials, Operations: 20,
		Run: func(seed uint64) (Reading, error) {
			k := keys(part(seed, 0))
			c, err := counting{s, p, most}.build(k)
			if err != nil {
				return Reading{}, err
			}
			r := Reading{Den: most, Band: band}
			for i := range most {
				c.Add(k.at(i))
				if estimate := c.Estimate(); !(math.Abs(estimate-float64(i+1)) < 0.5+registerError(p)) {
					r.Num++
					r.Input = fmt.Sprintf("precision %d, keys %#x: the estimate is %.6g", p, []uint64(k.slice(0, i+1)), estimate)
				}
			}
			return r, nil
		},
	}}
}

// cardinalityErrors: bias and spread over a grid of keys a register, which is
// finest where sketches go from one estimator to another.
func cardinalityErrors(s counterSubject, e Effort) []Case {
	var cases []Case
	at := func(check string, p, n int) {
		metric := sketchproof.MetricBias
		if check == "spread" {
			metric = sketchproof.MetricSpread
		}
		cases = append(cases, counting{s, p, n}.judged(metric, record.L("check", check, "p", p, "n", n), randomShape.words, randomKeys)...)
	}
	const p = 6
	for _, perRegister := range pick(e, []float64{0.5, 2.5, 5, 20}, []float64{1, 1.5, 2, 3, 4, 8}, []float64{0.125, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.5, 4.5, 6, 12}) {
		at("bias", p, int(perRegister*(1<<p)))
	}
	for _, perRegister := range pick(e, []float64{2.5, 20}, []float64{0.5, 5}, []float64{1, 3, 40}) {
		at("spread", p, int(perRegister*(1<<p)))
	}
	for _, perRegister := range pick(e, nil, []float64{2.5, 5}, []float64{1, 3, 20}) {
		at("bias", 10, int(perRegister*(1<<10)))
	}
	// The ends of what Build allows.
	low, high := max(coarsest(s), leastPrecision), finest(s)
	if low != p && low < high {
		for _, perRegister := range pick(e, []float64{3, 20}, []float64{1, 2, 5}, []float64{0.5, 2.5, 4, 8}) {
			at("bias", low, max(1, int(perRegister*math.Ldexp(1, low))))
		}
		for _, n := range pick(e, nil, []int{1000}, []int{100, 10000}) {
			at("bias", high, n)
		}
	}
	return cases
}

// cardinalitySwitch: an estimate is asked for right where the memory grows, which
// is where a sparse form gives way to another. Who never grows is asked at 3 keys a
// register.
func cardinalitySwitch(s counterSubject, e Effort) []Case {
	var cases []Case
	for _, p := range pick(e, []int{7}, []int{10}, nil) {
		for _, growth := range pick(e, []int{1}, []int{2, 3}, nil) {
			toGrowth := func(c sketchproof.Cardinality, k keys, most int) int {
				size, left := c.SizeBytes(), growth
				for i := range most {
					c.Add(k.at(i))
					if now := c.SizeBytes(); now != size {
						size = now
						if left--; left == 0 {
							return i + 1
						}
					}
				}
				return most
			}
			cases = append(cases, counting{s, p, 3 << p}.judged(sketchproof.MetricBias, record.L("check", "growth", "p", p, "growth", growth), "random, to where the memory grows", toGrowth)...)
		}
	}
	return cases
}

// cardinalityShapes: keys that are alike are as many as others.
func cardinalityShapes(s counterSubject, e Effort) []Case {
	const p, n = 8, 500
	_, bytes := any(counterProbing(s)).(sketchproof.BytesCardinality)
	var cases []Case
	for _, shape := range sketchShapes(e, bytes) {
		cases = append(cases, counting{s, p, n}.judged(sketchproof.MetricSpread, record.L("check", "shape", "shape", shape.name, "n", n), shape.words, func(c sketchproof.Cardinality, k keys, n int) int {
			for i := range n {
				if key := shape.key(uint64(k), k.somewhere()+i); key.isText {
					c.(sketchproof.BytesCardinality).AddBytes(key.text)
				} else {
					c.Add(key.number)
				}
			}
			return n
		})...)
	}
	return cases
}

// counterProbing is a sketch to see what it can do, nil where none is built.
func counterProbing(s counterSubject) (c sketchproof.Cardinality) {
	defer func() {
		if recover() != nil {
			c = nil
		}
	}()
	c, err := s.Build(sketchproof.CardinalitySpec{Precision: 8})
	if err != nil {
		return nil
	}
	return c
}

// cardinalitySet: what was added before changes nothing; and where a sketch can be
// merged, so that it knows nothing but a set, the order changes nothing.
func cardinalitySet(s counterSubject, e Effort) []Case {
	var cases []Case
	sizes := pick(e, []int{1, 3, 60, 3000}, []int{200, 10000}, nil)
	const p = 10
	labels := record.L("check", "duplicates")
	cases = append(cases, invariant(sketchproof.Accuracy, "changed/estimate", "set", "a key that is there already is no other key", 40000, labels, func(k keys, f *finding) error {
		for _, n := range sizes {
			c, err := counting{s, p, n}.build(k)
			if err != nil {
				return err
			}
			randomKeys(c, k, n)
			before := c.Estimate()
			for i := n - 1; i >= 0; i-- {
				c.Add(k.at(i))
			}
			f.asked++
			if after := c.Estimate(); after != before && !sameSet(p, before, after) {
				f.fail("precision %d, %d random keys, then the same again: the estimate goes from %.6g to %.6g", p, n, before, after)
			}
		}
		return nil
	}))
	if s.Merge == nil {
		return cases
	}
	return append(cases, invariant(sketchproof.Accuracy, "changed/estimate", "order", "a sketch that can be merged stands for a set", 40000, record.L("check", "order"), func(k keys, f *finding) error {
		for _, n := range sizes {
			forth, err := counting{s, p, n}.build(k)
			if err != nil {
				return err
			}
			back, err := counting{s, p, n}.build(k)
			if err != nil {
				return err
			}
			randomKeys(forth, k, n)
			for i := n - 1; i >= 0; i-- {
				back.Add(k.at(i))
			}
			f.asked++
			if a, b := forth.Estimate(), back.Estimate(); !sameSet(p, a, b) {
				f.fail("precision %d, %d random keys: the estimate is %.6g, and %.6g in the opposite order", p, n, a, b)
			}
		}
		return nil
	}))
}

// sameSet reports whether two estimates may be of one set: a sketch may leave a
// sparse form at another moment, and two forms of a set differ by less than the
// standard error of the coarser.
func sameSet(p int, a, b float64) bool {
	return math.Abs(a-b) <= registerError(p)*math.Max(a, b)
}

// cardinalityAsked: whoever asks after every key is told the same in the end.
func cardinalityAsked(s counterSubject, e Effort) []Case {
	const p = 8
	n := pick(e, []int{800}, []int{3000}, nil)
	return []Case{invariant(sketchproof.Isolation, "changed/estimate", "no-trace", "to ask changes nothing", 4000, record.L("check", "asked-after-every-add"), func(k keys, f *finding) error {
		for _, n := range n {
			asked, err := counting{s, p, n}.build(k)
			if err != nil {
				return err
			}
			silent, err := counting{s, p, n}.build(k)
			if err != nil {
				return err
			}
			for i := range n {
				asked.Add(k.at(i))
				silent.Add(k.at(i))
				f.asked++
				// Far out: eight standard errors are beyond chance at every number of keys.
				if e := asked.Estimate(); !(math.Abs(e/float64(i+1)-1) <= 8*registerError(p)+1/float64(i+1)) {
					f.fail("precision %d, asked after every key: the estimate of %d random keys is %.6g", p, i+1, e)
				}
			}
			f.asked++
			if a, b := asked.Estimate(), silent.Estimate(); !sameSet(p, a, b) {
				f.fail("precision %d, %d random keys: the estimate is %.6g, and %.6g when it was asked for after every key", p, n, b, a)
			}
		}
		return nil
	})}
}
