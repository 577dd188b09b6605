package experiments

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/reservoir"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What is in a sample.
var (
	itemIn = engine.Metric{
		Name: "sampled/item", Method: stats.Rate,
		Law: "reservoir.inclusion", Source: "Vitter 1985: k/i",
	}
	pairIn = engine.Metric{
		Name: "sampled/pair", Method: stats.Rate,
		Law: "reservoir.pairs", Source: "Vitter 1985: k(k-1)/(i(i-1)), every set is equally likely",
	}
	wrongSample = engine.Metric{
		Name: "wrong/sample", Method: stats.Invariant,
		Law: "reservoir.size", Source: "definition: min(i, k) different items of those that were shown",
	}
)

// The relative differences in a probability that would matter to nobody: of an item,
// and of a pair, which is there more rarely.
const (
	inclusionTolerance = 0.05
	pairTolerance      = 0.1
)

var reservoirUniform = engine.Experiment{
	Name:     "reservoir/uniform",
	Question: "Is every item in the sample with the same probability, at every prefix of the stream, and every pair?",
	Claims: []engine.Claim{
		{
			Text: "after i items each is in the sample with probability k/i", Source: "Probabilistic Structures",
			Metric: itemIn.Name, Law: itemIn.Law,
		},
		{
			Text: "and each pair with probability k(k-1)/(i(i-1)): all sets of k are equally likely", Source: "Vitter 1985",
			Metric: pairIn.Name, Law: pairIn.Law,
		},
		{
			Text:   "a stream shorter than k is kept as it is, an empty one gives nothing, and k = 0 keeps nothing",
			Source: "Probabilistic Structures, exercise",
			Metric: wrongSample.Name, Law: wrongSample.Law,
		},
	},
	Method: "A trial samples a stream many times over. Of the first i items, the share of samples is counted that hold a given one: " +
		"item=first, the last of the first k, the one after, the middle, and the last one shown; and the pair of this one and the first. " +
		"Algorithm R, algorithm L, the weighted sample with all weights 1, and two samples of the halves of a stream merged (merged=true). " +
		"Edge cells (i < k, i = 0, k = 0) look at the samples alone.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Samplers {
			for _, c := range engine.Pick(s,
				[]uniformCase{{k: 0, prefix: 20}, {k: 5, prefix: 0}, {k: 5, prefix: 4}},
				[]uniformCase{
					{k: 5, prefix: 6, item: 5},
					{k: 5, prefix: 20, item: 0},
					{k: 5, prefix: 20, item: 5},
					{k: 5, prefix: 20, item: 19},
					{k: 10, prefix: 40, item: 25},
					{k: 5, prefix: 20, item: 13, merged: true},
				},
				[]uniformCase{
					{k: 5, prefix: 6, item: 0},
					{k: 5, prefix: 20, item: 4},
					{k: 5, prefix: 20, item: 10},
					{k: 20, prefix: 100, item: 50},
					{k: 20, prefix: 100, item: 99},
					{k: 5, prefix: 20, item: 3, merged: true},
					{k: 1, prefix: 20, item: 0},
					{k: 20, prefix: 1000, item: 0},
					{k: 20, prefix: 1000, item: 500},
					{k: 20, prefix: 1000, item: 999},
				}) {
				if c.merged && subject.Merge == nil {
					continue
				}
				cells = append(cells, uniformCell(subject, c))
			}
		}
		return cells
	},
}

// A uniformCase is an item of the first so many, of which k are sampled.
type uniformCase struct {
	k, prefix, item int
	merged          bool
}

// edge reports whether there is no probability to tell.
func (c uniformCase) edge() bool { return c.k == 0 || c.prefix <= c.k }

func uniformCell(subject adapters.Sampler, c uniformCase) engine.Cell {
	metrics := []engine.Metric{wrongSample}
	samples := groupOf(c.prefix + 10)
	if c.edge() {
		samples = 10
	}
	if !c.edge() {
		metrics = append(metrics, itemIn)
		if c.k > 1 {
			metrics = append(metrics, pairIn)
		}
	}
	price := cost(subject.Module, 2*samples*(c.prefix+10), 0)
	trials := 32
	if !c.edge() {
		trials = planned(price)
	}
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "k", c.k, "i", c.prefix, "item", c.item, "merged", c.merged),
		Module: adapters.At(subject.Module), Metrics: metrics, Trials: trials, Cost: price,
		Run: func(t *engine.T) error {
			var in, pairs, wrong int64
			for n := range samples {
				sample, err := c.sample(subject, parts(t.Seed, n))
				if err != nil {
					return err
				}
				item, first, ok := c.look(sample)
				in += one(item)
				pairs += one(item && first)
				wrong += one(!ok)
			}
			t.Read(wrongSample, wrong, int64(samples), never)
			if c.edge() {
				return nil
			}
			t.Read(itemIn, in, int64(samples), stats.Within(reservoir.Inclusion(uint64(c.k), uint64(c.prefix)), inclusionTolerance))
			if c.k > 1 {
				pair := reservoir.PairInclusion(uint64(c.k), uint64(c.prefix))
				t.Read(pairIn, pairs, int64(samples), stats.Within(pair, pairTolerance))
			}
			return nil
		},
	}
}

// sample shows the items 0 to prefix-1, or each half to a sampler of its own.
func (c uniformCase) sample(subject adapters.Sampler, seed uint64) ([]uint64, error) {
	whole, err := subject.Build(sketchproof.SamplerSpec{K: c.k, Seed: seed})
	if err != nil {
		return nil, err
	}
	if !c.merged {
		for i := range uint64(c.prefix) {
			whole.Add(i)
		}
		return whole.Sample(), nil
	}
	rest, err := subject.Build(sketchproof.SamplerSpec{K: c.k, Seed: parts(seed, 1)})
	if err != nil {
		return nil, err
	}
	for i := range uint64(c.prefix) {
		if i < uint64(c.prefix)/2 {
			whole.Add(i)
		} else {
			rest.Add(i)
		}
	}
	err = subject.Merge(whole, rest)
	return whole.Sample(), err
}

// look reports whether a sample holds the item and its partner, the first item or
// for the first the second, and whether it is a sample of the prefix.
func (c uniformCase) look(sample []uint64) (item, partner, ok bool) {
	other := uint64(0)
	if c.item == 0 {
		other = 1
	}
	ok = len(sample) == min(c.k, c.prefix)
	for i, x := range sample {
		item = item || x == uint64(c.item)
		partner = partner || x == other
		ok = ok && x < uint64(c.prefix)
		for _, y := range sample[:i] {
			ok = ok && x != y
		}
	}
	return item, partner, ok
}
