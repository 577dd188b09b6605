package experiments

import (
	"math"
	"math/bits"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The longest run of zeros among n hashes, beside log2 n.
var (
	runNearLog = engine.Metric{
		Name: "run-log2n", Method: stats.Mean,
		Law: "hll.run-loosely", Source: "Probabilistic Structures: the run follows log2(n) loosely",
	}
	runMean = engine.Metric{
		Name: runNearLog.Name, Method: stats.Mean,
		Law: "hll.run-mean", Source: "the maximum of n geometric variables",
	}
	runVariance = engine.Metric{
		Name: "run-variance", Method: stats.Mean,
		Law: "hll.run-variance", Source: "the maximum of n geometric variables",
	}
	powerWithinTwo = engine.Metric{
		Name: "beyond-factor-two/estimate", Method: stats.Rate,
		Law: "hll.run-factor", Source: "the maximum of n geometric variables",
	}
)

var hllOneRegister = engine.Experiment{
	Name:     "hll/one-register",
	Question: "How well does the longest run of zeros of a single register tell the number of keys?",
	Claims: []engine.Claim{
		{
			Text:   "the longest run of leading zeros is about log2 n: within half a bit, on average",
			Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: runNearLog.Name, Law: runNearLog.Law,
		},
		{
			Text:   "2 to the longest run has high variance: it is off by more than a factor of two, up or down, about half the time",
			Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures",
			Metric: powerWithinTwo.Name, Law: powerWithinTwo.Law,
		},
	},
	Method: "n keys are hashed and the longest run of leading zeros, R, is kept: at most r with probability (1 - 2^-(r+1))^n, from which mean, " +
		"variance and the chance that 2^R is more than twice or less than half of n follow exactly. R lies a third of a bit above log2 n, and has a " +
		"standard deviation of 1.87 bits whatever n. 2^R has no useful mean: it doubles with every bit that it is late by.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, n := range engine.Pick(s, []int{100}, []int{10, 1000}, []int{100000}) {
			cells = append(cells, oneRegisterCell(n))
		}
		return cells
	},
}

// A longestRun is the exact distribution of the longest run.
type longestRun struct{ mean, variance, beyond float64 }

func longestRunOf(n int) (l longestRun) {
	square, log := 0.0, math.Log2(float64(n))
	below := 0.0 // P(R < r)
	for r := range 64 {
		upTo := math.Exp(float64(n) * math.Log1p(-math.Exp2(-float64(r+1))))
		p, x := upTo-below, float64(r)
		l.mean, square = l.mean+p*x, square+p*x*x
		if math.Abs(x-log) > 1 {
			l.beyond += p
		}
		below = upTo
	}
	l.variance = square - l.mean*l.mean
	return l
}

func oneRegisterCell(n int) engine.Cell {
	law, log := longestRunOf(n), math.Log2(float64(n))
	const group, parts9 = 16, 1e9 // registers a trial
	return engine.Cell{
		Labels:  record.L("subject", "one-register", "n", n),
		Metrics: []engine.Metric{runNearLog, runMean, runVariance, powerWithinTwo},
		Trials:  4096, Cost: engine.Cost{Seconds: group * float64(n) * 3e-9},
		Run: func(t *engine.T) error {
			sum, square, beyond := 0.0, 0.0, int64(0)
			for i := range group {
				keys, hash := keys(parts(t.Seed, 2*i)), hashing.XX(parts(t.Seed, 2*i+1))
				least := uint64(math.MaxUint64) // which has the longest run
				for i := range n {
					least = min(least, hash.Uint64(keys.at(i)))
				}
				r := float64(bits.LeadingZeros64(least))
				sum, square = sum+r-log, square+(r-law.mean)*(r-law.mean)
				beyond += one(math.Abs(r-log) > 1)
			}
			const many = group * parts9
			t.Read(runNearLog, int64(math.Round(sum*parts9)), many, stats.Between(0, -0.5, 0.5))
			t.Read(runMean, int64(math.Round(sum*parts9)), many, stats.Between(law.mean-log, law.mean-log-0.1, law.mean-log+0.1))
			t.Read(runVariance, int64(math.Round(square*parts9)), many, stats.Within(law.variance, 0.1))
			t.Read(powerWithinTwo, beyond, group, stats.Within(law.beyond, 0.05))
			return nil
		},
	}
}
