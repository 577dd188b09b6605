package plots

import (
	"math"
	"math/rand/v2"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// judged is a row with an interval of a relative width around a reading that is
// off the prediction by a relative error, under a band of 5 %.
func judged(cell, metric, law string, predicted, off, width float64) record.Summary {
	estimate := predicted * (1 + off)
	iv := stats.Interval{Lo: estimate * (1 - width), Hi: estimate * (1 + width)}
	band := stats.Within(predicted, 0.05)
	_, labels := record.ParseCell(cell)
	return record.Summary{
		Cell: cell, Subject: labels.Value("subject"), Metric: metric, Trials: 20,
		Estimate: estimate, Lo: iv.Lo, Hi: iv.Hi, Confidence: 1 - 1e-7,
		Law: law, Predicted: predicted, AllowedLo: band.Lo, AllowedHi: band.Hi,
		Verdict: stats.Judge(iv, band),
	}
}

// bloomRows are 6 subjects, 3 panels and 8 values of k, with rates down to
// 10^-5; holiday's keys collide, so it errs more often than the law allows.
func bloomRows() []record.Summary {
	rng := rand.New(rand.NewPCG(1, 0))
	var rows []record.Summary
	for _, c := range []float64{8, 16, 24} {
		for _, subject := range []string{"sketchproof", "bits-and-blooms", "holiday", "blocked", "double-hashing", "greatroar"} {
			for _, k := range []float64{1, 2, 4, 6, 8, 11, 14, 17} {
				predicted := math.Pow(1-math.Exp(-k/c), k)
				off, width := 0.01*rng.NormFloat64(), 0.02
				if subject == "holiday" {
					off = 0.03 * k
				}
				if predicted < 1e-4 {
					width = 0.4
				}
				cell := record.CellName("bloom/fpr", record.L("subject", subject, "n", 10000, "c", c, "k", k))
				rows = append(rows, judged(cell, "false-positives/absent", "bloom.classic", predicted, off, width))
			}
		}
	}
	return rows
}

// boundRows are 9 filters and what they pay for each bit of the bound.
func boundRows() []record.Summary {
	paid := []struct {
		subject string
		ratio   float64
	}{
		{"bloom", 1 / math.Ln2},
		{"blocked-bloom", 1.72},
		{"counting-bloom", 4 / math.Ln2},
		{"cuckoo", 1.32},
		{"seiflotfy/cuckoofilter", 1.61},
		{"quotient", 1.45},
		{"xor8", 1.23},
		{"binary-fuse8", 1.13},
		{"ribbon", 1.05},
	}
	var rows []record.Summary
	for _, x := range paid {
		cell := record.CellName("bloom/lower-bound", record.L("subject", x.subject, "n", 1000000))
		row := judged(cell, "bits/bound", "lower-bound", 1, x.ratio-1, 0.02)
		row.AllowedLo, row.AllowedHi = 1, math.Inf(1)
		row.Verdict = stats.Judge(stats.Interval{Lo: row.Lo, Hi: row.Hi}, stats.AtLeast(1))
		rows = append(rows, row)
	}
	return rows
}

// hllRows are 5 series and 6 panels; the raw estimator is broken at small n.
func hllRows() []record.Summary {
	rng := rand.New(rand.NewPCG(2, 0))
	var rows []record.Summary
	for _, p := range []int{4, 8, 10, 12, 14, 16} {
		for _, s := range [][2]string{
			{"sketchproof", "classic"}, {"sketchproof", "ertl"}, {"sketchproof", "raw"}, {"axiomhq", "beta"}, {"clarkduvall", "hll++"},
		} {
			for e := 2; e <= 9; e++ {
				predicted := 1.04 / math.Sqrt(math.Exp2(float64(p)))
				off := 0.02 * rng.NormFloat64()
				if s[1] == "raw" && e < 5 {
					off = 0.5
				}
				cell := record.CellName("hll/error", record.L("subject", s[0], "estimator", s[1], "p", p, "n", int64(math.Pow10(e))))
				rows = append(rows, judged(cell, "spread", "hll.error", predicted, off, 0.06))
			}
		}
	}
	return rows
}

// allRows are those of every figure.
func allRows() []record.Summary {
	return append(append(bloomRows(), boundRows()...), hllRows()...)
}
