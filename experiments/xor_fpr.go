package experiments

import (
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
)

var xorSize = xor8.sizeLaw("xor.9.84", "Graf & Lemire 2020, algorithm 3: 1.23 f")

var xorFPR = engine.Experiment{
	Name:     "xor/fpr",
	Question: "How often does a filter of 8-bit fingerprints err, and what does it take?",
	Claims: []engine.Claim{
		{
			Text:   "xor filters with 8-bit fingerprints err for about 0.39 % of absent keys",
			Source: "Bloom Filters & Counting Filters",
			Metric: fingerprintRate.Name, Law: fingerprintRate.Law,
		},
		{
			Text:   "xor filters with 8-bit fingerprints use 9.84 bits per key",
			Source: "Bloom Filters & Counting Filters",
			Metric: xorSize.Name, Law: xorSize.Law,
		},
	},
	Method: "A filter is built of n random keys; then keys never added are looked up. The rate is 2^-f from one key on, whatever n, for " +
		"xor and binary fuse filters alike. The size of an xor filter is 1.23 n + 32 slots: the 32 are 13 % of a hundred keys, and 2.6 % of " +
		"a thousand, so 9.84 bits per key are broken there, and hold from ten thousand on, to 1 %. A look-up reads three slots, " +
		"one in each third of the table, for a present key as for an absent one, and has no branch to leave early by: that is how it is " +
		"written, and nothing to be measured. Its time is the matter of the speed tables.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, n := range engine.Pick(s, []int{10000}, []int{1, 100, 1000}, []int{100000, 1000000}) {
			cells = append(cells, staticRateCell(xor8, n))
		}
		for _, n := range engine.Pick(s, nil, []int{1, 10000}, []int{1000000}) {
			cells = append(cells, staticRateCell(fuse3x8, n), staticRateCell(fuse4x8, n))
		}
		for _, subject := range engine.Pick(s, nil, []string{"xor16", "fuse3-16", "fuse4-16"}, nil) {
			cells = append(cells, staticRateCell(staticKind{subject: subject, bits: 16}, 10000))
		}
		return cells
	},
}

// staticRateCell looks absent keys up.
func staticRateCell(kind staticKind, n int) engine.Cell {
	rate := 1 / float64(uint64(1)<<kind.bits)
	group := 1
	if n < 1000 {
		group = 16 // which keys there are is of no matter to the rate; let there be some
	}
	probes := probesFor(rate) / group
	price := cost("", group*(2*n+probes), 3*n)
	metrics := []engine.Metric{fingerprintRate}
	if kind == xor8 {
		metrics = append(metrics, xorSize)
	}
	return engine.Cell{
		Labels: kind.labels(n), Metrics: metrics, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			var found, bits int64
			for i := range group {
				keys := keys(parts(t.Seed, 2*i))
				f, err := kind.build(keys, n, parts(t.Seed, 2*i+1))
				if err != nil {
					return err
				}
				found += keys.foundIn(f, n, n+probes)
				bits += 8 * int64(f.SizeBytes())
			}
			t.Read(fingerprintRate, found, int64(group*probes), adapters.RateBand(rate))
			if kind == xor8 {
				t.Read(xorSize, bits, int64(group*n), kind.sizeBand())
			}
			return nil
		},
	}
}
