package experiments

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/counting"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The memory of a counting filter over that of a Bloom filter that errs as often.
var (
	fourTimes = engine.Metric{
		Name: "bits/bloom-bit", Method: stats.Mean,
		Law: "counting.width", Source: "Fan et al. 2000: a cell of w bits stands in for each bit",
	}
	threeToFour = engine.Metric{
		Name: fourTimes.Name, Method: stats.Mean,
		Law: "counting.3-to-4", Source: "as printed: 3 to 4 times, 2 % allowed for what is measured",
	}
)

var countingSpace = engine.Experiment{
	Name:     "counting/space",
	Question: "How many times the memory of a Bloom filter does a counting filter take?",
	Claims: []engine.Claim{
		{
			Text:   "a counting filter of 4-bit counters takes 4 times the memory",
			Source: "Bloom Filter, 7.1; Bloom Filters & Counting Filters; Bloom Filters and HyperLogLog in Practice",
			Metric: fourTimes.Name, Law: fourTimes.Law,
		},
		{
			Text:   "counting Bloom filters use 3 to 4 times the memory",
			Source: "Bloom Filters & Probabilistic Data Structures",
			Metric: threeToFour.Name, Law: threeToFour.Law,
		},
	},
	Method: "Both filters hold the same number of keys, each its own. Their bits per key are divided by the binary logarithm of one over the rate " +
		"that is measured in each, so that they are compared as if they erred equally often. What is printed as 3 to 4 is 4, for whoever compares " +
		"equal rates: the one end of the range; 3 would ask for a quarter fewer cells, and a rate of 3 % in place of 1 %. 8 and 16 bits are beyond it.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct {
			bits int
			eps  float64
		}
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			[]point{{4, 0.1}},
			[]point{{4, 0.01}, {4, 0.001}, {8, 0.01}, {16, 0.01}}, nil) {
			cells = append(cells, countingSpaceCell(p.bits, 10000, p.eps))
		}
		return cells
	},
}

func countingSpaceCell(cellBits, n int, eps float64) engine.Cell {
	probes := int(max(400/eps, 40000))
	price := cost("", 2*(n+probes), 5*n)
	metrics := []engine.Metric{fourTimes}
	if cellBits == 4 {
		metrics = append(metrics, threeToFour)
	}
	return engine.Cell{
		Labels:  record.L("subject", countingName(cellBits), "n", n, "eps", eps),
		Metrics: metrics, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			c, err := counting.ForRate(uint64(n), eps, cellBits, hashing.XX(parts(t.Seed, 1)))
			if err != nil {
				return err
			}
			b, err := bloom.ForRate(uint64(n), eps, bloom.Exact, hashing.XX(parts(t.Seed, 2)))
			if err != nil {
				return err
			}
			counters, err := bitsPerBound(c, keys(parts(t.Seed, 0)), n, probes)
			if err != nil {
				return err
			}
			bits, err := bitsPerBound(b, keys(parts(t.Seed, 3)), n, probes)
			if err != nil {
				return err
			}
			const scale = 1e6 // readings are whole numbers
			ratio, width := int64(math.Round(scale*counters/bits)), float64(cellBits)
			t.Read(fourTimes, ratio, scale, stats.Within(width, 0.01))
			if len(metrics) > 1 {
				t.Read(threeToFour, ratio, scale, stats.Between(width, 3, 4*1.02))
			}
			return nil
		},
	}
}

// bitsPerBound fills a filter with the keys number 0 to n-1, measures its rate
// and returns its bits per key over log2(1/rate).
func bitsPerBound(f interface {
	sketchproof.Filter
	sketchproof.Adder
}, keys keys, n, probes int,
) (float64, error) {
	if err := keys.addTo(f, 0, n); err != nil {
		return 0, err
	}
	found := keys.foundIn(f, n, n+probes)
	if found == 0 {
		return 0, fmt.Errorf("no wrong answer in %d look-ups", probes)
	}
	return 8 * float64(f.SizeBytes()) / float64(n) / bloom.LowerBoundBits(float64(found)/float64(probes)), nil
}
