package experiments

import (
	"errors"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/stats"
)

// What deletion does to the keys that stay.
var (
	churned = engine.Metric{
		Name: sketchproof.MetricFalseNeg, Method: stats.Invariant,
		Law: "cuckoo.delete", Source: "Fan et al. 2014, section 3.3: a deletion of an added key loses no other",
	}
	lostToStrangers = engine.Metric{
		Name: "keys-lost/stranger", Method: stats.Rate,
		Law: "cuckoo.strangers", Source: "derived: keys of one tag and pair of buckets are Poisson, and so are the strangers that meet them",
	}
)

var cuckooDelete = engine.Experiment{
	Name:     "cuckoo/delete",
	Question: "Does deleting a key lose another one?",
	Claims: []engine.Claim{
		{
			Text:   "deletion is supported, and loses no other key",
			Source: "Bloom Filters & Probabilistic Data Structures; Bloom Filter, 7.3; Bloom Filters and HyperLogLog in Practice",
			Metric: churned.Name, Law: churned.Law,
		},
		{
			Text:   "deleting a key that was never added can lose another key, as often as it is a false positive",
			Source: "Fan et al. 2014, section 3.3; derived",
			Metric: lostToStrangers.Name, Law: lostToStrangers.Law,
		},
	},
	Method: "churn: a filter at 90 % load deletes its oldest key and takes a new one, twice as often as it holds keys; a key that cannot be " +
		"deleted or is not found afterwards is a counterexample. strangers: keys never added are deleted, and the keys that are " +
		"then missing are counted. A guard that looks a stranger up first would change nothing: deletion does just that.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, shape := range engine.Pick(s,
			[]cuckooShape{{1 << 12, 4, 8}},
			[]cuckooShape{{1 << 12, 4, 4}, {1 << 12, 4, 16}, {1000, 4, 8}, {1001, 4, 8}, {1 << 11, 8, 8}},
			[]cuckooShape{{1 << 18, 4, 8}, {250001, 4, 16}}) {
			cells = append(cells, churnCell(nativeCuckoo, shape))
		}
		for _, shape := range engine.Pick(s, []cuckooShape{{1 << 12, 4, 8}}, []cuckooShape{{1 << 12, 4, 4}, {1 << 12, 4, 12}}, nil) {
			cells = append(cells, strangerCell(nativeCuckoo, shape))
		}
		own := cuckooShape{1 << 12, 4, 8}
		cells = append(cells, churnCell(seiflotfyCuckoo, own))
		if s >= engine.CI {
			cells = append(cells, strangerCell(seiflotfyCuckoo, own))
		}
		return cells
	},
}

// churnLoad is the share of slots that stay taken.
const churnLoad = 0.9

func churnCell(kind cuckooKind, shape cuckooShape) engine.Cell {
	n := int(churnLoad * float64(shape.slots()))
	const turns = 2 // how often every key is replaced
	return engine.Cell{
		Labels: kind.labels(shape, "keys", "churn"), Module: adapters.At(kind.module), Metrics: []engine.Metric{churned},
		Trials: 32, // a million keys looked up in all; one counterexample is enough
		Cost:   cost(kind.module, (2+3*turns)*n, shape.slots()*shape.f/8),
		Run: func(t *engine.T) error {
			f, err := kind.build(shape, parts(t.Seed, 1))
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			if err := keys.addTo(f, 0, n); err != nil {
				return err
			}
			bad, err := churn(f, keys, n, turns*n)
			if err != nil {
				return err
			}
			t.Read(churned, bad, int64(turns+1)*int64(n), never)
			return nil
		},
	}
}

// patience is how many keys in a row a filter may refuse before it counts as
// stuck: at 90 % load our filters refuse one in many thousands.
const patience = 100

// churn deletes the oldest key and takes a new one, so many times, in a filter
// that holds the keys number 0 to n-1. It returns how many keys could not be
// deleted, or are not found at the end. A key that is refused was never added:
// the next one takes its place. A filter that is stuck because deletions failed
// is judged by those.
func churn(f cuckooTable, keys keys, n, turns int) (bad int64, err error) {
	held := make([]int, n)
	for i := range held {
		held[i] = i
	}
	next := n
	for turn := range turns {
		oldest := &held[turn%n]
		bad += one(f.Remove(keys.at(*oldest)) != nil)
		for tries := 1; ; tries++ {
			*oldest = next
			next++
			err := f.Add(keys.at(*oldest))
			if err == nil {
				break
			}
			if !errors.Is(err, sketchproof.ErrFull) || tries == patience && bad == 0 {
				return bad, err
			}
			if tries == patience {
				return bad, nil
			}
		}
	}
	for _, i := range held {
		bad += one(!f.Contains(keys.at(i)))
	}
	return bad, nil
}

func strangerCell(kind cuckooKind, shape cuckooShape) engine.Cell {
	n := int(churnLoad * float64(shape.slots()))
	price := cost(kind.module, 3*n, shape.slots()*shape.f/8)
	return engine.Cell{
		Labels: kind.labels(shape, "keys", "strangers"), Module: adapters.At(kind.module),
		Metrics: []engine.Metric{lostToStrangers}, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			f, err := kind.build(shape, parts(t.Seed, 1))
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			if err := keys.addTo(f, 0, n); err != nil {
				return err
			}
			for i := range n { // as many strangers as keys
				if err := f.Remove(keys.at(n + i)); err != nil && !errors.Is(err, sketchproof.ErrNotFound) {
					return err
				}
			}
			lost := int64(n) - keys.foundIn(f, 0, n)
			t.Read(lostToStrangers, lost, int64(n), adapters.RateBand(strangerLoss(shape, n, n)))
			return nil
		},
	}
}

// strangerLoss is the expected number of keys lost per stranger, when n keys are
// held and s strangers deleted. A group is a pair of buckets with a tag: there
// are (buckets/2)(2^f-1), each with a Poisson number c of keys and h of
// strangers. Where h >= c, all c are lost; else the tags left still speak for
// all c keys.
func strangerLoss(shape cuckooShape, n, s int) float64 {
	groups := float64(shape.buckets) / 2 * (math.Ldexp(1, shape.f) - 1)
	keys, strangers := float64(n)/groups, float64(s)/groups
	sum := 0.0
	for c := 1; c < 64; c++ {
		sum += float64(c) * poisson(c, keys) * poissonTail(c, strangers)
	}
	return sum / strangers
}

func poisson(i int, mean float64) float64 {
	logFactorial, _ := math.Lgamma(float64(i) + 1)
	return math.Exp(float64(i)*math.Log(mean) - mean - logFactorial)
}

// poissonTail is P(at least i), summed from i up: no cancellation where it is
// small.
func poissonTail(i int, mean float64) float64 {
	sum := 0.0
	for ; i < 128; i++ {
		sum += poisson(i, mean)
	}
	return sum
}
