package experiments

import (
	"bytes"
	"math/rand/v2"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What must be the same whatever way the keys took. Bytes are our own promise: a
// library may say that its encoding depends on history.
var (
	otherEstimate = engine.Metric{
		Name: "other-estimates/sketch", Method: stats.Invariant,
		Law: "hll.same-estimate", Source: "Flajolet et al. 2007: registers are maxima over a set",
	}
	otherBytes = engine.Metric{
		Name: "other-bytes/sketch", Method: stats.Invariant,
		Law: "hll.same-bytes", Source: "Flajolet et al. 2007: registers are maxima over a set",
	}
	changedSource = engine.Metric{
		Name: "changed-sources/merge", Method: stats.Invariant,
		Law: "hll.merge-source", Source: "a merge reads its source",
	}
)

// sameClaims are what the experiments on sameness judge.
func sameClaims(text, source string) []engine.Claim {
	return []engine.Claim{
		{Text: text, Source: source, Metric: otherEstimate.Name, Law: otherEstimate.Law},
		{Text: text + ", to the byte", Source: source, Metric: otherBytes.Name, Law: otherBytes.Law},
	}
}

var hllMerge = engine.Experiment{
	Name:     "hll/merge",
	Question: "Is a merge exactly the sketch of the union?",
	Claims: append(sameClaims("the element-wise maximum of registers is the sketch of the union",
		"Bloom Filters & Probabilistic Data Structures; Probabilistic Structures; Bloom Filters and HyperLogLog in Practice"),
		engine.Claim{
			Text: "a merge leaves its source as it was", Source: "the contract of every structure here",
			Metric: changedSource.Name, Law: changedSource.Law,
		}),
	Method: "Keys are dealt to 1 to 8 sketches at random, one in four to two of them; these are merged in random order and compared with one " +
		"sketch that saw all keys. Encoded bytes are compared for our own forms; axiomhq says that its encoding is not canonical.",
	Plan: func(s engine.Scale) []engine.Cell {
		return sameCells(s, func(subject adapters.Cardinality, p, n int) engine.Cell {
			return sameCell(subject, p, n, mergeTrial, changedSource)
		}, func(s adapters.Cardinality) bool { return s.Merge != nil && s.Encode != nil })
	},
}

var hllDuplicates = engine.Experiment{
	Name:     "hll/duplicates",
	Question: "Do repeats change anything?",
	Claims:   sameClaims("repeats change nothing", "Probabilistic Structures"),
	Method:   "One sketch sees every key once, another one to five times with the repeats strewn among later keys.",
	Plan: func(s engine.Scale) []engine.Cell {
		return sameCells(s, func(subject adapters.Cardinality, p, n int) engine.Cell {
			return sameCell(subject, p, n, repeatTrial)
		}, func(adapters.Cardinality) bool { return true })
	},
}

var hllOrder = engine.Experiment{
	Name:     "hll/order",
	Question: "Does the order of insertion change anything?",
	Claims:   sameClaims("the order of keys changes nothing", "Flajolet et al. 2007"),
	Method: "Two sketches see the same keys, one in order and one shuffled. Martingales are left out: they say that the order is in them, and " +
		"hence cannot be merged.",
	Plan: func(s engine.Scale) []engine.Cell {
		return sameCells(s, func(subject adapters.Cardinality, p, n int) engine.Cell {
			return sameCell(subject, p, n, orderTrial)
		}, func(s adapters.Cardinality) bool { return s.Merge != nil || s.Encode == nil })
	},
}

// sameCells are the cells of an experiment on sameness: from nearly empty
// sketches, which a library may hold in another form, to full ones.
func sameCells(s engine.Scale, cell func(subject adapters.Cardinality, p, n int) engine.Cell, fits func(adapters.Cardinality) bool) []engine.Cell {
	var cells []engine.Cell
	for _, subject := range adapters.Cardinalities {
		if !fits(subject) {
			continue
		}
		for _, at := range engine.Pick(s,
			[][2]int{{10, 100}, {10, 10000}},
			[][2]int{{4, 10}, {4, 1000}, {10, 1000}, {14, 1000}, {14, 100000}},
			[][2]int{{18, 1000000}}) {
			cells = append(cells, cell(subject, at[0], at[1]))
		}
	}
	return cells
}

// A sameTrial fills two sketches that must come out the same. With build it
// makes empty sketches of one seed.
type sameTrial func(t *engine.T, subject adapters.Cardinality, keys keys, n int, build func() (sketchproof.Cardinality, error)) (a, b sketchproof.Cardinality, err error)

func sameCell(subject adapters.Cardinality, p, n int, trial sameTrial, more ...engine.Metric) engine.Cell {
	metrics := append([]engine.Metric{otherEstimate}, more...)
	canonical := subject.Module == "" && subject.Encode != nil
	if canonical {
		metrics = append(metrics, otherBytes)
	}
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "p", p, "n", n), Module: adapters.At(subject.Module), Metrics: metrics,
		Trials: 32, // each with other keys and another history; one counterexample is enough
		Cost:   cost(subject.Module, 6*n, 9<<p),
		Run: func(t *engine.T) error {
			seed := parts(t.Seed, 1)
			build := func() (sketchproof.Cardinality, error) {
				return subject.Build(sketchproof.CardinalitySpec{Precision: p, Seed: seed})
			}
			a, b, err := trial(t, subject, keys(parts(t.Seed, 0)), n, build)
			if err != nil {
				return err
			}
			if canonical {
				same, err := sameEncoding(subject, a, b)
				if err != nil {
					return err
				}
				t.Read(otherBytes, one(!same), 1, never)
			}
			t.Read(otherEstimate, one(a.Estimate() != b.Estimate()), 1, never)
			return nil
		},
	}
}

func sameEncoding(subject adapters.Cardinality, a, b sketchproof.Cardinality) (bool, error) {
	x, err := subject.Encode(a)
	if err != nil {
		return false, err
	}
	y, err := subject.Encode(b)
	return bytes.Equal(x, y), err
}

// one counts a yes.
func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

func mergeTrial(t *engine.T, subject adapters.Cardinality, keys keys, n int, build func() (sketchproof.Cardinality, error)) (whole, merged sketchproof.Cardinality, err error) {
	r := rand.New(rand.NewPCG(parts(t.Seed, 2), 0))
	shards := make([]sketchproof.Cardinality, 1+r.IntN(8))
	for i := range shards {
		if shards[i], err = build(); err != nil {
			return nil, nil, err
		}
	}
	if whole, err = build(); err != nil {
		return nil, nil, err
	}
	if merged, err = build(); err != nil {
		return nil, nil, err
	}
	for i := range n {
		whole.Add(keys.at(i))
		shards[r.IntN(len(shards))].Add(keys.at(i))
		if r.IntN(4) == 0 {
			shards[r.IntN(len(shards))].Add(keys.at(i))
		}
	}
	var changed int64
	for _, i := range r.Perm(len(shards)) {
		before, err := subject.Encode(shards[i])
		if err != nil {
			return nil, nil, err
		}
		if err := subject.Merge(merged, shards[i]); err != nil {
			return nil, nil, err
		}
		after, err := subject.Encode(shards[i])
		if err != nil {
			return nil, nil, err
		}
		changed += one(!bytes.Equal(before, after))
	}
	t.Read(changedSource, changed, int64(len(shards)), never)
	return whole, merged, nil
}

func repeatTrial(t *engine.T, _ adapters.Cardinality, keys keys, n int, build func() (sketchproof.Cardinality, error)) (once, often sketchproof.Cardinality, err error) {
	if once, err = build(); err != nil {
		return nil, nil, err
	}
	if often, err = build(); err != nil {
		return nil, nil, err
	}
	r := rand.New(rand.NewPCG(parts(t.Seed, 2), 0))
	for i := range n {
		once.Add(keys.at(i))
		often.Add(keys.at(i))
		for range r.IntN(5) {
			often.Add(keys.at(r.IntN(i + 1)))
		}
	}
	return once, often, nil
}

func orderTrial(t *engine.T, _ adapters.Cardinality, keys keys, n int, build func() (sketchproof.Cardinality, error)) (inOrder, shuffled sketchproof.Cardinality, err error) {
	if inOrder, err = build(); err != nil {
		return nil, nil, err
	}
	if shuffled, err = build(); err != nil {
		return nil, nil, err
	}
	for i := range n {
		inOrder.Add(keys.at(i))
	}
	for _, i := range rand.New(rand.NewPCG(parts(t.Seed, 2), 0)).Perm(n) {
		shuffled.Add(keys.at(i))
	}
	return inOrder, shuffled, nil
}
