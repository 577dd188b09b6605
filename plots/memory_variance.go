package plots

// memoryVariance: how much memory does a sketch take for its error?
var memoryVariance = Figure{
	Kind:       Dots,
	Name:       "memory-variance",
	Experiment: "cardinality/memory-variance",
	Title:      "Memory that distinct-count sketches take for the same error",
	Metric:     "memory-variance",
	Law:        "memory-variance.printed",
	X:          Axis{Key: "subject"},
	Y:          Axis{Title: "bits of registers × relative variance: twice as much takes twice the memory", Zero: true},
	Where:      map[string][]string{"p": {"7"}},
	Names:      map[string]string{"memory-variance.printed": "as printed"},
	Sorted:     true,
	Band:       true,
}
