package experiments

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/stats"
)

// The memory of a static filter over that of a Bloom filter at the same rate.
var (
	xorLess23 = engine.Metric{
		Name: "bits/bloom-bits", Method: stats.Mean,
		Law: "xor.23%-less", Source: "Bloom Filter",
	}
	xorLess15 = engine.Metric{
		Name: "bits/bloom-bits", Method: stats.Mean,
		Law: "xor.15%-less", Source: "Bloom Filters & Counting Filters",
	}
	xorOverBloom = engine.Metric{Name: "bits/bloom-bits", Method: stats.Mean}
)

var xorSpace = engine.Experiment{
	Name:     "xor/space",
	Question: "How much smaller than a Bloom filter of the same rate is an xor filter?",
	Claims: []engine.Claim{
		{
			Text:   "an xor filter uses about 23 % less space than a Bloom filter at the same rate",
			Source: "Bloom Filter",
			Metric: xorLess23.Name, Law: xorLess23.Law,
		},
		{
			Text:   "an xor filter with 8-bit fingerprints uses about 15 % less memory than a Bloom filter at the same rate, of 11.5 bits per key",
			Source: "Bloom Filters & Counting Filters",
			Metric: xorLess15.Name, Law: xorLess15.Law,
		},
	},
	Method: "Both filters hold the same keys, the Bloom filter sized for 2^-f by the exact law. Absent keys are looked up in both, and the " +
		"Bloom filter's memory is scaled to the rate measured in the other: a Bloom filter's bits go with the logarithm of its rate. One per cent of " +
		"the Bloom filter's memory is allowed either way. The ratio is 1.23 ln 2 = 0.853, since one pays 1.23 bits and the other 1/ln 2 = 1.443 " +
		"for each bit of the bound: 15 % less. 23 % less is nearer to a binary fuse filter of three slots a key, 1.125 ln 2 = 0.780; those are measured beside " +
		"it, and not judged.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, n := range engine.Pick(s, nil, []int{10000, 100000}, nil) {
			cells = append(cells, xorSpaceCell(xor8, n))
		}
		for _, n := range engine.Pick(s, nil, []int{10000}, []int{1000000}) {
			cells = append(cells, xorSpaceCell(fuse3x8, n), xorSpaceCell(fuse4x8, n))
		}
		for _, n := range engine.Pick(s, nil, nil, []int{100000}) {
			cells = append(cells, xorSpaceCell(xor16, n))
		}
		return cells
	},
}

func xorSpaceCell(kind staticKind, n int) engine.Cell {
	const events = 300
	rate := math.Ldexp(1, -kind.bits)
	probes := int(events / rate)
	price := cost("", 4*n+2*probes, 3*n)
	metrics := []engine.Metric{xorOverBloom}
	judged := kind.subject == xor8.subject || kind.subject == xor16.subject
	if judged {
		metrics = []engine.Metric{xorLess23, xorLess15}
	}
	return engine.Cell{
		Labels: kind.labels(n), Metrics: metrics, Trials: 256, Cost: price,
		Run: func(t *engine.T) error {
			keys := keys(parts(t.Seed, 0))
			f, err := kind.build(keys, n, parts(t.Seed, 1))
			if err != nil {
				return err
			}
			b, err := bloom.ForRate(uint64(n), rate, bloom.Exact, hashing.XX(parts(t.Seed, 2)))
			if err != nil {
				return err
			}
			if err := keys.addTo(b, 0, n); err != nil {
				return err
			}
			wrong, wrongBloom := keys.foundIn(f, n, n+probes), keys.foundIn(b, n, n+probes)
			if wrong == 0 || wrongBloom == 0 {
				return fmt.Errorf("no wrong answer in %d look-ups", probes)
			}
			per := func(bytes int, wrong int64) float64 { // bits paid for each bit of the bound
				return 8 * float64(bytes) / float64(n) / bloom.LowerBoundBits(float64(wrong)/float64(probes))
			}
			const scale = 1e6 // readings are whole numbers
			ratio := int64(math.Round(scale * per(f.SizeBytes(), wrong) / per(b.SizeBytes(), wrongBloom)))
			if !judged {
				t.Read(xorOverBloom, ratio, scale, stats.Band{})
				return nil
			}
			t.Read(xorLess23, ratio, scale, stats.Between(0.77, 0.76, 0.78))
			t.Read(xorLess15, ratio, scale, stats.Between(0.85, 0.84, 0.86))
			return nil
		},
	}
}
