package report

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	rateMetric   = engine.Metric{Name: "false-positives/absent", Method: stats.Rate, Law: "bloom.classic", Source: "Bloom 1970"}
	spreadMetric = engine.Metric{Name: "spread", Method: stats.Spread, Law: "hll.spread", Source: "Flajolet et al. 2007"}
	sizeMetric   = engine.Metric{Name: "bits/key", Unit: "bits", Method: stats.Mean}
)

// row is a judgement whose interval is the estimate give or take a hundredth
// part, under a band of 2 % around the prediction.
func row(cell string, m engine.Metric, estimate, predicted float64) record.Summary {
	_, labels := record.ParseCell(cell)
	iv := stats.Interval{Lo: estimate * 0.99, Hi: estimate * 1.01}
	band := stats.Within(predicted, 0.02)
	return record.Summary{
		Cell: cell, Subject: labels.Value("subject"), Metric: m.Name, Trials: 128, Estimate: estimate, Lo: iv.Lo, Hi: iv.Hi,
		Confidence: 1 - 1e-7, Law: m.Law, Predicted: predicted, AllowedLo: band.Lo, AllowedHi: band.Hi, Verdict: stats.Judge(iv, band),
	}
}

// reading is a row that nothing judges.
func reading(cell string, m engine.Metric, estimate float64) record.Summary {
	s := row(cell, m, estimate, math.NaN())
	s.Law, s.AllowedLo, s.AllowedHi = "", math.Inf(-1), math.Inf(1)
	return s
}

func cell(name, module string, metrics ...engine.Metric) engine.Cell {
	experiment, labels := record.ParseCell(name)
	return engine.Cell{Experiment: experiment, Labels: labels, Module: module, Metrics: metrics}
}

// sample has every kind of row, verdict, figure and table.
func sample() Input {
	in := Input{
		Manifest: record.Manifest{
			Scale: "ci", Seed: 7, Go: "go1.26", Arch: "amd64/v1", Modules: map[string]string{"example.org/lib": "v1.2.3", "example.org/a_b": "v2"},
		},
		Experiments: []engine.Experiment{
			{
				Name: "bloom/fpr", Question: "Is the false-positive rate of a Bloom filter (1 - e^(-kn/m))^k?",
				Claims: []engine.Claim{
					{Text: "the false-positive rate is near (1 - e^(-kn/m))^k", Source: "all five documents", Metric: rateMetric.Name, Law: rateMetric.Law},
					{Text: "P(Negative | x not in S) = 1.0", Source: "Bloom Filters & Counting Filters", Law: "bloom.guarantee"},
				},
				Method: "A fresh filter takes n random keys; then absent keys are looked up.",
			},
			{
				Name: "hll/error", Question: "Is the relative error of HyperLogLog 1.04/√m?", Method: "Fresh keys each time.",
				Claims: []engine.Claim{{Text: "the error is 1.04/√m", Source: "three documents"}},
			},
			{Name: "cuckoo/load", Question: "How full does a cuckoo filter get?"},
		},
		Figures: []Figure{
			{Experiment: "bloom/fpr", File: "bloom/fpr/rate.png", Title: "Rate over probes"},
			{Experiment: "bloom/fpr", Title: "Rate over bits"},
		},
		Tables: []Table{{
			Title: "Time per operation", Header: []string{"subject", "keys", "add"}, Note: "One core, 2 MiB of cache.", Command: "make bench",
			Rows: [][]string{{"bloom|native", "10000", "12.5 ns"}, {"lib", "1000000", "74.1 ns"}},
		}},
		Folder: "results", DefaultSeed: 1,
	}
	add := func(module string, m engine.Metric, s record.Summary) {
		in.Rows = append(in.Rows, s)
		in.Cells = append(in.Cells, cell(s.Cell, module, m))
	}
	const lib = "example.org/lib@v1.2.3"
	add("", rateMetric, row("bloom/fpr/subject=bloom/c=8/k=6", rateMetric, 0.0216, 0.0216))
	add("", rateMetric, row("bloom/fpr/subject=bloom/c=10/k=7", rateMetric, 0.00835, 0.00819))
	add(lib, rateMetric, row("bloom/fpr/subject=lib/c=8/k=6", rateMetric, 0.03, 0.0216))
	add(lib, rateMetric, row("bloom/fpr/subject=lib/c=4/k=3", rateMetric, 0.5, 0.147))
	in.Rows = append(in.Rows, record.Summary{
		Cell: "bloom/fpr/subject=lib/c=4/k=3", Subject: "lib", Metric: "faults/trial", Trials: 3, Estimate: 1.0 / 3, Lo: 1e-8, Hi: 0.999,
		Law: "no-fault", Verdict: stats.Broken,
	})
	for p := range 32 {
		name := fmt.Sprintf("hll/error/subject=hll/p=%d", p)
		e := 1.04 / math.Sqrt(float64(p+1))
		if p == 20 {
			e *= 1.5
		}
		add("", spreadMetric, row(name, spreadMetric, e, 1.04/math.Sqrt(float64(p+1))))
		add("", sizeMetric, reading(name, sizeMetric, 6*float64(p+1)))
	}
	lost := row("hll/error/subject=hll/p=99", spreadMetric, math.NaN(), math.NaN())
	lost.Lo, lost.Hi = math.Inf(-1), math.Inf(1)
	in.Rows = append(in.Rows, lost)
	bound := row("old/sizes/subject=a|b/kind=*x*", engine.Metric{Name: "false-positives/absent", Law: "design"}, 3.2e-6, 1e-6)
	bound.AllowedLo = math.Inf(-1)
	in.Rows = append(in.Rows, bound)
	return in
}
