package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The bits that a look-up reads until it knows the answer.
var (
	missProbes = engine.Metric{
		Name: "probes/absent", Unit: "probes", Method: stats.Mean,
		Law: "early-exit.sum", Source: "derived: the sum of fill^i for i < k",
	}
	missProbesLimit = engine.Metric{
		Name: missProbes.Name, Unit: "probes", Method: stats.Mean,
		Law: "early-exit.limit", Source: "geometric series: 1/(1 - fill)",
	}
	hitProbes = engine.Metric{
		Name: "early-exits/present", Method: stats.Invariant,
		Law: "all-k", Source: "Bloom 1970: all k bits of an added key are set",
	}
)

var bloomEarlyExit = engine.Experiment{
	Name:     "bloom/early-exit",
	Question: "How many bits does a look-up read before it stops?",
	Claims: []engine.Claim{
		{
			Text:   "an absent key stops at its first 0, on average after about 1/(1 - fill) probes",
			Source: "Probabilistic Structures; Bloom Filters & Counting Filters",
			Metric: missProbesLimit.Name, Law: missProbesLimit.Law,
		},
		{
			Text:   "an absent key reads the sum of fill^i for i < k",
			Source: "derived",
			Metric: missProbes.Name, Law: missProbes.Law,
		},
		{
			Text:   "a present key reads all k bits",
			Source: "Probabilistic Structures",
			Metric: hitProbes.Name, Law: hitProbes.Law,
		},
	},
	Method: "A filter takes a share of its design load of 10 bits a key, or more. The probes of a key are read one after the other up to the first 0, and counted. " +
		"1/(1 - fill) is allowed 3 %, the sum half a percent. The series ends after k terms, so 1/(1 - fill) is too high by a factor of 1/(1 - fill^k): " +
		"no matter at the design load, where fill^k is the false-positive rate, but much in an over-filled filter, and with few probes.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct {
			k    int
			load float64
		}
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			[]point{{7, 1}, {7, 3}},
			[]point{{7, 0.1}, {7, 0.5}, {7, 1.5}, {7, 2}, {7, 2.5}, {7, 4}, {7, 6}, {1, 1}, {2, 1}, {2, 4}, {3, 1}, {14, 1}},
			[]point{{2, 0.5}, {2, 2}, {2, 6}, {14, 0.5}, {14, 2}, {14, 4}, {7, 10}}) {
			cells = append(cells, earlyExitCell(p.k, p.load))
		}
		return cells
	},
}

func earlyExitCell(k int, load float64) engine.Cell {
	m, n := design.m(), int(math.Round(load*float64(design.n)))
	const asked = 2000
	price := cost("", n+4*asked, int(m/8))
	return engine.Cell{
		Labels:  record.L("subject", "bloom", "c", design.c, "k", k, "load", load),
		Metrics: []engine.Metric{missProbes, missProbesLimit, hitProbes},
		Trials:  min(planned(price), 4096),
		Cost:    price,
		Run: func(t *engine.T) error {
			f, err := bloom.New(bloom.Params{M: m, K: uint64(k), Hash: hashing.XX(parts(t.Seed, 1))})
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			if err := keys.addTo(f, 0, n); err != nil {
				return err
			}
			var read, early int64
			for i := n; i < n+asked; i++ {
				read += probesRead(f, keys.at(i))
			}
			present := min(n, asked)
			for i := range present {
				if probesRead(f, keys.at(i)) != int64(k) {
					early++
				}
			}
			fill := bloom.Fill(f.M(), f.K(), uint64(n))
			t.Read(missProbes, read, asked, stats.Within(bloom.MissProbes(fill, f.K()), 0.005))
			t.Read(missProbesLimit, read, asked, stats.Within(1/(1-fill), 0.03))
			t.Read(hitProbes, early, int64(present), never)
			return nil
		},
	}
}

// probesRead is the number of bits of a key up to the first 0.
func probesRead(f *bloom.Filter, key uint64) int64 {
	var read int64
	for _, p := range f.Positions(key) {
		read++
		if !f.Bit(p) {
			break
		}
	}
	return read
}
