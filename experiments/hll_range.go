package experiments

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hll"
)

var hllSmallRange = engine.Experiment{
	Name:     "hll/small-range",
	Question: "Where is HyperLogLog biased, and what mends it?",
	Claims: []engine.Claim{{
		Text:   "estimates are unbiased: the raw one above 2.5 m alone, with linear counting below it everywhere",
		Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures; Bloom Filters and HyperLogLog in Practice",
		Metric: sketchproof.MetricBias, Law: "hll.unbiased",
	}},
	Method: "Bias at 0.5 to 6 keys a register, around every switch, with the allowance of a tenth of a standard error. raw has no " +
		"linear counting: it must be seen to fail. classic switches to it at 2.5 m and is biased on both sides of the switch, " +
		"since which branch it takes depends on the estimate itself and raw is still too high above it. hll++ switches at 900 for 1024 " +
		"registers, and stops correcting at 5 m; its bias table is computed from the mean of raw and read as the paper does. loglog-beta has " +
		"no switch; its coefficients are the published ones for p = 14 and our own fit elsewhere. a martingale is unbiased at every n. " +
		"For many keys and few registers, maximum-likelihood is 1.07/m too high, as ertl-published is: 7 % with 16.",
	Plan: func(s engine.Scale) []engine.Cell {
		var readers []counter
		for _, e := range engine.Pick(s,
			[]hll.Estimator{hll.Raw, hll.Classic, hll.ErtlPublished},
			[]hll.Estimator{hll.PlusPlus, hll.LogLogBeta, hll.MaximumLikelihood},
			nil) {
			readers = append(readers, native(e))
		}
		readers = append(readers, hyperLogLogs()...)
		ratios := engine.Pick(s, []float64{0.5, 2.5}, []float64{1, 2, 3, 4, 6}, []float64{0.1, 1.5, 2.25, 2.75, 3.5, 5, 8})
		var cells []engine.Cell
		for _, p := range engine.Pick(s, []int{10}, nil, []int{14}) {
			for _, c := range readers {
				for _, ratio := range ratios {
					cells = append(cells, smallRangeCell(c, p, int(ratio*float64(int(1)<<p))))
				}
			}
		}
		for _, ratio := range engine.Pick(s, nil, []float64{0.88, 4.9}, []float64{0.8, 0.95, 4.8, 5.2}) { // its own two switches
			cell := smallRangeCell(native(hll.PlusPlus), 10, int(ratio*1024))
			cell.Trials *= 2 // near the allowance
			cells = append(cells, cell)
		}
		for _, c := range readers { // few registers, many keys: the bias that is left
			for _, p := range engine.Pick(s, nil, []int{4}, []int{5, 6}) {
				cells = append(cells, smallRangeCell(c, p, 100<<p))
			}
		}
		return cells
	},
}

// smallRangeCell measures bias alone.
func smallRangeCell(c counter, p, n int) engine.Cell {
	return errorCell(c, p, n, lawsOf(c.subject, sketchproof.MetricBias))
}
