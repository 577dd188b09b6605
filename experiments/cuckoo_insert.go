package experiments

import (
	"errors"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// kicksBound is the bound that the source does not give: filling to 95 % moves
// less than one tag an insertion, whatever n.
const kicksBound = 1

// What an insertion costs beyond its own two buckets: tags moved.
var (
	kicksPerInsert = engine.Metric{
		Name: "kicks/insert", Method: stats.Mean,
		Law: "cuckoo.amortised", Source: "Fan et al. 2014, section 4: amortised O(1); our constant: 1 at four slots, up to a load of 95 %",
	}
	kicksAtLoad  = engine.Metric{Name: "kicks/insert-at-load", Method: stats.Mean}
	worstInsert  = engine.Metric{Name: "kicks/worst-insert", Method: stats.Mean}
	refusedEarly = engine.Metric{Name: "refused-early/filter", Method: stats.Share}
)

var cuckooInsert = engine.Experiment{
	Name:     "cuckoo/insert",
	Question: "How many tags does an insertion move, and does that grow with the filter?",
	Claims: []engine.Claim{{
		Text:   "insert speed is amortized O(1)",
		Source: "Bloom Filters & Probabilistic Data Structures",
		Metric: kicksPerInsert.Name, Law: kicksPerInsert.Law,
	}},
	Method: "A filter of four slots takes random keys up to a load, or to its first refusal after 500 kicks. kicks/insert is the mean over all " +
		"insertions since it was empty, judged against one constant at every size. kicks/insert-at-load is the mean over the last hundredth of " +
		"the slots: what the next key costs there. kicks/worst-insert is the most that one key of a filter cost: amortised, not bounded. " +
		"refused-early/filter is the share of filters that did not reach the load.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			[]cuckooLoad{{cuckooShape{1 << 10, 4, 16}, 0.95}},
			[]cuckooLoad{
				{cuckooShape{1 << 12, 4, 16}, 0.5},
				{cuckooShape{1 << 12, 4, 16}, 0.8},
				{cuckooShape{1 << 12, 4, 16}, 0.9},
				{cuckooShape{1 << 12, 4, 16}, 0.95},
				{cuckooShape{1 << 14, 4, 16}, 0.5},
				{cuckooShape{1 << 14, 4, 16}, 0.8},
				{cuckooShape{1 << 14, 4, 16}, 0.9},
				{cuckooShape{1 << 14, 4, 16}, 0.95},
				{cuckooShape{1 << 14, 4, 8}, 0.95},
				{cuckooShape{10000, 4, 16}, 0.95},
				{cuckooShape{1 << 16, 4, 16}, 0.5},
				{cuckooShape{1 << 16, 4, 16}, 0.8},
				{cuckooShape{1 << 16, 4, 16}, 0.9},
				{cuckooShape{1 << 16, 4, 16}, 0.95},
			},
			[]cuckooLoad{
				{cuckooShape{1 << 18, 4, 16}, 0.95},
				{cuckooShape{1 << 20, 4, 16}, 0.95},
				{cuckooShape{1 << 22, 4, 16}, 0.95},
			}) {
			cells = append(cells, insertCell(p, false))
		}
		if s >= engine.CI {
			cells = append(cells, insertCell(cuckooLoad{cuckooShape{1 << 14, 4, 16}, 0.95}, true))
		}
		return cells
	},
}

func insertCell(p cuckooLoad, semiSorted bool) engine.Cell {
	name := nativeCuckoo.name
	if semiSorted {
		name = semiSortedCuckoo
	}
	n := int(math.Round(p.load * float64(p.slots())))
	price := cost("", 3*n, p.slots()*p.f/8)
	return engine.Cell{
		Labels:  record.L("subject", name, "f", p.f, "b", p.b, "buckets", p.buckets, "load", p.load),
		Metrics: []engine.Metric{kicksPerInsert, kicksAtLoad, worstInsert, refusedEarly}, Trials: min(4096, planned(price)), Cost: price,
		Run: func(t *engine.T) error {
			f, err := cuckoo.New(cuckoo.Params{
				Buckets: uint64(p.buckets), Slots: p.b, FingerprintBits: p.f, SemiSorted: semiSorted, Hash: hashing.XX(parts(t.Seed, 1)),
			})
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			last := n - p.slots()/100
			var before, worst uint64
			inserted, refused := 0, int64(0)
			for inserted < n && refused == 0 {
				if inserted == last {
					before = f.Kicks()
				}
				kicks := f.Kicks()
				switch err := f.Add(keys.at(inserted)); {
				case errors.Is(err, sketchproof.ErrFull):
					refused = 1
				case err != nil:
					return err
				}
				worst = max(worst, f.Kicks()-kicks)
				inserted++
			}
			t.Read(kicksPerInsert, int64(f.Kicks()), int64(inserted), stats.AtMost(kicksBound))
			if inserted > last {
				t.Read(kicksAtLoad, int64(f.Kicks()-before), int64(inserted-last), stats.Band{})
			}
			t.Read(worstInsert, int64(worst), 1, stats.Band{})
			t.Read(refusedEarly, refused, 1, stats.Band{})
			return nil
		},
	}
}
