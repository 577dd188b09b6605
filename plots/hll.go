package plots

// hllError: is the relative error 1.04/sqrt(m), whatever n is?
var hllError = Figure{
	Name:       "relative-error",
	Experiment: "hll/error",
	Title:      "The spread of HyperLogLog estimates against 1.04/√m",
	Metric:     "spread",
	Law:        "hll.error",
	X:          Axis{Key: "n", Title: "n, distinct keys", Log: true},
	Y:          Axis{Title: "standard deviation of the estimate / n", Percent: true, Zero: true},
	Series:     []string{"subject", "estimator"},
	Panels:     "p",
	PanelTitle: "p = %s",
	Names:      map[string]string{"hll.error": "law: 1.04/√m"},
	Free:       true,
	Band:       true,
}
