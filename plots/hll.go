package plots

// hllError: is the relative error 1.04/sqrt(m)?
var hllError = Figure{
	Name:       "relative-error",
	Experiment: "hll/error",
	Title:      "HyperLogLog's estimates spread as 1.04/√m says, whichever estimator reads them",
	Metric:     "spread",
	Law:        "hll.error",
	X:          Axis{Key: "p", Title: "p, with 2^{p} registers"},
	Y:          Axis{Title: "root mean square of estimate / n − 1", Log: true, Percent: true},
	Series:     []string{"subject", "estimator"},
	Names:      map[string]string{"hll.error": "law: 1.04/√m"},
	Band:       true,
}

// hllBias: where is each estimator biased?
var hllBias = Figure{
	Name:       "hll-bias",
	Experiment: "hll/small-range",
	Title:      "With few keys in 1024 registers, the raw and classic estimators are biased, the others not",
	Metric:     "bias",
	Law:        "hll.unbiased",
	X:          Axis{Key: "n", Title: "n, distinct keys", Log: true},
	Y:          Axis{Title: "mean of estimate / n − 1", Percent: true, Min: -0.02, Max: 0.08},
	Series:     []string{"subject"},
	Panels:     "estimator",
	PanelTitle: "%s",
	Where:      map[string][]string{"p": {"10"}, "subject": {"hll", "hll-martingale", "axiomhq-hll"}},
	Names:      map[string]string{"hll.unbiased": "law: no bias", "own": "own, of each sketch"},
	Band:       true,
}
