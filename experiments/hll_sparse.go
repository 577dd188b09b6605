package experiments

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What the sparse form is good for, and what comes after it.
var (
	notExact = engine.Metric{
		Name: "inexact/sketch", Method: stats.Invariant,
		Law: "hll.sparse-exact", Source: "Bloom Filters and HyperLogLog in Practice: small sets are nearly exact",
	}
	sparseBytes = engine.Metric{
		Name: "oversize/sketch", Method: stats.Invariant,
		Law: "hll.sparse-bytes", Source: "Heule, Nunkesser and Hall 2013, section 5.3: sparse while it takes less memory",
	}
)

var hllSparse = engine.Experiment{
	Name:     "hll/sparse",
	Question: "Is a small set nearly exact in a sparse form, and small, and is the switch to registers seamless?",
	Claims: []engine.Claim{
		{
			Text:   "small sets use a sparse form and are nearly exact: off by at most a key or one in a thousand",
			Source: "Bloom Filters and HyperLogLog in Practice",
			Metric: notExact.Name, Law: notExact.Law,
		},
		{
			Text:   "the sparse form takes no more than the registers, nor more than 64 bytes and 32/3 bytes a key",
			Source: sparseBytes.Source,
			Metric: sparseBytes.Name, Law: sparseBytes.Law,
		},
		{
			Text:   "beyond the switch the error is that of registers",
			Source: "derived from Ertl 2017, equation 22",
			Metric: spreadAtN.Name, Law: spreadAtN.Law,
		},
	},
	Method: "A sketch with a sparse form, and registers from the start beside it, whose small sets must be seen not to be exact. The sparse form holds 32 bits of each hash, so that two of n keys fall together with " +
		"probability 2^-26/3, which the estimate allows for. With p = 14 its largest table holds 3072 codes: the switch is tried with as many keys, and with one more.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, c := range []counter{cardinality("hll-sparse"), cardinality("hll")} {
			for _, at := range engine.Pick(s,
				[][2]int{{14, 100}},
				[][2]int{{10, 192}, {10, 193}, {14, 1000}, {14, 3072}, {14, 3073}},
				[][2]int{{14, 10}, {14, 10000}, {14, 30000}, {16, 12288}, {16, 12289}}) {
				if c.subject.Name == "hll-sparse" || at[1] <= mostSparse(at[0]) {
					cells = append(cells, sparseCell(c, at[0], at[1]))
				}
			}
		}
		return cells
	},
}

// cardinality is a subject of the catalogue, read by Estimate.
func cardinality(name string) counter {
	for _, s := range adapters.Cardinalities {
		if s.Name == name {
			return counter{s, ownEstimator, sketchproof.Cardinality.Estimate}
		}
	}
	panic(fmt.Sprintf("experiments: no cardinality subject %s", name))
}

// mostSparse is the number of codes of the largest table, which has slots of four
// bytes and three of four in use.
func mostSparse(p int) int { return 1 << p / 4 * 3 / 4 }

// sparseCell judges a sketch by the form that it should be in: registers from the
// start are judged as if they were a set.
func sparseCell(c counter, p, n int) engine.Cell {
	exact := n <= mostSparse(p)
	metrics := []engine.Metric{notExact, sparseBytes}
	if !exact {
		metrics = []engine.Metric{spreadAtN, sparseBytes}
	}
	band := stats.Within(hll.ErtlSpread(float64(int(1)<<p), float64(n)), stats.SpreadTolerance(p))
	size := math.Min(float64(int(1)<<p), 64+32./3*float64(n))
	price := engine.Cost{Seconds: float64(n)*8e-9 + 1e-5, Bytes: 2 << p}
	trials := min(spreadTrials(p), planned(price))
	if exact {
		trials = 1024
	}
	return engine.Cell{
		Labels: record.L("subject", c.subject.Name, "p", p, "n", n), Metrics: metrics, Trials: trials, Cost: price,
		Run: func(t *engine.T) error {
			s, err := c.subject.Build(sketchproof.CardinalitySpec{Precision: p, Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			fillDistinct(s, keys(parts(t.Seed, 0)), n)
			t.Read(sparseBytes, one(float64(s.SizeBytes()) > size), 1, never)
			if exact {
				off := math.Abs(c.read(s) - float64(n))
				// Two pairs of 100 keys fall together once in 10^9 sketches.
				t.Read(notExact, one(off > max(1.5, float64(n)/1000)), 1, never)
				return nil
			}
			num, den := relativeError(c.read(s), n)
			t.Read(spreadAtN, num, den, band)
			return nil
		},
	}
}
