package plots

// crossover: what does each filter take at a rate, over what any must take? Of
// structures that are as large as another one, or off the page, one is drawn.
var crossover = Figure{
	Name:       "bits-over-rate",
	Experiment: "cuckoo/crossover",
	Title:      "Cuckoo filters take less than Bloom filters at low rates, ribbon and burr at all rates",
	Metric:     "bits/key",
	Law:        "lower-bound",
	X:          Axis{Key: "eps", Title: "false-positive rate asked for", Log: true},
	Y:          Axis{Title: "bits per key / log2(1/rate)", Min: 1, Max: 2.2},
	Series:     []string{"subject"},
	Where: map[string][]string{
		"n":       {"10000"},
		"subject": {"bloom", "blocked-line", "cuckoo", "cuckoo-semisorted", "quotient", "xor8", "xor16", "fuse4-8", "fuse4-16", "ribbon", "burr"},
	},
	Relative: true,
	Names:    map[string]string{"lower-bound": "lower bound"},
}
