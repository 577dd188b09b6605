package experiments

import (
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/data"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
)

// realRate is the rate that filters of real keys are built for.
const realRate = 0.01

// kmerSample says how many of the genome's k-mers a trial takes: one in step,
// and one in added of these goes into the filter. All others are looked up.
type kmerSample struct{ step, added int }

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
	Method: "The keys are the 4 848 261 distinct 31-mers of a genome, packed in 62 bits. A trial builds a filter for 1 % from a random part of " +
		"them and looks all others up, so the truth is known exactly. Keys of a small sample are one in 48 at random, a tenth of them added. " +
		"A library without a seed hashes the same genome in every trial; the random part is what differs.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Filters {
			for _, p := range engine.Pick(s, []kmerSample{{48, 10}}, []kmerSample{{1, 2}}, nil) {
				cells = append(cells, kmersCell(subject, p))
			}
		}
		return cells
	},
}

func kmersCell(subject adapters.Filter, p kmerSample) engine.Cell {
	const genome = 4848261 // the distinct k-mers; to count them is too slow for a plan
	keys := genome / p.step
	n := keys / p.added
	price := cost(subject.Module, keys+n, 8*keys)
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "keys", keys, "added", fmt.Sprintf("1-in-%d", p.added), "eps", realRate),
		Module:  adapters.At(subject.Module),
		Metrics: append([]engine.Metric{falseNegatives}, ratesOf(subject)...),
		Trials:  kmerTrials(subject, p),
		Cost:    price,
		Run: func(t *engine.T) error {
			present, absent := split(sparse(data.DistinctKMers(), p.step, parts(t.Seed, 0)), p.added, parts(t.Seed, 2))
			spec := sketchproof.FilterSpec{Keys: present, Epsilon: realRate, Seed: parts(t.Seed, 1)}
			f, err := subject.Build(spec)
			if err != nil {
				return err
			}
			readFilter(t, subject, f, spec, present, absent)
			return nil
		},
	}
}

// kmerTrials is the least number that decides. A trial on the whole genome sees
// 24 000 wrong answers, so the first look does. A trial on a sample sees 900, of
// which 128 trials make enough. What is exact needs no look at all.
func kmerTrials(subject adapters.Filter, p kmerSample) int {
	switch {
	case isExact(subject):
		return 2
	case p.step == 1:
		return 32
	default:
		return 256
	}
}

// readFilter looks up all keys of a filter and all absent ones.
func readFilter(t *engine.T, subject adapters.Filter, f sketchproof.Filter, spec sketchproof.FilterSpec, present, absent []uint64) {
	t.Read(falseNegatives, int64(len(present))-foundAmong(f, present), int64(len(present)), never)
	readRates(t, subject, f, spec, len(present), foundAmong(f, absent), int64(len(absent)))
}

// foundAmong counts the keys that the filter finds.
func foundAmong(f sketchproof.Filter, keys []uint64) int64 {
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
		if hashing.Reduce(hashing.Mix(seed+uint64(i+1)*hashing.Gamma), uint64(share)) == 0 {
			present = append(present, k)
		} else {
			absent = append(absent, k)
		}
	}
	return present, absent
}
