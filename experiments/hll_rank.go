package experiments

import (
	"math"
	"math/bits"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
)

// A printedSketch is HyperLogLog as a document prints it, to put it on trial as it
// stands. Keys come as hashes: the claims are not about the hash.
type printedSketch struct {
	p         int
	registers []int
	rank      func(hash uint64, p int) int
	// linear says that small counts are left to linear counting.
	linear bool
}

func (s *printedSketch) AddHash(hash uint64) {
	i := hash >> (64 - s.p)
	s.registers[i] = max(s.registers[i], s.rank(hash, s.p))
}

func (s *printedSketch) Add(key uint64) { s.AddHash(key) }

func (s *printedSketch) Estimate() float64 {
	m := float64(len(s.registers))
	sum, zeros := 0.0, 0.0
	for _, r := range s.registers {
		sum += math.Ldexp(1, -r)
		if r == 0 {
			zeros++
		}
	}
	// All print this constant for 128 registers and more.
	e := 0.7213 / (1 + 1.079/m) * m * m / sum
	if s.linear && e <= 2.5*m && zeros > 0 {
		return m * math.Log(m/zeros)
	}
	return e
}

func (s *printedSketch) SizeBytes() int { return len(s.registers) * 6 / 8 }

// The ranks as printed.
var (
	// “Bloom Filters & Probabilistic Data Structures”, code, and the same in
	// “Probabilistic Structures”: (64 - p) - rest.bit_length() + 1 for the lowest
	// 64 - p bits.
	maskedRank = func(hash uint64, p int) int { return 64 - p - bits.Len64(hash&(1<<(64-p)-1)) + 1 }
	// “Bloom Filters & Probabilistic Data Structures”, text: M_j is the maximum
	// number of leading zeros, without one more.
	zerosAlone = func(hash uint64, p int) int { return maskedRank(hash, p) - 1 }
	// “Bloom Filters and HyperLogLog in Practice”, code: the rest is shifted to
	// the top of 64 bits, and its length then taken for that of 64 - p bits.
	shiftedRank = func(hash uint64, p int) int { return 64 - p - bits.Len64(hash<<p) + 1 }
)

// printedCounter is a document's HyperLogLog as a counter, under the laws of ours.
func printedCounter(name string, rank func(uint64, int) int, linear bool) counter {
	ours := cardinality("hll").subject
	return counter{
		subject: adapters.Cardinality{
			Name: name, Laws: ours.Laws,
			Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
				return &printedSketch{spec.Precision, make([]int, 1<<spec.Precision), rank, linear}, nil
			},
		},
		estimator: "printed", read: sketchproof.Cardinality.Estimate,
	}
}

var hllRank = engine.Experiment{
	Name:     "hll/rank",
	Question: "What must a register keep: the zeros, the zeros and one, or the zeros of a shifted hash?",
	Claims: []engine.Claim{
		{
			Text: "the printed estimate, alpha m^2 / sum 2^-M, counts keys when M is as printed: the zeros and one (masked), the zeros alone " +
				"(zeros-alone), the zeros of the shifted hash (shifted)",
			Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: sketchproof.MetricBias, Law: "hll.unbiased",
		},
		{
			Text:   "the standard error is 1.04/sqrt(m)",
			Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: sketchproof.MetricSpread, Law: "hll.error",
		},
	},
	Method: "Each as printed, with its own hash replaced by 64 random bits. masked is the code of the first two documents, and right. zeros-alone is the text of " +
		"“Bloom Filters & Probabilistic Data Structures”: every register is one less, the sum twice as large, and the estimate half of the truth. shifted is " +
		"the code of “Bloom Filters and HyperLogLog in Practice”, which takes the bit length of a word of 64 bits for that of one of 64 - p: every rank is p " +
		"less, and negative for most keys. A register then stays 0 until it meets p zeros in a row, so that the estimate is near 0.72 m for few keys, and " +
		"near n/2^p for very many.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, c := range []counter{
			printedCounter("masked", maskedRank, true),
			printedCounter("zeros-alone", zerosAlone, true),
			printedCounter("shifted", shiftedRank, false),
		} {
			for _, at := range engine.Pick(s, []counts{{8, 64}}, []counts{{8, 10240}}, []counts{{14, 327680}}) {
				cells = append(cells, spreadCell(c, at.p, at.n))
			}
		}
		return cells
	},
}

// counts are a precision and a number of keys.
type counts struct{ p, n int }
