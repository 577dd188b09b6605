package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/impl/minhash"
)

func sampleQuest() quest {
	var size int
	return quest{
		"sample", "Choose a sampler of a stream", "  experiment choose sample --size 1000 --merge", choose.KindSampler, "size",
		func(cmd *cobra.Command, f *chooseFlags) {
			countFlag(cmd, &size, "size", "`N` items in the sample")
			f.workload.By = choose.ByTime
		},
		func(w choose.Workload) (all []choose.Candidate, err error) {
			for _, s := range adapters.Samplers {
				if _, err := s.Build(sketchproof.SamplerSpec{K: size, Seed: 1}); err != nil {
					return nil, err
				}
				all = append(all, choose.Candidate{
					Subject: s.Name, Module: adapters.At(s.Module), Parameters: fmt.Sprintf("%d items", size), Asked: float64(size),
					Keys: size, Built: size, Bytes: 8 * int64(size), Law: "reservoir.inclusion",
					Powers: choose.Powers{Add: true, Merge: s.Merge != nil},
				})
			}
			return all, nil
		},
	}
}

// mostNodes is how many nodes a placement is built of: a ring has a hundred points for
// each.
const mostNodes = 20_000

func placementQuest() quest {
	var nodes int
	return quest{
		"placement", "Choose how keys are placed on nodes", "  experiment choose placement --nodes 50 --keys 1M --spread 10% --delete", choose.KindPlacer, "nodes",
		func(cmd *cobra.Command, f *chooseFlags) {
			countFlag(cmd, &nodes, "nodes", "`N` nodes")
			f.workload.Keys = 1_000_000
			countFlag(cmd, &f.workload.Keys, "keys", "`N` keys to place, by default 1M")
			cmd.Flags().Var(valueOf(&f.workload.Rate, errorShare, "SHARE"), "spread", "standard deviation of a node's load, as a `SHARE` of the mean: 10%")
			f.workload.By = choose.ByTime
		},
		func(w choose.Workload) (all []choose.Candidate, err error) {
			if nodes < 2 {
				return nil, errors.New("one node owns every key: --nodes 2 or more")
			}
			if nodes > mostNodes {
				return nil, fmt.Errorf("%s nodes are more than are built to see their law: --nodes %s or less", choose.Count(nodes), choose.Count(mostNodes))
			}
			spec := sketchproof.PlacerSpec{Seed: 1}
			for i := range nodes {
				spec.Nodes = append(spec.Nodes, fmt.Sprintf("node-%d", i))
			}
			for _, s := range adapters.Placers {
				p, err := s.Build(spec)
				law, ok := s.LawFor(adapters.MetricLoadVariance)
				if err != nil || !ok {
					continue // no law says how it spreads the load
				}
				band := law.Predict(p, spec, w.Keys)
				c := choose.Candidate{
					Subject: s.Name, Module: adapters.At(s.Module), Parameters: fmt.Sprintf("%d nodes", nodes), Asked: float64(nodes),
					Keys: w.Keys, Built: w.Keys, Rate: math.Sqrt(band.Predicted), RateHi: math.Sqrt(band.Hi), Law: law.Name,
					Powers: choose.Powers{Add: true, Serialize: s.Encode != nil && s.Decode != nil},
				}
				if moved, ok := s.LawFor(adapters.MetricMoved); ok {
					c.Parameters += ", " + choose.Share(moved.Predict(p, spec, w.Keys).Predicted) + " of keys move to a newcomer"
				}
				if c.Powers.Serialize {
					data, err := s.Encode(p)
					if err != nil {
						return nil, err
					}
					c.Bytes = int64(len(data))
				}
				c.Powers.Remove = p.Remove(spec.Nodes[0]) == nil
				all = append(all, c)
			}
			return all, nil
		},
	}
}

func similarityQuest() quest {
	return quest{
		"similarity", "Choose signatures of sets, to compare them", "  experiment choose similarity --error 5%", choose.KindSignature, "error",
		func(cmd *cobra.Command, f *chooseFlags) {
			errorFlag(cmd, f, "error", "standard error of the Jaccard similarity, at its worst, as a `SHARE` of 1: 5%")
			f.workload.Keys = 10_000
			countFlag(cmd, &f.workload.Keys, "keys", "`N` keys in the union of two sets, by default 10k")
		},
		func(w choose.Workload) (all []choose.Candidate, err error) {
			var refused error
			for _, e := range adapters.SimilarityEstimates {
				for k := 16; k <= 1<<20; k = k * 5 / 4 {
					if leastSimilarity(w.Keys, k) > w.Rate {
						continue
					}
					rate := worstSimilarity(e, w.Keys, k)
					if rate > w.Rate {
						continue
					}
					s, err := e.Subject.Build(sketchproof.SignatureSpec{K: k, Seed: 1})
					if err != nil {
						refused = err
						break
					}
					all = append(all, choose.Candidate{
						Subject: e.Subject.Name, Module: adapters.At(e.Subject.Module), Parameters: fmt.Sprintf("%d values, estimator %s", k, e.Name), Asked: float64(k),
						Keys: w.Keys, Built: w.Keys, Bytes: int64(s.SizeBytes()), Rate: rate, RateHi: rate, Law: e.Law.Name,
						Powers: choose.Powers{Add: true, Merge: e.Subject.Merge != nil, Serialize: e.Subject.Encode != nil && e.Subject.Decode != nil},
					})
					break
				}
			}
			if len(all) == 0 && refused != nil {
				return nil, fmt.Errorf("an error of %s over sets of %s keys: %w", choose.Share(w.Rate), choose.Count(w.Keys), refused)
			}
			return all, nil
		},
	}
}

// manyValues is the most values that the law of an estimate is asked for: some count
// bin by bin. At as many keys a value, its variance goes with 1/values.
const manyValues = 2048

// crowded is how many keys a value fill every bin: with more, a law changes only as
// fewer values than keys are drawn.
const crowded = 16

// worstSimilarity is the largest standard error over similarities of tenths. None
// is below that of k keys of the union, drawn without replacement.
func worstSimilarity(e adapters.SimilarityEstimate, keys, k int) float64 {
	union, worst := max(keys, 10), leastSimilarity(keys, k)
	worst *= worst
	values := min(k, manyValues)
	scale := float64(values) / float64(k)
	near := max(int(math.Min(float64(union)*scale, float64(crowded*values))), 10)
	for tenth := 1; tenth < 10; tenth++ {
		worst = math.Max(worst, e.Law.Variance(near*tenth/10, near, values)*scale)
	}
	return math.Sqrt(worst)
}

// leastSimilarity is a standard error that no k values get below where the similarity
// is one half.
func leastSimilarity(keys, k int) float64 {
	union := max(keys, 10)
	return math.Sqrt(minhash.BottomKVariance(union/2, union, k))
}
