package experiments

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/sketchtest"
)

// LeaguePrefix begins the names of the experiments that put every subject through
// the same general checks.
const LeaguePrefix = "league/"

// leagueMethod says how the league is played.
const leagueMethod = "Every subject of the kind, ours and the libraries', goes through the general checks of package `sketchtest`, which know none of them: " +
	"what a maintainer's own test runs is run here, a cell for each. The label `property` says what is held to. " +
	"A broken cell names the smallest input that shows it. A property that a library's documentation does not promise is measured all the same, " +
	"and the league says so."

var (
	leagueFilters       = league("filter", "Which promises of membership structures are kept, by whom?", adapters.AllFilters(), sketchtest.FilterCases)
	leagueCardinalities = league("cardinality", "Which promises of distinct counts are kept, by whom?", adapters.AllCardinalities(), sketchtest.CardinalityCases)
	leagueFrequencies   = league("frequency", "Which promises of frequency sketches are kept, by whom?", adapters.Frequencies, sketchtest.FrequencyCases)
	leagueTopKs         = league("topk", "Which promises of heavy-hitter structures are kept, by whom?", adapters.AllTopKs(), sketchtest.TopKCases)
	leagueSignatures    = league("signature", "Which promises of similarity signatures are kept, by whom?", adapters.AllSignatures(), sketchtest.SignatureCases)
	leagueSamplers      = league("sampler", "Which promises of samplers are kept, by whom?", adapters.AllSamplers(), sketchtest.SamplerCases)
	leaguePlacers       = league("placer", "Which promises of placements are kept, by whom?", adapters.AllPlacers(), sketchtest.PlacerCases)
)

// league is the experiment that puts all subjects of a kind through its checks.
func league[S, Spec any](
	kind, question string, subjects []sketchproof.Subject[S, Spec],
	cases func(sketchproof.Subject[S, Spec], sketchtest.Effort) []sketchtest.Case,
) engine.Experiment {
	return engine.Experiment{
		Name: LeaguePrefix + kind, Question: question, Method: leagueMethod,
		Claims: []engine.Claim{{Text: "a structure keeps what its documentation promises", Source: "the libraries' own documentation"}},
		Plan: func(s engine.Scale) []engine.Cell {
			var cells []engine.Cell
			for _, subject := range subjects {
				for _, c := range leagueCases(cases(subject, leagueEffort(s)), s) {
					cells = append(cells, leagueCell(subject.Name, subject.Module, subject.Unseeded, c))
				}
			}
			return cells
		},
	}
}

func leagueEffort(s engine.Scale) sketchtest.Effort {
	switch {
	case s >= engine.Full:
		return sketchtest.Long
	case s >= engine.CI:
		return sketchtest.Usual
	default:
		return sketchtest.Short
	}
}

// leagueCases are those that a scale plans: at smoke the first of each subject.
func leagueCases(cases []sketchtest.Case, s engine.Scale) []sketchtest.Case {
	if s < engine.CI {
		return cases[:min(1, len(cases))]
	}
	return cases
}

func leagueCell(subject, module string, unseeded bool, c sketchtest.Case) engine.Cell {
	metric := engine.Metric{Name: c.Metric, Unit: c.Unit, Method: c.Method, Law: c.Law, Source: c.Source}
	if c.Warning {
		metric.Law = "" // a sign, not a promise
	}
	return engine.Cell{
		Labels:  append(record.L("subject", subject, "property", c.Of), c.Labels...),
		Module:  adapters.At(module),
		Metrics: []engine.Metric{metric},
		Trials:  c.Trials,
		Cost:    cost(module, c.Operations, 1<<22),
		Shows:   true, Unseeded: unseeded,
		Run: func(t *engine.T) error {
			r, err := c.Run(t.Seed)
			if err != nil {
				return err
			}
			t.Read(metric, r.Num, r.Den, r.Band)
			if r.Input != "" {
				t.Show(r.Input)
			}
			return nil
		},
	}
}
