package plots

// bloomFill: do the ones follow 1 - (1 - 1/m)^(kn)?
var bloomFill = Figure{
	Name:       "fill",
	Experiment: "bloom/fill",
	Title:      "The share of ones follows its law from a tenth of the load to four times it",
	Metric:     "ones/bit",
	Law:        "bloom.fill",
	X:          Axis{Key: "load", Title: "keys added, as a multiple of the design load", Zero: true},
	Y:          Axis{Title: "share of bits that are 1", Percent: true, Zero: true},
	Series:     []string{"subject"},
	Panels:     "subject",
	PanelTitle: "%s",
	Names:      map[string]string{"bloom.fill": "law: 1 − (1 − 1/m)^{kn}"},
}

// bloomExact: how far below the truth is the classic formula?
var bloomExact = Figure{
	Name:       "classic-against-exact",
	Experiment: "bloom/fpr-exact",
	Title:      "Small filters err more often than the classic formula says; the exact law is right",
	Metric:     "false-positives/absent",
	Law:        "bloom.exact",
	Laws:       []string{"bloom.finite", "bloom.classic"},
	X:          Axis{Key: "m", Title: "m, bits", Log: true},
	Y:          Axis{Title: "measured rate / exact law"},
	Series:     []string{"scheme"},
	Panels:     "k",
	PanelTitle: "k = %s hash functions",
	Where:      map[string][]string{"k": {"7", "20"}},
	Names: map[string]string{
		"bloom.exact": "exact law", "bloom.finite": "finite form", "bloom.classic": "classic formula",
		"derived": "derived probes", "independent": "k hash functions",
	},
	Relative: true,
	Band:     true,
}

// bloomDouble: from which size on do two hashes stand in for k?
var bloomDouble = Figure{
	Name:       "index-schemes",
	Experiment: "bloom/double-hashing",
	Title:      "Double hashing pays for its shortcut in small filters and at low rates",
	Metric:     "false-positives/absent",
	Law:        "bloom.exact",
	X:          Axis{Key: "m", Title: "m, bits", Log: true},
	Y:          Axis{Title: "measured rate / law of independent probes", Log: true},
	Series:     []string{"scheme"},
	Panels:     "k",
	PanelTitle: "k = %s hash functions",
	Names:      map[string]string{"bloom.exact": "law of independent probes"},
	Relative:   true,
}

// bloomOptimalK: where is the rate least?
var bloomOptimalK = Figure{
	Name:       "optimal-k",
	Experiment: "bloom/optimal-k",
	Title:      "The rate is least at k = (m/n) ln 2, and rises again beyond",
	Metric:     "false-positives/absent",
	Law:        "bloom.exact",
	X:          Axis{Key: "k", Title: "k, hash functions"},
	Y:          Axis{Title: "false positives per absent key", Log: true, Percent: true},
	Series:     []string{"c"},
	Names: map[string]string{
		"bloom.exact": "exact law", "8": "8 bits per key, optimum 5.5", "10": "10 bits per key, optimum 6.9", "16": "16 bits per key, optimum 11.1",
	},
}

// bloomSaturation: what does an over-filled filter answer?
var bloomSaturation = Figure{
	Name:       "saturation",
	Experiment: "bloom/saturation",
	Title:      "Over-filled, a Bloom filter answers yes to almost everything, without warning",
	Metric:     "false-positives/absent",
	Law:        "bloom.exact",
	X:          Axis{Key: "load", Title: "keys added, as a multiple of the design load"},
	Y:          Axis{Title: "false positives per absent key", Percent: true, Zero: true},
	Series:     []string{"subject"},
	Panels:     "subject",
	PanelTitle: "%s",
	Names:      map[string]string{"bloom.exact": "exact law"},
}
