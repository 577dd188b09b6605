package experiments

import (
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/ribbon"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What building takes, in counts that no clock is needed for.
var (
	additionsPerKey = engine.Metric{
		Name: "additions/key", Unit: "rows", Method: stats.Mean,
		Law: "ribbon.additions", Source: "derived from Knuth 1963, linear probing: 1/(4 overhead) + 0.4 rows",
	}
	secondAttempts = engine.Metric{
		Name: "retries/build", Unit: "builds", Method: stats.Share,
		Law: "ribbon.attempts", Source: "derived from Dillinger & Walzer 2021: 0.2 redundant equations an attempt",
	}
)

var ribbonBuild = engine.Experiment{
	Name:     "ribbon/build",
	Question: "How much work is it to build a ribbon filter?",
	Claims: []engine.Claim{
		{
			Text:   "solving the banded system adds one row to another 1/(4 overhead) + 0.4 times a key",
			Source: "derived from Dillinger & Walzer 2021 and Knuth 1963",
			Metric: additionsPerKey.Name, Law: additionsPerKey.Law,
		},
		{
			Text:   "at most one build in five needs a second hash function",
			Source: "derived from Dillinger & Walzer 2021",
			Metric: secondAttempts.Name, Law: secondAttempts.Law,
		},
	},
	Method: "Additions of one row to another, a key and attempt, and the share of builds with more than one attempt. A key that starts in a crowd is displaced as in linear " +
		"probing and is added to every other row on its way, so the less room, the more work: overhead trades memory for time, and wide rows, which need little " +
		"room, take the most additions. “Construction is meaningfully slower than a Bloom or XOR filter” (" + filtersAndCounting + ") is a matter of clocks, which the benchmarks of " +
		"impl/ribbon read and no row here judges. Against xor it need not be so: three additions of one word, of rows in the cache because keys come by their starts, cost less than peeling does. A narrow homogeneous filter tries again " +
		"to have fewer redundant equations, not because it must.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct {
			kind ribbonKind
			n    int
		}
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			[]point{{ribbon64, 10000}},
			[]point{
				{ribbon32, 10000},
				{ribbon128, 10000},
				{homogeneous32, 10000},
				{ribbonHomogeneous, 10000},
				{homogeneous128, 10000},
				{ribbonHomogeneous, 100000},
			},
			[]point{{ribbon64, 100000}, {ribbon128, 100000}, {homogeneous128, 100000}, {ribbon64, 1000000}, {ribbonHomogeneous, 1000000}}) {
			cells = append(cells, ribbonBuildCell(p.kind, p.n))
		}
		return cells
	},
}

func ribbonBuildCell(k ribbonKind, n int) engine.Cell {
	return engine.Cell{
		Labels:  record.L("subject", k.name, "w", k.width, "r", 8, "n", n),
		Metrics: []engine.Metric{additionsPerKey, secondAttempts},
		Trials:  max(256, 10240000/n),
		Cost:    ribbonCost(n, 0),
		Run: func(t *engine.T) error {
			f, err := ribbon.New(keys(parts(t.Seed, 0)).slice(0, n), ribbon.Params{
				Width: k.width, Bits: 8, Form: k.form, Hash: hashing.XX(parts(t.Seed, 1)),
			})
			if err != nil {
				return err
			}
			law := ribbon.RowAdditions(float64(f.Starts())/float64(n) - 1)
			t.Read(additionsPerKey, int64(f.RowAdditions()), int64(n*f.Attempts()), stats.Within(law, 0.25))
			var more int64
			if f.Attempts() > 1 {
				more = 1
			}
			t.Read(secondAttempts, more, 1, stats.AtMost(0.2))
			return nil
		},
	}
}
