package experiments

import (
	"cmp"
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What semi-sorting saves, and that it changes nothing else.
var (
	bitsSaved = engine.Metric{
		Name: "bits-saved/key", Method: stats.Mean,
		Law: "cuckoo.semi-sorted", Source: "Fan et al. 2014, section 5.2: one bit a slot, 1/a a key",
	}
	oneBitSaved = engine.Metric{
		Name: bitsSaved.Name, Method: stats.Mean,
		Law: "cuckoo.one-bit", Source: "Fan et al. 2014, section 5.2: one bit fewer per item",
	}
	otherAnswers = engine.Metric{
		Name: "other-answers/key", Method: stats.Invariant,
		Law: "cuckoo.same-answers", Source: "the order of tags in a bucket means nothing",
	}
	semiSortedRate = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: adapters.CuckooPoisson.Name, Source: adapters.CuckooPoisson.Source,
	}
	semiSortedBits = engine.Metric{Name: sketchproof.MetricBitsPerKey, Method: stats.Mean}
)

var cuckooSpace = engine.Experiment{
	Name:     "cuckoo/space",
	Question: "Do semi-sorted buckets save a bit a key, at the same rate?",
	Claims: []engine.Claim{
		{
			Text:   "semi-sorting saves one bit per item",
			Source: "Fan et al. 2014, section 5.2",
			Metric: oneBitSaved.Name, Law: oneBitSaved.Law,
		},
		{
			Text:   "semi-sorting changes no answer",
			Source: "derived from Fan et al. 2014, section 5.2",
			Metric: otherAnswers.Name, Law: otherAnswers.Law,
		},
	},
	Method: "A plain and a semi-sorted filter of the same geometry and hash function take the same keys, and both are asked for keys held and keys never " +
		"added. A bit less a slot is 1/a bits less for each key held, a little more than one. The rate is that of both.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			[]cuckooLoad{{cuckooShape{1 << 10, 4, 6}, 0.9}},
			[]cuckooLoad{
				{cuckooShape{1 << 12, 4, 9}, 0.93},
				{cuckooShape{1 << 12, 4, 13}, 0.93},
				{cuckooShape{5001, 4, 9}, 0.93},
			},
			[]cuckooLoad{{cuckooShape{1 << 18, 4, 9}, 0.95}, {cuckooShape{1 << 18, 4, 17}, 0.95}}) {
			cells = append(cells, spaceCell(p))
		}
		return cells
	},
}

func spaceCell(p cuckooLoad) engine.Cell {
	n := int(math.Round(p.load * float64(p.slots())))
	probes := min(1<<20, probesFor(cuckoo.FPR(p.f, p.b, p.load)))
	price := cost("", 5*n+3*probes, p.slots()*p.f/4)
	return engine.Cell{
		Labels:  record.L("subject", semiSortedCuckoo, "f", p.f, "b", p.b, "buckets", p.buckets, "load", p.load),
		Metrics: []engine.Metric{bitsSaved, oneBitSaved, otherAnswers, semiSortedRate, semiSortedBits},
		Trials:  min(1024, planned(price)), Cost: price,
		Run: func(t *engine.T) error {
			params := cuckoo.Params{Buckets: uint64(p.buckets), Slots: p.b, FingerprintBits: p.f, Hash: hashing.XX(parts(t.Seed, 1))}
			plain, err := cuckoo.New(params)
			if err != nil {
				return err
			}
			params.SemiSorted = true
			semi, err := cuckoo.New(params)
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			held, err := fillCuckoo(plain, keys, n)
			if err != nil {
				return err
			}
			if also, err := fillCuckoo(semi, keys, held); err != nil || also != held {
				return fmt.Errorf("%d keys in the plain filter, %d in the semi-sorted: %w", held, also, cmp.Or(err, sketchproof.ErrFull))
			}
			var other, found int64
			for i := range held + probes {
				a, b := plain.Contains(keys.at(i)), semi.Contains(keys.at(i))
				if a != b {
					other++
				}
				if b && i >= held {
					found++
				}
			}
			saved := int64(8 * (plain.SizeBytes() - semi.SizeBytes()))
			// A word of 64 bits is the unit of memory.
			t.Read(bitsSaved, saved, int64(held), stats.Within(1/semi.Load(), 0.01))
			t.Read(oneBitSaved, saved, int64(held), stats.AtLeast(1))
			t.Read(otherAnswers, other, int64(held+probes), never)
			t.Read(semiSortedRate, found, int64(probes), adapters.RateBand(cuckoo.FPR(p.f, p.b, semi.Load())))
			t.Read(semiSortedBits, int64(8*semi.SizeBytes()), int64(held), stats.Band{})
			return nil
		},
	}
}
