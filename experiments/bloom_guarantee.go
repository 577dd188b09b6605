package experiments

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

const guarantees = "Bloom Filters & Counting Filters"

// Three readings of one line about a filter's no.
var (
	absentAlwaysNo = engine.Metric{
		Name: "positives/absent", Method: stats.Invariant,
		Law: "negative-given-absent", Source: "P(Negative | x not in S) = 1, as printed",
	}
	presentAlwaysYes = engine.Metric{
		Name: "negatives/present", Method: stats.Invariant,
		Law: "positive-given-present", Source: "Bloom 1970: P(Positive | x in S) = 1",
	}
	noMeansAbsent = engine.Metric{
		Name: "present/negative", Method: stats.Invariant,
		Law: "absent-given-negative", Source: "Bloom 1970, read backwards: P(x not in S | Negative) = 1",
	}
)

var bloomGuarantee = engine.Experiment{
	Name:     "bloom/guarantee",
	Question: "Which probability is 1: that an absent key is answered no, or that a no is right?",
	Claims: []engine.Claim{
		{
			Text: "P(Negative | x not in S) = 1.0", Source: guarantees,
			Metric: absentAlwaysNo.Name, Law: absentAlwaysNo.Law,
		},
		{
			Text: "if the filter returns false, the element is definitely not in the set", Source: guarantees,
			Metric: noMeansAbsent.Name, Law: noMeansAbsent.Law,
		},
		{
			Text: "0 % false negatives: P(Positive | x in S) = 1", Source: guarantees,
			Metric: presentAlwaysYes.Name, Law: presentAlwaysYes.Law,
		},
	},
	Method: "The words and the formula of one line are tried apart, on a filter of 900 keys at 1 %. As printed, the formula says that " +
		"no absent key is answered yes: it denies false positives, and one of them breaks it. What the words say, that a no is right, is the " +
		"same condition the other way round, P(x not in S | Negative) = 1, and follows from P(Positive | x in S) = 1. Where the printed line " +
		"holds, the subject is an exact set, or too precise for as many look-ups as are made here.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Filters {
			if s >= engine.CI || isBloom(subject) {
				cells = append(cells, guaranteeCell(subject, 900))
			}
		}
		return cells
	},
}

func guaranteeCell(subject adapters.Filter, n int) engine.Cell {
	absent := 10 * n
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "n", n, "eps", realRate),
		Module:  adapters.At(subject.Module),
		Metrics: []engine.Metric{absentAlwaysNo, noMeansAbsent, presentAlwaysYes},
		Trials:  32, // one counterexample decides
		Cost:    cost(subject.Module, 2*n+absent, 2*n),
		Run: func(t *engine.T) error {
			keys := keys(parts(t.Seed, 0))
			f, err := subject.Build(sketchproof.FilterSpec{Keys: keys.slice(0, n), Epsilon: realRate, Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			yes, lost := keys.foundIn(f, n, n+absent), int64(n)-keys.foundIn(f, 0, n)
			t.Read(absentAlwaysNo, yes, int64(absent), never)
			t.Read(noMeansAbsent, lost, int64(absent)-yes+lost, never)
			t.Read(presentAlwaysYes, lost, int64(n), never)
			return nil
		},
	}
}
