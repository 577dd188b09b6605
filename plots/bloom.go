package plots

// bloomRate: does the classic formula say how often a Bloom filter errs?
var bloomRate = Figure{
	Name:       "false-positive-rate",
	Experiment: "bloom/fpr",
	Title:      "A Bloom filter errs as often as the classic formula says",
	Metric:     "false-positives/absent",
	Law:        "bloom.classic",
	X:          Axis{Key: "k", Title: "k, hash functions"},
	Y:          Axis{Title: "false positives per absent key", Log: true, Percent: true},
	Series:     []string{"subject"},
	Panels:     "c",
	PanelTitle: "%s bits per key",
	Where:      map[string][]string{"n": {"10000"}},
	Names:      map[string]string{"bloom.classic": "law: (1 − e^{−kn/m})^{k}"},
}

// bloomBound: how many bits does each filter pay for each bit of the bound?
var bloomBound = Figure{
	Kind:       Dots,
	Name:       "bits-over-bound",
	Experiment: "bloom/lower-bound",
	Title:      "Ribbon filters take 1.02 to 1.12 times the least memory, Bloom filters 1.44 times",
	Metric:     "bits/bound",
	X:          Axis{Key: "subject"},
	Y:          Axis{Title: "bits per key / log2(1/measured rate); 1 is the lower bound", Log: true},
	Panels:     "eps",
	PanelTitle: "built for a rate of %s",
	Sorted:     true,
}
