package experiments

import (
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/counting"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What deleting keys does that were never added.
var (
	lostUnguarded = engine.Metric{
		Name: "keys-lost/key", Method: stats.Rate,
		Law: "counting.strangers", Source: "derived: a key is lost if one of its k cells, 1 + Poisson(kn/m), is lowered as often, Poisson(ks/m) times",
	}
	lostGuarded = engine.Metric{
		Name: lostUnguarded.Name, Method: stats.Rate,
		Law: "counting.guarded", Source: "derived: as without a guard, but a stranger lowers its cells only if all are above 0",
	}
	passedGuard = engine.Metric{
		Name: "passed/stranger", Method: stats.Rate,
		Law: "counting.passed", Source: "derived: a stranger passes the guard at the false-positive rate of the moment",
	}
)

var countingStrangers = engine.Experiment{
	Name:     "counting/never-added",
	Question: "What does a counting filter lose when keys are deleted that were never added, and does a guard help?",
	Claims: []engine.Claim{
		{
			Text:   "removing an item that was never added corrupts the counts: other keys are lost",
			Source: "Probabilistic Structures: Bloom Filters, Count-Min, HyperLogLog, Sampling and Consistent Hashing",
			Metric: lostUnguarded.Name, Law: lostUnguarded.Law,
		},
		{
			Text:   "a look-up before the deletion keeps strangers out",
			Source: "Bloom Filters & Probabilistic Data Structures (its program)",
			Metric: lostGuarded.Name, Law: lostGuarded.Law,
		},
		{
			Text:   "the guard lets strangers through at the false-positive rate",
			Source: "derived",
			Metric: passedGuard.Name, Law: passedGuard.Law,
		},
	},
	Method: "A filter at its capacity deletes strangers: a hundredth of its keys, as many, or ten times as many; then its keys are looked up. The " +
		"guard does not keep strangers out but lets few through, those that look present; each of those that pass does more harm than one at " +
		"random, since all of its cells are taken, not half: 69 % of those count 1, and each is the end of a key, so one that passes takes five keys with " +
		"it at k = 7. As many strangers as keys lose 93 % of them without the guard, 4.5 % with it, at a rate of 1 %. As cells empty, fewer pass.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct {
			eps       float64
			strangers int
			guarded   bool
		}
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			[]point{{0.1, 10000, false}, {0.1, 10000, true}},
			[]point{{0.01, 100, false}, {0.01, 10000, false}, {0.01, 10000, true}, {0.01, 100000, true}},
			[]point{{0.001, 100000, true}, {0.01, 100, true}, {1e-4, 10000000, true}}) {
			cells = append(cells, strangersCell(10000, p.eps, p.strangers, p.guarded))
		}
		return cells
	},
}

func strangersCell(n int, eps float64, strangers int, guarded bool) engine.Cell {
	const cellBits = 8
	guard, metrics := "none", []engine.Metric{lostUnguarded}
	if guarded {
		guard, metrics = "look-up", []engine.Metric{lostGuarded, passedGuard}
	}
	price := cost("", 3*n+strangers, 15*n)
	return engine.Cell{
		Labels:  record.L("subject", countingName(cellBits), "n", n, "eps", eps, "strangers", strangers, "guard", guard),
		Metrics: metrics, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			f, err := counting.ForRate(uint64(n), eps, cellBits, hashing.XX(parts(t.Seed, 1)))
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			if err := keys.addTo(f, 0, n); err != nil {
				return err
			}
			passed := int64(0)
			for i := n; i < n+strangers; i++ {
				if guarded {
					passed += one(f.Remove(keys.at(i)) == nil)
				} else {
					f.RemoveUnguarded(keys.at(i))
				}
			}
			lost := int64(n) - keys.foundIn(f, 0, n)
			if !guarded {
				t.Read(lostUnguarded, lost, int64(n), adapters.RateBand(counting.StrangersUnguarded(n, f.Cells(), f.Hashes(), strangers)))
				return nil
			}
			lostLaw, passedLaw := counting.StrangersGuarded(n, f.Cells(), f.Hashes(), strangers)
			t.Read(lostGuarded, lost, int64(n), adapters.RateBand(lostLaw))
			t.Read(passedGuard, passed, int64(strangers), adapters.RateBand(passedLaw/float64(strangers)))
			return nil
		},
	}
}
