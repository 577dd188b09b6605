package plots

// cuckooRate: does the Poisson law say how often a cuckoo filter errs, at every
// load?
var cuckooRate = Figure{
	Name:       "cuckoo-false-positive-rate",
	Experiment: "cuckoo/fpr",
	Title:      "A cuckoo filter errs in proportion to its load",
	Metric:     "false-positives/absent",
	Law:        "cuckoo.poisson",
	Laws:       []string{"cuckoo.bound"},
	X:          Axis{Key: "load", Title: "a, keys per slot", Log: true},
	Y:          Axis{Title: "false positives per absent key", Log: true, Percent: true},
	Series:     []string{"subject", "b"},
	Panels:     "f",
	PanelTitle: "fingerprints of %s bits",
	Where:      map[string][]string{"slots": {"16384"}, "subject": {"cuckoo"}},
	Names: map[string]string{
		"cuckoo.poisson": "law: 1 − exp(−2ba / (2^{f} − 1))", "cuckoo.bound": "bound: 2b / 2^{f}",
	},
	Free: true,
}

// cuckooLoad: how full is a filter when it first refuses a key?
var cuckooLoad = Figure{
	Name:       "load-at-refusal",
	Experiment: "cuckoo/load",
	Title:      "A cuckoo filter fills as far as is quoted; the code as printed does not, with 8-bit tags",
	Metric:     "keys/slot",
	Law:        "cuckoo.load",
	X:          Axis{Key: "b", Title: "b, slots per bucket", Log: true},
	Y:          Axis{Title: "keys per slot at the first refusal", Percent: true},
	Series:     []string{"subject", "f"},
	Where:      map[string][]string{"buckets": {"16384", "4096"}},
	Names:      map[string]string{"cuckoo.load": "quoted load"},
}
