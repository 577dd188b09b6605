package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The share of the other keys that one naive deletion loses.
var (
	lostKeys = engine.Metric{
		Name: "lost/other", Method: stats.Rate,
		Law: "naive-delete", Source: "derived: 1 - E[(1 - D/m)^k], D of k thrown probes distinct",
	}
	lostKeysNear = engine.Metric{
		Name: lostKeys.Name, Method: stats.Rate,
		Law: "naive-delete.near", Source: "derived: 1 - (1 - k/m)^k, all probes distinct",
	}
	deletedFound = engine.Metric{
		Name: "found/deleted", Method: stats.Invariant,
		Law: "deleted", Source: "Bloom 1970: a key with a bit at 0 is not found",
	}
)

var bloomNaiveDelete = engine.Experiment{
	Name:     "bloom/naive-delete",
	Question: "How many other keys does a Bloom filter lose when one key's bits are cleared?",
	Claims: []engine.Claim{
		{
			Text:   "clearing a key's bits loses other keys: a share of 1 - E[(1 - D/m)^k] of them",
			Source: "Probabilistic Structures, on deletion; Bloom Filter, 2; the law is derived",
			Metric: lostKeys.Name, Law: lostKeys.Law,
		},
		{
			Text:   "near 1 - (1 - k/m)^k, about k²/m",
			Source: "derived",
			Metric: lostKeysNear.Name, Law: lostKeysNear.Law,
		},
		{
			Text:   "the deleted key is gone",
			Source: "Probabilistic Structures, on deletion",
			Metric: deletedFound.Name, Law: deletedFound.Law,
		},
	},
	Method: "Of n keys one is deleted by clearing its bits; the others that are then not found are lost. The share does not " +
		"depend on how many there are: what counts is whether a key has a bit in common with the deleted one. About k² keys of m are lost, " +
		"one in 14 with the 700 bits and 7 probes of 70 keys, and each deletion takes as many again. The near form takes the deleted key's probes for distinct, " +
		"which is 3 to 6 % too much below a hundred bits and nothing from a thousand on.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			[]bloomShape{{16, 2, 4}, {700, 7, 70}},
			[]bloomShape{{16, 3, 10}, {64, 7, 10}, {200, 20, 30}, {700, 7, 7}, {700, 7, 700}, {2000, 7, 200}, {10000, 7, 1000}},
			[]bloomShape{{16, 7, 3}, {1000, 14, 50}, {100000, 7, 10000}}) {
			cells = append(cells, naiveDeleteCell(p))
		}
		return cells
	},
}

func naiveDeleteCell(p bloomShape) engine.Cell {
	m, k := uint64(p.m), uint64(p.k)
	group := groupOf(4 * p.n)
	price := cost("", 4*group*p.n, p.m/8)
	return engine.Cell{
		Labels:  record.L("subject", "bloom", "m", p.m, "k", p.k, "n", p.n),
		Metrics: []engine.Metric{lostKeys, lostKeysNear, deletedFound},
		Trials:  planned(price),
		Cost:    price,
		Run: func(t *engine.T) error {
			var lost, undeleted int64
			for i := range group {
				f, err := bloom.New(bloom.Params{M: m, K: k, Hash: hashing.XX(parts(t.Seed, 2*i+1))})
				if err != nil {
					return err
				}
				keys := keys(parts(t.Seed, 2*i))
				if err := keys.addTo(f, 0, p.n); err != nil {
					return err
				}
				words := f.Words()
				for _, at := range f.Positions(keys.at(0)) {
					words[at/64] &^= 1 << (at % 64)
				}
				if allSet(words, f.Positions(keys.at(0))) {
					undeleted++
				}
				for j := 1; j < p.n; j++ {
					if !allSet(words, f.Positions(keys.at(j))) {
						lost++
					}
				}
			}
			others := int64(group * (p.n - 1))
			t.Read(lostKeys, lost, others, adapters.RateBand(bloom.NaiveDeleteLoss(m, k)))
			near := -math.Expm1(float64(k) * math.Log1p(-float64(k)/float64(m)))
			t.Read(lostKeysNear, lost, others, adapters.RateBand(near))
			t.Read(deletedFound, undeleted, int64(group), never)
			return nil
		},
	}
}

// allSet reports whether all those bits are set.
func allSet(words, positions []uint64) bool {
	for _, at := range positions {
		if words[at/64]>>(at%64)&1 == 0 {
			return false
		}
	}
	return true
}
