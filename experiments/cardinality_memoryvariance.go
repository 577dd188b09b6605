package experiments

import (
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/ell"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/impl/ull"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// Bits of memory times the squared relative error: as printed for many keys, as
// derived for the keys that there are, and by what is written.
var (
	productPrinted = engine.Metric{
		Name: "memory-variance", Unit: "bits", Method: stats.Mean,
		Law: "memory-variance.printed", Source: "Flajolet et al. 2007, Theorem 1; Ertl 2023; Ertl 2024; Cohen 2015; Ting 2014",
	}
	productAtN = engine.Metric{
		Name: productPrinted.Name, Unit: "bits", Method: stats.Mean,
		Law: "memory-variance.at-n", Source: "derived from Fisher's information, and from Cohen 2015, at n keys",
	}
	productWritten = engine.Metric{Name: "memory-variance-written", Unit: "bits", Method: stats.Mean}
)

// A product is what is known of one subject: bits of a register, the printed
// constant, and the relative variance of m registers at n keys.
type product struct {
	subject  string
	bits     float64
	printed  float64
	variance func(m, n float64) float64
}

func square(err func(m, n float64) float64) func(m, n float64) float64 {
	return func(m, n float64) float64 { e := err(m, n); return e * e }
}

func standardELL(err func(t, d int, m, n float64) float64) func(m, n float64) float64 {
	return func(m, n float64) float64 { return err(2, 20, m, n) }
}

// products are the subjects that a memory-variance product is printed for. That
// of ExaLogLog's martingale follows from the formula of Ertl 2024, which prints it
// for d = 16.
var products = []product{
	{"hll-packed", 6, 6.48, square(hll.ErtlSpread)},
	{"ull", 8, 4.63, square(ull.MLError)},
	{"ull-martingale", 8, 3.47, square(ull.MartingaleError)},
	{"ell", 28, 3.67, square(standardELL(ell.MLError))},
	{"ell-martingale", 28, ell.PrintedMartingaleMemoryVariance(2, 20), square(standardELL(ell.MartingaleError))},
}

var cardinalityMemoryVariance = engine.Experiment{
	Name:     "cardinality/memory-variance",
	Question: "How much memory does a sketch take for its error?",
	Claims: []engine.Claim{{
		Text: "bits of memory times relative variance: HyperLogLog of six bits 6.48, UltraLogLog 4.63 and as a martingale 3.47, " +
			"ExaLogLog (2, 20) 3.67 and as a martingale 2.83",
		Source: "Flajolet et al. 2007; Ertl 2023; Ertl 2024",
		Metric: productPrinted.Name, Law: productPrinted.Law,
	}, {
		Text:   "at n keys the product is lower, by the bits of a register times m/n",
		Source: "derived: n is given, and not Poisson as where the constants come from",
		Metric: productAtN.Name, Law: productAtN.Law,
	}},
	Method: "The mean of (estimate/n - 1)^2 over fresh sketches, 32 in a trial, times the bits of their registers, which memory and serialized form have alike: " +
		"28 bits of ExaLogLog are packed in both. The band is twice the tolerance of a spread. Beside the registers, memory holds a tally of " +
		"about 260 bytes, whatever the precision, so that an estimate does not look at all registers; a martingale holds and writes 8 bytes of " +
		"estimate more; and the written form has a header of 50 to 80 bytes: memory-variance-written counts all that is written, which is " +
		"much for 2^7 registers and little for 2^14. With 20 bits for values that were given, ExaLogLog comes to its constant slowly: at 200 " +
		"keys a register it is 4 % under it, at 40 it would be 19 %. The printed constant of ExaLogLog takes its values to be geometric; " +
		"they have steps, and with these the limit is 3.697, or 2.840 as a martingale.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct{ p, times, trials int }
		var cells []engine.Cell
		for _, p := range engine.Pick(s, []point{{8, 1, 512}}, []point{{7, 200, 1024}}, []point{{10, 400, 1024}, {12, 200, 512}}) {
			for _, of := range products {
				cells = append(cells, productCell(of, p.p, p.times<<p.p, p.trials))
			}
		}
		return cells
	},
}

// cardinalitySubject is the subject of a name.
func cardinalitySubject(name string) adapters.Cardinality {
	for _, s := range adapters.Cardinalities {
		if s.Name == name {
			return s
		}
	}
	panic("experiments: no cardinality subject is named " + name)
}

// productGroup is how many sketches a trial builds: the mean of their squares is far
// less skewed than one.
const productGroup = 32

func productCell(of product, p, n, trials int) engine.Cell {
	subject := cardinalitySubject(of.subject)
	bits := of.bits * float64(int(1)<<p)
	atN := sync.OnceValue(func() float64 { return bits * of.variance(float64(int(1)<<p), float64(n)) })
	tolerance := 2 * stats.SpreadTolerance(p)
	metrics := []engine.Metric{productAtN, productWritten}
	if n >= 100<<p {
		metrics = append(metrics, productPrinted)
	}
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "p", p, "n", n),
		Metrics: metrics, Trials: trials, Cost: engine.Cost{Seconds: productGroup * (float64(n)*2.5e-9 + 3e-6), Bytes: int64(bits / 8)},
		Run: func(t *engine.T) error {
			squares, written := 0.0, 0
			for i := range productGroup {
				s, err := subject.Build(sketchproof.CardinalitySpec{Precision: p, Seed: parts(t.Seed, 2*i+1)})
				if err != nil {
					return err
				}
				fillDistinct(s, keys(parts(t.Seed, 2*i)), n)
				e := s.Estimate()/float64(n) - 1
				squares += e * e
				if i == 0 {
					data, err := subject.Encode(s)
					if err != nil {
						return err
					}
					written = 8 * len(data) // the same for all
				}
			}
			const unit = 1e9
			read := func(m engine.Metric, bits float64, band stats.Band) {
				t.Read(m, int64(bits*squares/productGroup*unit), unit, band)
			}
			read(productAtN, bits, stats.Within(atN(), tolerance))
			read(productWritten, float64(written), stats.Band{})
			if n >= 100<<p {
				read(productPrinted, bits, stats.Within(of.printed, tolerance))
			}
			return nil
		},
	}
}
