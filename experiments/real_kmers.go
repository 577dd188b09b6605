package experiments

import (
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/data"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// realRate is the rate that filters of real keys are built for.
const realRate = 0.01

// kmerSample says how many of the genome's k-mers a trial takes: one in step,
// and one in added of these goes into the filter. All others are looked up.
// Trials are what is planned: at the first look that decides, fewer are made.
type kmerSample struct{ step, added, trials int }

var realKMers = engine.Experiment{
	Name:     "real/kmers",
	Question: "Do the laws hold on millions of real keys?",
	Claims: []engine.Claim{
		{
			Text:   "an added key is always found",
			Source: "all five documents",
			Metric: falseNegatives.Name, Law: falseNegatives.Law,
		},
		{
			Text:   "the formulas assume fair hashes: real ones come close",
			Source: "Probabilistic Structures: Bloom Filters, Count-Min, HyperLogLog, Sampling and Consistent Hashing",
			Metric: sketchproof.MetricFPR,
		},
	},
	Method: "The keys are the 4 848 261 distinct 31-mers of a genome, packed in 62 bits. A trial takes all of them, or one in 8 or in 48 at random, " +
		"builds a filter for 1 % from a random part and looks all others up, so the truth is known exactly. " +
		"A library without a seed hashes the same genome in every trial; the random part is what differs. " +
		"All k-mers at once are judged for losses; their rate is shown, and judged at the scale full.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Filters {
			ours := ourKind(subject)
			small, large, whole := []kmerSample{{48, 10, 256}}, []kmerSample{{8, 2, 128}}, []kmerSample{{1, 2, 128}}
			var samples []kmerSample
			switch {
			case ours:
				samples = engine.Pick(s, small, large, whole)
			case subject.Module != "": // libraries cost more: a scale later
				samples = engine.Pick(s, nil, small, slices.Concat(large, whole))
			}
			for _, p := range samples {
				cells = append(cells, kmersCell(subject, p))
			}
			if s >= engine.CI {
				cells = append(cells, genomeCell(subject))
			}
		}
		return cells
	},
}

// ourKind reports whether a subject is one of our own that stand for the others
// on real keys: one of each way to use a hash, and the exact sets. The rates of all
// others are judged on synthetic keys.
func ourKind(subject adapters.Filter) bool {
	kinds := []string{"bloom", "splitblock", "cuckoo", "fuse3-8"}
	return isExact(subject) || slices.Contains(kinds, subject.Name)
}

// genome is the number of distinct k-mers; to count them is too slow for a plan.
const genome = 4848261

func kmersCell(subject adapters.Filter, p kmerSample) engine.Cell {
	keys := genome / p.step
	trials := p.trials
	if isExact(subject) {
		trials = 2 // nothing there is a matter of chance
	}
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "keys", keys, "added", fmt.Sprintf("1-in-%d", p.added), "eps", realRate),
		Module:  adapters.At(subject.Module),
		Metrics: append([]engine.Metric{falseNegatives}, ratesOf(subject)...),
		Trials:  trials,
		Cost:    cost(subject.Module, keys+2*keys/p.added, 8*keys),
		Run: func(t *engine.T) error {
			k, err := newKMerTrial(t, subject, p)
			if err == nil {
				readRates(t, subject, k.f, k.spec, len(k.spec.Keys), k.found(), int64(len(k.absent)))
			}
			return err
		},
	}
}

// unjudgedRate is a rate that few trials show and nothing judges.
var unjudgedRate = engine.Metric{Name: sketchproof.MetricFPR, Method: stats.Rate}

// genomeCell puts half of all k-mers through a filter.
func genomeCell(subject adapters.Filter) engine.Cell {
	p := kmerSample{1, 2, 2}
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "keys", "all", "added", "1-in-2", "eps", realRate),
		Module:  adapters.At(subject.Module),
		Metrics: []engine.Metric{falseNegatives, unjudgedRate},
		Trials:  p.trials,
		Cost:    cost(subject.Module, 2*genome, 8*genome),
		Run: func(t *engine.T) error {
			k, err := newKMerTrial(t, subject, p)
			if err == nil {
				t.Read(unjudgedRate, k.found(), int64(len(k.absent)), stats.Band{})
			}
			return err
		},
	}
}

// A kmerTrial is a filter of k-mers, and those it was not given.
type kmerTrial struct {
	f      sketchproof.Filter
	spec   sketchproof.FilterSpec
	absent []uint64
}

// newKMerTrial builds the filter and reads how many of its keys it lost.
func newKMerTrial(t *engine.T, subject adapters.Filter, p kmerSample) (k kmerTrial, err error) {
	k.spec = sketchproof.FilterSpec{Epsilon: realRate, Seed: parts(t.Seed, 1)}
	k.spec.Keys, k.absent = split(sparse(data.DistinctKMers(), p.step, parts(t.Seed, 0)), p.added, parts(t.Seed, 2))
	if k.f, err = subject.Build(k.spec); err != nil {
		return k, err
	}
	present := int64(len(k.spec.Keys))
	t.Read(falseNegatives, present-foundAmong(k.f, k.spec.Keys), present, never)
	return k, nil
}

// found counts the absent keys that the filter finds.
func (k kmerTrial) found() int64 { return foundAmong(k.f, k.absent) }

// foundAmong counts the keys that the filter finds.
func foundAmong(f sketchproof.Filter, keys []uint64) int64 {
	if b, ok := f.(sketchproof.BatchFilter); ok {
		return int64(b.CountBatch(keys))
	}
	var found int64
	for _, k := range keys {
		if f.Contains(k) {
			found++
		}
	}
	return found
}

// sparse takes one key in step on average, by random gaps: keys that differ stay
// different, and no key is looked at that is not taken.
func sparse(keys []uint64, step int, seed uint64) []uint64 {
	if step == 1 {
		return keys
	}
	taken := make([]uint64, 0, len(keys)/step+len(keys)/step/8)
	for i, draw := -1, seed; ; {
		draw += hashing.Gamma
		i += 1 + int(hashing.Reduce(hashing.Mix(draw), uint64(2*step-1)))
		if i >= len(keys) {
			return taken
		}
		taken = append(taken, keys[i])
	}
}

// split puts one key in share among the present at random, the others among the
// absent.
func split[K any](keys []K, share int, seed uint64) (present, absent []K) {
	present = make([]K, 0, len(keys)/share+len(keys)/32+8)
	absent = make([]K, 0, len(keys)-len(keys)/share+len(keys)/32+8)
	for i, k := range keys {
		if drawn(seed, i, share) {
			present = append(present, k)
		} else {
			absent = append(absent, k)
		}
	}
	return present, absent
}

// drawn is true for one i in share at random.
func drawn(seed uint64, i, share int) bool {
	return hashing.Reduce(keys(seed).at(i), uint64(share)) == 0
}
