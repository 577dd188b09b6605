package experiments

import (
	"math"
	"strings"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What a sketch takes, in memory and written down.
var (
	bytesHeld = engine.Metric{
		Name: "bytes-held/sketch", Method: stats.Mean,
		Law: "hll.memory", Source: "Bloom Filters & Probabilistic Data Structures: six bits a register",
	}
	bytesWritten = engine.Metric{
		Name: "bytes-written/sketch", Method: stats.Mean,
		Law: bytesHeld.Law, Source: bytesHeld.Source,
	}
	twoPerCent = engine.Metric{
		Name: sketchproof.MetricSpread, Method: stats.Spread,
		Law: "hll.two-per-cent", Source: "Bloom Filters & Probabilistic Data Structures: about 2 % in 1.5 KB",
	}
)

var hllMemory = engine.Experiment{
	Name:     "hll/memory",
	Question: "Does a sketch take 1, 12 and 48 KB at p = 10, 14 and 16?",
	Claims: []engine.Claim{
		{
			Text:   "1, 12 and 48 KB of memory at p = 10, 14 and 16",
			Source: "Bloom Filters & Probabilistic Data Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: bytesHeld.Name, Law: bytesHeld.Law,
		},
		{
			Text:   "1, 12 and 48 KB written down",
			Source: "Bloom Filters & Probabilistic Data Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: bytesWritten.Name, Law: bytesWritten.Law,
		},
		{
			Text:   "about 2 % error in 1.5 KB, whatever the number of keys",
			Source: "Bloom Filters & Probabilistic Data Structures",
			Metric: twoPerCent.Name, Law: twoPerCent.Law,
		},
	},
	Method: "Bytes that the subject says it holds, and bytes that it writes, after 100 keys and after a key a register, for every " +
		"HyperLogLog. A printed figure is kept when it is not exceeded by more than half a kilobyte. Registers of eight bits take 16 and 64 KB at p = 14 and " +
		"16: they break the law on purpose, for speed. What axiomhq holds is that of its dense form; it does not tell more. 1.5 KB are 2048 registers of six " +
		"bits, whose law says 2.3 %; 2 % is taken as printed, to one digit.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Cardinalities {
			if !strings.Contains(subject.Name, "hll") {
				continue
			}
			for _, p := range engine.Pick(s, []int{10}, []int{14, 16}, nil) {
				for _, n := range []int{100, 1 << p} {
					cells = append(cells, hllMemoryCell(subject, p, n))
				}
			}
			if subject.Name == "hll-packed" {
				for _, n := range engine.Pick(s, nil, []int{20 << 11}, []int{1000 << 11}) {
					cells = append(cells, twoPerCentCell(subject, n))
				}
			}
		}
		return cells
	},
}

// printedKB are the kilobytes printed for a precision.
var printedKB = map[int]float64{10: 1, 14: 12, 16: 48}

func hllMemoryCell(subject adapters.Cardinality, p, n int) engine.Cell {
	metrics := []engine.Metric{bytesHeld}
	if subject.Encode != nil {
		metrics = append(metrics, bytesWritten)
	}
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "p", p, "n", n), Module: adapters.At(subject.Module), Metrics: metrics,
		Trials: 32, Cost: cost(subject.Module, n, 2<<p),
		Run: func(t *engine.T) error {
			s, err := subject.Build(sketchproof.CardinalitySpec{Precision: p, Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			fillDistinct(s, keys(parts(t.Seed, 0)), n)
			band := stats.Between(1024*printedKB[p], math.Inf(-1), 1024*(printedKB[p]+0.5))
			t.Read(bytesHeld, int64(s.SizeBytes()), 1, band)
			if subject.Encode == nil {
				return nil
			}
			data, err := subject.Encode(s)
			if err != nil {
				return err
			}
			t.Read(bytesWritten, int64(len(data)), 1, band)
			return nil
		},
	}
}

// twoPerCentCell is about 2048 registers. Beyond 20 keys a register the spread
// changes by no more than 2.3 %.
func twoPerCentCell(subject adapters.Cardinality, n int) engine.Cell {
	c := counter{subject, ownEstimator, sketchproof.Cardinality.Estimate}
	cell := errorCell(c, 11, n, []*cardinalityLaw{{metric: twoPerCent, predict: func(sketchproof.Cardinality, sketchproof.CardinalitySpec, int) stats.Band {
		return stats.Between(0.02, 0.015, 0.025)
	}}})
	return cell
}
