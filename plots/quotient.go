package plots

// quotientRate: does the rate follow the load, below its bound?
var quotientRate = Figure{
	Name:       "quotient-false-positive-rate",
	Experiment: "quotient/fpr",
	Title:      "A quotient filter errs in proportion to its load, and never reaches its bound",
	Metric:     "false-positives/absent",
	Law:        "quotient.poisson",
	Laws:       []string{"quotient.bound"},
	X:          Axis{Key: "load", Title: "a, keys per slot", Zero: true},
	Y:          Axis{Title: "false positives per absent key", Percent: true, Zero: true},
	Series:     []string{"subject"},
	Panels:     "r",
	PanelTitle: "remainders of %s bits",
	Where:      map[string][]string{"slots": {"4096"}, "r": {"4", "6", "8"}},
	Names: map[string]string{
		"quotient.poisson": "law: 1 − exp(−a / 2^{r})", "quotient.bound": "bound: 2^{−r}",
	},
	Free: true,
}
