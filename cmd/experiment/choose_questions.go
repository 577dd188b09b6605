package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/topk"
)

// A quest is a question for something else than a filter.
type quest struct {
	use, short, example, kind string
	required                  string // a flag
	flags                     func(cmd *cobra.Command, f *chooseFlags)
	candidates                func(w choose.Workload) ([]choose.Candidate, error)
}

// otherQuestions are the commands below choose.
func otherQuestions() (all []*cobra.Command) {
	for _, q := range []quest{distinctQuest(), frequencyQuest(), heavyQuest(), sampleQuest(), placementQuest(), similarityQuest()} {
		all = append(all, q.command())
	}
	return all
}

func (q quest) command() *cobra.Command {
	f := &chooseFlags{workload: choose.Workload{Kind: q.kind}}
	cmd := &cobra.Command{Use: q.use, Short: q.short, Example: q.example, Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		if err := f.read(cmd); err != nil {
			return err
		}
		if flag := cmd.Flags().Lookup(q.required); !flag.Changed {
			return usagef("--%s is missing: %s", q.required, flag.Usage)
		}
		f.workload.Keys = max(f.workload.Keys, 1)
		candidates, err := q.candidates(f.workload)
		if err != nil {
			return &engine.UsageError{Err: err}
		}
		market, err := f.market(cmd)
		if err != nil {
			return err
		}
		market.Candidates = candidates
		answer, err := market.Choose(f.workload)
		if err != nil {
			return chosen(err)
		}
		return f.tell(cmd.OutOrStdout(), reply{Answer: answer, Machine: market.Clock.Machine})
	}}
	f.common(cmd)
	q.flags(cmd, f)
	return cmd
}

// errorFlag is the most that may be wrong, required.
func errorFlag(cmd *cobra.Command, f *chooseFlags, name, says string) {
	cmd.Flags().Var(valueOf(&f.workload.Rate, errorShare, "SHARE"), name, says)
}

func errorShare(s string) (float64, error) {
	x, err := choose.ParseShare(s)
	if err == nil && !(x > 0 && x < 1) {
		err = fmt.Errorf("an error of %s; it is above 0 and below 1, as 1%% or 1/100", s)
	}
	return x, err
}

func confidenceShare(s string) (float64, error) {
	x, err := choose.ParseShare(s)
	if err == nil && !(x > 0 && x < 1) {
		err = fmt.Errorf("a confidence of %s; it is above 0 and below 1, as 99.9%%", s)
	}
	return x, err
}

func countFlag(cmd *cobra.Command, to *int, name, says string) {
	cmd.Flags().Var(valueOf(to, choose.ParseCount, "N"), name, says)
}

func distinctQuest() quest {
	return quest{
		"cardinality", "Choose a count of distinct keys", "  experiment choose cardinality --error 1% --max 1e9 --merge", choose.KindCardinality, "error",
		func(cmd *cobra.Command, f *chooseFlags) {
			errorFlag(cmd, f, "error", "standard error of the estimate, as a `SHARE` of the truth: 1%")
			f.workload.Keys = 1_000_000_000
			countFlag(cmd, &f.workload.Keys, "max", "most distinct keys, `N`, by default 1e9")
		},
		func(w choose.Workload) (all []choose.Candidate, err error) {
			for _, s := range adapters.Cardinalities {
				for p := 4; p <= 18; p++ {
					c, ok := distinctCandidate(s, p, w)
					if !ok {
						continue
					}
					all = append(all, c)
					if c.Rate <= w.Rate {
						break // larger ones are no better
					}
				}
			}
			return all, nil
		},
	}
}

// counted is how many keys a sketch takes to show its size.
const counted = 1 << 17

// distinctCandidate builds one of a precision. What grows with its keys is scaled
// to all of them.
func distinctCandidate(s adapters.Cardinality, precision int, w choose.Workload) (choose.Candidate, bool) {
	spec := sketchproof.CardinalitySpec{Precision: precision, Seed: 1}
	sketch, err := s.Build(spec)
	if err != nil {
		return choose.Candidate{}, false
	}
	c := choose.Candidate{
		Subject: s.Name, Module: adapters.At(s.Module), Parameters: fmt.Sprintf("precision %d", precision),
		Asked: float64(precision), Keys: w.Keys, Built: w.Keys,
		Powers: choose.Powers{Add: true, Merge: s.Merge != nil, Serialize: s.Encode != nil && s.Decode != nil},
	}
	if law, ok := s.LawFor(sketchproof.MetricSpread); ok {
		band := law.Predict(sketch, spec, w.Keys)
		c.Rate, c.RateLo, c.RateHi, c.Law = band.Predicted, math.Max(band.Lo, 0), band.Hi, law.Name
	}
	if c.Rate > w.Rate || math.IsNaN(c.Rate) {
		return c, !math.IsNaN(c.Rate)
	}
	n, half := min(w.Keys, counted), 0
	for i := range n {
		if i == n/2 {
			half = sketch.SizeBytes()
		}
		sketch.Add(hashing.Mix(uint64(i+1) * hashing.Gamma))
	}
	c.Bytes = int64(sketch.SizeBytes())
	if c.Rate == 0 && c.Bytes > int64(half) { // it keeps them all, whatever the precision
		c.Parameters = "every key"
	}
	if n < w.Keys && c.Bytes > int64(half)*3/2 {
		c.Bytes = int64(float64(c.Bytes) * float64(w.Keys) / float64(n))
	}
	return c, true
}

func frequencyQuest() quest {
	var confidence float64
	return quest{
		"frequency", "Choose a count of how often each key came", "  experiment choose frequency --overcount 0.01% --confidence 99.9%", choose.KindFrequency, "overcount",
		func(cmd *cobra.Command, f *chooseFlags) {
			errorFlag(cmd, f, "overcount", "most that a count may be over, as a `SHARE` of the stream: 0.01%")
			confidence = 0.99
			cmd.Flags().Var(valueOf(&confidence, confidenceShare, "SHARE"), "confidence", "`SHARE` of keys of which that holds, by default 99%")
			countFlag(cmd, &f.workload.Keys, "keys", "`N` distinct keys, for what keeps them all")
		},
		func(w choose.Workload) (all []choose.Candidate, err error) {
			width, depth, err := countmin.Size(w.Rate, 1-confidence)
			if err != nil {
				return nil, err
			}
			for _, s := range adapters.Frequencies {
				f, err := s.Build(sketchproof.FrequencySpec{Width: width, Depth: depth, Seed: 1})
				if err != nil {
					continue
				}
				c := choose.Candidate{
					Subject: s.Name, Module: adapters.At(s.Module), Parameters: fmt.Sprintf("%d rows of %d", depth, width), Asked: 0,
					Keys: w.Keys, Built: w.Keys, Bytes: int64(f.SizeBytes()), Rate: countmin.Epsilon(width), RateHi: countmin.Epsilon(width), Law: "cms.bound",
					Powers: choose.Powers{Add: true, Merge: s.Merge != nil, Serialize: s.Encode != nil && s.Decode != nil},
				}
				if keepsAll(c.Bytes, func(key uint64) int { f.Add(key, 1); return f.SizeBytes() }) {
					if w.Keys == 1 {
						continue // nobody said how many it would keep
					}
					c.Rate, c.RateHi, c.Law, c.Parameters = 0, 0, "", "every key"
					c.Bytes = grownTo(w.Keys, func(key uint64) int { f.Add(key, 1); return f.SizeBytes() })
				}
				all = append(all, c)
			}
			return all, nil
		},
	}
}

// keepsAll reports whether a structure grows with its keys.
func keepsAll(empty int64, add func(key uint64) int) bool {
	size := 0
	for i := range 4096 {
		size = add(hashing.Mix(uint64(i+1) * hashing.Gamma))
	}
	return int64(size) > empty+4096
}

// grownTo is the size that such a structure has with so many keys.
func grownTo(keys int, add func(key uint64) int) int64 {
	n, size := min(keys, counted), 0
	for i := range n {
		size = add(hashing.Mix(uint64(i+1) * hashing.Gamma))
	}
	return int64(float64(size) * float64(keys) / float64(n))
}

// heavyErrors are what bounds an estimate of k counters, as a share of the
// stream; a structure that is not named has no such law, or never errs.
var heavyErrors = map[string]func(k int) float64{
	"space-saving": func(k int) float64 { return topk.SpaceSavingError(1, k) },
	"misra-gries":  func(k int) float64 { return topk.MisraGriesError(1, 0, k) },
	// Its table has two columns a counter; the bound holds for each key with a chance
	// of 1 - e^-4.
	"countmin-heap": func(k int) float64 { return countmin.Epsilon(2 * k) },
}

func heavyQuest() quest {
	var k int
	return quest{
		"topk", "Choose what keeps the heaviest keys of a stream", "  experiment choose topk --k 100 --error 0.1%", choose.KindTopK, "error",
		func(cmd *cobra.Command, f *chooseFlags) {
			errorFlag(cmd, f, "error", "most that a weight may be off, as a `SHARE` of the stream: 0.1%")
			k = 10
			countFlag(cmd, &k, "k", "`N` keys to know, by default 10")
		},
		func(w choose.Workload) (all []choose.Candidate, err error) {
			for _, s := range adapters.TopKs {
				law, ok := heavyErrors[s.Name]
				if !ok {
					continue
				}
				counters := k
				for law(counters) > w.Rate {
					counters += (counters + 99) / 100
				}
				t, err := s.Build(sketchproof.TopKSpec{K: counters, Seed: 1})
				if err != nil {
					return nil, err
				}
				for i := range 2 * min(counters, counted) {
					t.Add(hashing.Mix(uint64(i+1)*hashing.Gamma), 1)
				}
				all = append(all, choose.Candidate{
					Subject: s.Name, Module: adapters.At(s.Module), Parameters: fmt.Sprintf("%d counters", counters), Asked: float64(counters),
					Keys: counters, Built: counters, Bytes: int64(t.SizeBytes()), Rate: law(counters), RateHi: law(counters), Law: "bound",
					Powers: choose.Powers{Add: true, Merge: s.Merge != nil, Serialize: s.Encode != nil && s.Decode != nil},
				})
			}
			return all, nil
		},
	}
}
