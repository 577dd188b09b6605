package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/infini"
	"github.com/sketchproof/sketchproof/impl/scalable"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	growthRate    = rateUnder(adapters.InfiniGrowth)
	growthPromise = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: adapters.PromiseLaw, Source: "the rate that was asked for, at any size",
	}
	growthBits = engine.Metric{Name: "bits/key", Unit: "bits", Method: stats.Mean}
	growthGain = engine.Metric{
		Name: "bits/scalable-bits", Method: stats.Mean,
		Law: "no-more-space", Source: "Dayan, Bercea, Reviriego, Pagh 2023, section 4",
	}
)

// growthStart is how many keys fill the first table of the filter that doubles,
// and the first link of the chain.
const growthStart = 230

// A growing is a filter that outgrows its first size.
type growing interface {
	sketchproof.Filter
	sketchproof.Adder
}

// growers are the ways to grow without the keys.
var growers = []struct {
	name string
	make func(eps float64, seed uint64) (growing, error)
}{
	{"infini", func(eps float64, seed uint64) (growing, error) {
		return infini.ForRate(growthStart, eps, hashing.XX(seed))
	}},
	{"scalable", func(eps float64, seed uint64) (growing, error) {
		return scalable.New(scalable.Params{Capacity: growthStart, Rate: eps, Hash: hashing.XX(seed)})
	}},
}

var expandableGrowth = engine.Experiment{
	Name:     "expandable/growth",
	Question: "Does a filter that grows without its keys keep its rate, and what does it pay in space?",
	Claims: []engine.Claim{
		{
			Text:   "the rate stays below the one asked for, however much the filter grows",
			Source: "Dayan, Bercea, Reviriego, Pagh 2023, section 4; Almeida et al. 2007",
			Metric: growthPromise.Name, Law: growthPromise.Law,
		},
		{
			Text:   "the rates of the generations add up: 1 - exp(-sum of 2^-bits), a key stored as a prefix of so many bits of its hash",
			Source: "derived from Dayan, Bercea, Reviriego, Pagh 2023, section 4",
			Metric: growthRate.Name, Law: growthRate.Law,
		},
		{
			Text:   "one table that doubles takes no more space than a chain of Bloom filters, give or take 2 %",
			Source: "Dayan, Bercea, Reviriego, Pagh 2023, section 4",
			Metric: growthGain.Name, Law: growthGain.Law,
		},
	},
	Method: "Both start with room for 230 keys and take up to 100 times as many: infini is a quotient filter that doubles, " +
		"scalable a chain of Bloom filters, each twice the one before and 0.85 times its rate. Bits per key rise and fall with each step of growth, " +
		"so space is compared as the mean over a hundred sizes of a whole doubling, begun at 32 to 64 times the start, as each trial draws it. " +
		"At 10 % the chain is smaller: three and a quarter bits a slot that a quotient filter pays for finding its fingerprints weigh more than 44 % of a few bits; from 1 % on the table is a little smaller. What a look-up costs is another " +
		"matter: it reads one run of the table, or up to every link of the chain.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct{ times, eps float64 }
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			[]point{{8, 0.1}},
			[]point{{1, 0.1}, {2, 0.1}, {4, 0.1}, {16, 0.1}, {32, 0.1}, {66, 0.1}, {100, 0.1}, {66, 0.01}, {66, 0.001}},
			[]point{{1, 0.01}, {8, 0.01}, {1000, 0.01}, {100, 0.001}, {100, 1e-4}, {1000, 0.1}}) {
			for i := range growers {
				cells = append(cells, growthCell(i, p.times, p.eps))
			}
		}
		for _, eps := range engine.Pick(s, nil, []float64{0.1, 0.01, 0.001}, []float64{1e-4, 1e-5}) {
			cells = append(cells, growthSpaceCell(eps))
		}
		return cells
	},
}

// growthCell grows a filter to so many times its start, and asks it for absent
// keys.
func growthCell(which int, times, eps float64) engine.Cell {
	g := growers[which]
	n := int(math.Round(times * growthStart))
	probes := probesFor(eps / 2)
	metrics := []engine.Metric{growthBits, growthPromise}
	if g.name == "infini" {
		metrics = append(metrics, growthRate)
	}
	price := cost("", 4*n+4*probes, 4*n)
	return engine.Cell{
		Labels:  record.L("subject", g.name, "eps", eps, "times", times),
		Metrics: metrics, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			f, err := g.make(eps, parts(t.Seed, 1))
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			if err := keys.addTo(f, 0, n); err != nil {
				return err
			}
			t.Read(growthBits, 8*int64(f.SizeBytes()), int64(n), stats.Band{})
			found := keys.foundIn(f, n, n+probes)
			t.Read(growthPromise, found, int64(probes), adapters.Promise(eps))
			if f, ok := f.(adapters.InfiniShape); ok {
				t.Read(growthRate, found, int64(probes), adapters.RateBand(infini.GrowthFPR(f.Params(), uint64(n))))
			}
			return nil
		},
	}
}

// growthSpaceCell compares the two over a doubling.
func growthSpaceCell(eps float64) engine.Cell {
	const steps = 100
	price := cost("", 8*128*growthStart, 256*growthStart)
	return engine.Cell{
		Labels:  record.L("subject", "infini", "eps", eps, "times", "doubling"),
		Metrics: []engine.Metric{growthGain}, Trials: 128, Cost: price,
		Run: func(t *engine.T) error {
			keys := keys(parts(t.Seed, 0))
			phase := float64(parts(t.Seed, 2)%1000) / 1000
			var bits [2]float64
			for i, g := range growers {
				f, err := g.make(eps, parts(t.Seed, 1))
				if err != nil {
					return err
				}
				done := 0
				for step := range steps {
					n := int(math.Round(32 * math.Exp2(phase+float64(step)/steps) * growthStart))
					if err := keys.addTo(f, done, n); err != nil {
						return err
					}
					done = n
					bits[i] += 8 * float64(f.SizeBytes()) / float64(n)
				}
			}
			const parts = 1e6                                                                                         // readings are whole numbers
			t.Read(growthGain, int64(math.Round(parts*bits[0]/bits[1])), parts, stats.Between(1, math.Inf(-1), 1.02)) // two percent matter to nobody
			return nil
		},
	}
}
