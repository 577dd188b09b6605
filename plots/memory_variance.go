package plots

// memoryVariance: how much memory does a sketch take for its error?
var memoryVariance = Figure{
	Kind:       Dots,
	Name:       "memory-variance",
	Experiment: "cardinality/memory-variance",
	Title:      "For the same error, ull takes 0.7 and ell-martingale 0.4 of HyperLogLog's memory",
	Metric:     "memory-variance",
	Law:        "memory-variance.printed",
	X:          Axis{Key: "subject"},
	Y:          Axis{Title: "bits of registers × relative variance: twice as much takes twice the memory", Zero: true},
	Where:      map[string][]string{"p": {"7"}},
	Names:      map[string]string{"memory-variance.printed": "as printed"},
	Sorted:     true,
	Band:       true,
}
