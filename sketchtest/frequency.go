package sketchtest

import (
	"fmt"
	"math"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

type frequencySubject = sketchproof.Subject[sketchproof.Frequency, sketchproof.FrequencySpec]

// Frequency holds a frequency sketch to what all of its kind promise: those of a
// count-min sketch of the specified rows and columns. build makes an empty one. A
// sketch whose counts may lie below the truth says so by a law about
// [sketchproof.MetricUnder].
func Frequency(t testing.TB, build func(sketchproof.FrequencySpec) (sketchproof.Frequency, error), o FrequencyOptions) {
	t.Helper()
	run(t, "frequency", o, FrequencyCases(o.subject(build), o.effort()))
}

// FrequencyCases are the cases of a frequency sketch.
func FrequencyCases(s frequencySubject, e Effort) []Case {
	var cases []Case
	for _, check := range frequencyChecks {
		cases = append(cases, check(s, e)...)
	}
	return cases
}

// frequencyChecks are the general checks of a frequency sketch. None knows an
// implementation.
var frequencyChecks = []func(s frequencySubject, e Effort) []Case{
	frequencyUnder,
	frequencyWeights,
	frequencyLinear,
	frequencyExcess,
	frequencyBound,
	frequencyRows,
	func(s frequencySubject, e Effort) []Case { return frequencyProbe(s).alike() },
}

// A table is the geometry of a sketch.
type table struct{ width, depth int }

func (t table) String() string { return fmt.Sprintf("%d by %d counters", t.width, t.depth) }

func (t table) build(s frequencySubject, k keys) (sketchproof.Frequency, error) {
	return s.Build(sketchproof.FrequencySpec{Width: t.width, Depth: t.depth, Seed: k.seed()})
}

// A stream is what a sketch was given: the weight of key number i of a stream of
// keys, and all weights together.
type stream struct {
	weights []uint64
	total   uint64
}

// feedSkewed gives n keys a weight of about n/rank each, a third at a time, so that
// keys come again among others.
func feedSkewed(f sketchproof.Frequency, k keys, n int) stream {
	s := stream{weights: make([]uint64, n)}
	for range 3 {
		for i := range n {
			weight := uint64(n/(i+1)/3 + 1)
			f.Add(k.at(i), weight)
			s.weights[i] += weight
			s.total += weight
		}
	}
	return s
}

// frequencyUnder: no count is below the truth, nor above all that was added.
func frequencyUnder(s frequencySubject, e Effort) []Case {
	var cases []Case
	law, mayLieBelow := s.LawFor(sketchproof.MetricUnder)
	for _, tab := range pick(e, []table{{55, 5}, {1, 1}}, []table{{7, 2}, {64, 1}, {1024, 3}}, nil) {
		const n = 500
		labels := record.L("check", "never-under", "w", tab.width, "d", tab.depth)
		judge := invariant(sketchproof.Accuracy, sketchproof.MetricUnder, "never-under", "Cormode and Muthukrishnan 2005, Theorem 1: nothing is ever taken off a counter", 5*n, labels,
			func(k keys, f *finding) error {
				for _, n := range []int{1, 2, n} {
					sketch, err := tab.build(s, k)
					if err != nil {
						return err
					}
					fed := feedSkewed(sketch, k, n)
					for i, weight := range fed.weights {
						f.asked++
						if got := sketch.Count(k.at(i)); got < weight {
							f.fail("%v, %d keys of weight 3⌊n/3i⌋+3 each: key number %d weighs %d and counts %d", tab, n, i+1, weight, got)
						}
					}
				}
				return f.also(func(f *finding) error { return endsCounted(f, s, tab, k) })
			})
		if mayLieBelow {
			invariantRun := judge.Run
			judge.Method, judge.Law, judge.Source, judge.Trials = stats.Share, law.Name, law.Source, errorTrials
			judge.Run = func(seed uint64) (Reading, error) {
				r, err := invariantRun(seed)
				sketch, buildErr := tab.build(s, keys(seed))
				if buildErr != nil {
					return r, buildErr
				}
				r.Band = law.Predict(sketch, sketchproof.FrequencySpec{Width: tab.width, Depth: tab.depth}, n)
				return r, err
			}
		}
		cases = append(cases, judge)
		if mayLieBelow {
			continue
		}
		cases = append(cases, invariant(sketchproof.Accuracy, "above-all/key", "never-above-all", "a counter holds no more than was added", 5*n,
			record.L("check", "never-above-all", "w", tab.width, "d", tab.depth), func(k keys, f *finding) error {
				sketch, err := tab.build(s, k)
				if err != nil {
					return err
				}
				fed := feedSkewed(sketch, k, n)
				for i := range 2 * n {
					f.asked++
					if got := sketch.Count(k.at(i)); got > fed.total {
						f.fail("%v, %d in all: key %#x counts %d", tab, fed.total, k.at(i), got)
					}
				}
				return nil
			}))
	}
	return cases
}

// endsCounted asks for each of the keys at the ends of 64 bits, alone in a sketch.
func endsCounted(f *finding, s frequencySubject, tab table, k keys) error {
	const weight = 5
	for _, end := range endKeys() {
		sketch, err := tab.build(s, k)
		if err != nil {
			return err
		}
		sketch.Add(end.number, weight)
		if got := sketch.Count(end.number); got < weight {
			f.fail("%v, key %v alone: it weighs %d and counts %d", tab, end, weight, got)
		}
	}
	return nil
}

// counts are those of the keys number 0 to n-1.
func counts(f sketchproof.Frequency, k keys, n int) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = f.Count(k.at(i))
	}
	return list
}

// frequencyLinear: where sketches can be merged they are sums, so that neither the
// order of what came matters, nor whether a weight came in one piece.
func frequencyLinear(s frequencySubject, _ Effort) []Case {
	if s.Merge == nil {
		return nil
	}
	tab := table{55, 5}
	return []Case{invariant(sketchproof.Accuracy, "changed/count", "linear", "Cormode and Muthukrishnan 2005, section 3: a sketch that can be merged is a sum", 3000, record.L("check", "linear"), func(k keys, f *finding) error {
		const n = 300
		forth, err := tab.build(s, k)
		if err != nil {
			return err
		}
		back, err := tab.build(s, k)
		if err != nil {
			return err
		}
		fed := feedSkewed(forth, k, n)
		for i := n - 1; i >= 0; i-- {
			back.Add(k.at(i), 1)
			back.Add(k.at(i), fed.weights[i]-1)
		}
		b := counts(back, k, 2*n)
		for i, a := range counts(forth, k, 2*n) {
			f.asked++
			if a != b[i] {
				f.fail("%v, %d keys of weight 3⌊n/3i⌋+3: key %#x counts %d, and %d when keys came in the opposite order, each in other pieces", tab, n, k.at(i), a, b[i])
			}
		}
		return nil
	})}
}

// frequencyExcess: in one row, other keys add N/width to a count in the mean,
// whatever keys they are.
func frequencyExcess(s frequencySubject, e Effort) []Case {
	const n = 128
	tab := table{64, 1}
	sketch, err := probed(func() (sketchproof.Frequency, error) { return tab.build(s, 1) })
	if err != nil {
		return nil
	}
	_, bytes := sketch.(sketchproof.BytesFrequency)
	var cases []Case
	for _, shape := range append([]shape{randomShape}, sketchShapes(e, bytes)...) {
		cases = append(cases, Case{
			Labels: record.L("check", "row-mean", "shape", shape.name, "w", tab.width, "n", n), Of: sketchproof.Accuracy,
			Metric: "excess/share", Method: stats.Mean, Law: "row-mean", Trials: errorTrials, Operations: 2 * n,
			Source: "Cormode and Muthukrishnan 2005, Theorem 1: in a row of w counters other keys add N/w in the mean; within a tenth",
			Run: func(seed uint64) (Reading, error) {
				k := keys(part(seed, 0))
				f, err := tab.build(s, k)
				if err != nil {
					return Reading{}, err
				}
				for i := range n {
					if key := shape.key(uint64(k), k.somewhere()+i); key.isText {
						f.(sketchproof.BytesFrequency).AddBytes(key.text, 1)
					} else {
						f.Add(key.number, 1)
					}
				}
				excess := 0.0
				for i := range n {
					if key := shape.key(uint64(k), k.somewhere()+i); key.isText {
						excess += float64(f.(sketchproof.BytesFrequency).CountBytes(key.text)) - 1
					} else {
						excess += float64(f.Count(key.number)) - 1
					}
				}
				mean := excess / n / (float64(n-1) / float64(tab.width))
				r := observed(mean, stats.AtMost(1.1))
				if mean > 2 {
					r.Input = fmt.Sprintf("%v, %d keys: %s, from %v: a count is %.3g too high in the mean, not %.3g", tab, n, shape.words, shape.key(uint64(k), k.somewhere()), excess/n, float64(n-1)/float64(tab.width))
				}
				return r, nil
			},
		})
	}
	return cases
}

// probed builds something while cases are listed, where no panic may pass.
func probed[S any](build func() (S, error)) (s S, err error) {
	err = guard(func() string { return "probing" }, func() error {
		s, err = build()
		return err
	})
	return s, err
}

// frequencyBound: an estimate is over by more than eN/width for at most e^-depth of
// the keys.
func frequencyBound(s frequencySubject, e Effort) []Case {
	var cases []Case
	const n = 400
	for _, tab := range pick(e, []table{{55, 2}}, []table{{64, 3}}, []table{{272, 5}}) {
		delta := math.Exp(-float64(tab.depth))
		cases = append(cases, Case{
			Labels: record.L("check", "bound", "w", tab.width, "d", tab.depth), Of: sketchproof.Accuracy, Metric: "over-bound/key", Method: stats.Share,
			Law: "cms.bound", Source: "Cormode and Muthukrishnan 2005, Theorem 1: at most e^-d of the keys are over by more than eN/w",
			Trials: int(64 / delta), Operations: 4 * n,
			Run: func(seed uint64) (Reading, error) {
				k := keys(part(seed, 0))
				f, err := tab.build(s, k)
				if err != nil {
					return Reading{}, err
				}
				fed := feedSkewed(f, k, n)
				bound := math.E * float64(fed.total) / float64(tab.width)
				r := Reading{Den: n, Band: stats.AtMost(delta)}
				for i, weight := range fed.weights {
					if math.Abs(float64(f.Count(k.at(i)))-float64(weight)) > bound {
						r.Num++
					}
				}
				return r, nil
			},
		})
	}
	return cases
}

// frequencyRows: two keys that share a counter of one row share those of the other
// rows no more often than others.
func frequencyRows(s frequencySubject, e Effort) []Case {
	var cases []Case
	for _, tab := range pick(e, []table{{8, 3}}, []table{{10, 3}, {16, 2}}, nil) {
		const asked = 512
		together := math.Pow(float64(tab.width), -float64(tab.depth))
		cases = append(cases, Case{
			Labels: record.L("check", "rows", "w", tab.width, "d", tab.depth), Of: sketchproof.Accuracy, Metric: "mistaken/pair", Method: stats.Rate,
			Law: "rows-apart", Source: "Cormode and Muthukrishnan 2005: rows are independent, so two keys share all counters with a chance of w^-d; and a quarter",
			Trials: 4096, Operations: asked + 1,
			Run: func(seed uint64) (Reading, error) {
				k := keys(part(seed, 0))
				f, err := tab.build(s, k)
				if err != nil {
					return Reading{}, err
				}
				f.Add(k.at(0), 1)
				r := Reading{Den: asked, Band: stats.Between(together, math.Inf(-1), 1.25*together)}
				for i := 1; i <= asked; i++ {
					if f.Count(k.at(i)) > 0 {
						r.Num++
					}
				}
				if float64(r.Num) > 3*asked*together+8 {
					r.Input = fmt.Sprintf("%v, key %#x alone: of %d random keys %d are taken for it, not %.3g", tab, k.at(0), asked, r.Num, asked*together)
				}
				return r, nil
			},
		})
	}
	return cases
}
