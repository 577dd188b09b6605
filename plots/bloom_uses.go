package plots

// bloomEarlyExit: after how many bits does a look-up know?
var bloomEarlyExit = Figure{
	Name:       "probes-of-absent-keys",
	Experiment: "bloom/early-exit",
	Title:      "An absent key stops after 1/(1 − fill) bits, until the filter is over-filled",
	Metric:     "probes/absent",
	Law:        "early-exit.sum",
	Laws:       []string{"early-exit.limit"},
	X:          Axis{Key: "load", Title: "keys added, as a multiple of the design load"},
	Y:          Axis{Title: "bits read per absent key", Zero: true, Max: 10},
	Series:     []string{"k"},
	Where:      map[string][]string{"k": {"7"}},
	Names: map[string]string{
		"7": "k = 7, 10 bits per key", "early-exit.sum": "law: sum of fill^{i} for i < k", "early-exit.limit": "1/(1 − fill)",
	},
}

// bloomCountEstimate: how well do the ones count the keys?
var bloomCountEstimate = Figure{
	Name:       "count-error",
	Experiment: "bloom/count-estimate",
	Title:      "The ones of a Bloom filter count its keys, as well as the law says",
	Metric:     "spread",
	Law:        "count-estimate.spread",
	X:          Axis{Key: "load", Title: "keys added, as a multiple of the design load"},
	Y:          Axis{Title: "root mean square of estimate/n − 1", Percent: true, Zero: true},
	Series:     []string{"k"},
	Where:      map[string][]string{"k": {"7"}, "m": {"2000"}},
	Names:      map[string]string{"7": "m = 2000, k = 7", "count-estimate.spread": "law"},
}
