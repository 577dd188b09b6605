package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/scalable"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// A chain of Bloom filters: its rate, memory and look-ups.
var (
	scalableRate  = rateUnder(adapters.ScalableCompound)
	scalableBound = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "scalable.bound", Source: "Almeida, Baquero, Preguiça, Hutchison 2007, section 3: p0/(1-r)",
	}
	scalableVisits = engine.Metric{
		Name: "cut-short/not-found", Method: stats.Invariant,
		Law: "scalable.every-link", Source: "as printed: all filters are checked",
	}
	scalableBits = engine.Metric{Name: sketchproof.MetricBitsPerKey, Method: stats.Mean}
)

var scalableCompound = engine.Experiment{
	Name:     "scalable/compound",
	Question: "Does a scalable Bloom filter keep its rate while it grows a hundredfold, and what does that cost?",
	Claims: []engine.Claim{
		{
			Text:   "the rate of a chain is 1 - prod(1 - p_i) over its links",
			Source: "Almeida, Baquero, Preguiça, Hutchison 2007",
			Metric: scalableRate.Name, Law: scalableRate.Law,
		},
		{
			Text:   "the rates of all links add up to at most p0/(1-r): growth without a rebuild",
			Source: "Bloom Filter, 7.2; Almeida, Baquero, Preguiça, Hutchison 2007",
			Metric: scalableBound.Name, Law: scalableBound.Law,
		},
		{
			Text:   "a look-up checks all filters",
			Source: "Bloom Filter, 7.2",
			Metric: scalableVisits.Name, Law: scalableVisits.Law,
		},
	},
	Method: "A chain with a first link for n0 = 250 keys grows to many times that; the bound is 1 % throughout, so the first link's rate is " +
		"(1-r) 1 %. Then keys never added are looked up. The rate gets worse as the source says, from p0 towards p0/(1-r), but not beyond. " +
		"Bits per key are those of whole links, the newest of which may be nearly empty: the more so, the faster the chain grows. A Bloom filter sized " +
		"for the keys takes 9.6, a chain 15 to 50. A key that " +
		"is not found has been looked up in every link; one that is present is met in the newest links first, where most keys are.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct {
			growth     uint64
			tightening float64
			times      float64
		}
		var points []point
		add := func(growth uint64, tightening float64, times ...float64) {
			for _, x := range times {
				points = append(points, point{growth, tightening, x})
			}
		}
		add(2, 0.85, 10)
		if s >= engine.CI {
			points = nil
			add(2, 0.85, 1, 10, 30, 100)
			add(2, 0.5, 1, 10, 100)
			add(4, 0.85, 10, 100)
		}
		if s >= engine.Full {
			add(1, 0.95, 10, 50)
			add(4, 0.85, 1000)
		}
		var cells []engine.Cell
		for _, p := range points {
			cells = append(cells, scalableCell(250, p.growth, p.tightening, p.times))
		}
		return cells
	},
}

func scalableCell(first int, growth uint64, tightening, times float64) engine.Cell {
	const eps = 0.01
	n := int(math.Round(times * float64(first)))
	probes := max(probesFor(eps), n/2)
	price := cost("", 6*(n+probes), 3*n)
	return engine.Cell{
		Labels:  record.L("subject", "scalable", "growth", growth, "r", tightening, "n0", first, "times", times),
		Metrics: []engine.Metric{scalableRate, scalableBound, scalableVisits, scalableBits},
		Trials:  planned(price), Cost: price,
		Run: func(t *engine.T) error {
			f, err := scalable.New(scalable.Params{
				Capacity: uint64(first), Rate: eps, Growth: growth, Tightening: tightening, Hash: hashing.XX(parts(t.Seed, 1)),
			})
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			if err := keys.addTo(f, 0, n); err != nil {
				return err
			}
			found := keys.foundIn(f, n, n+probes)
			t.Read(scalableRate, found, int64(probes), adapters.ScalableCompound.Predict(f, sketchproof.FilterSpec{}, n))
			t.Read(scalableBound, found, int64(probes), adapters.Promise(scalable.Bound(eps*(1-tightening), tightening)))
			links, short, absent := len(f.Links()), int64(0), int64(0)
			for i := n; i < n+1000; i++ {
				if key := keys.at(i); !f.Contains(key) {
					absent++
					short += one(f.Visits(key) != links)
				}
			}
			t.Read(scalableVisits, short, absent, never)
			t.Read(scalableBits, int64(8*f.SizeBytes()), int64(n), stats.Band{})
			return nil
		},
	}
}
