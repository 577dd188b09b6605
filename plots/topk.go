package plots

// cmsRanks: who reads badly in a count-min sketch?
var cmsRanks = Figure{
	Name:       "error-over-rank",
	Experiment: "cms/skew",
	Title:      "Heavy keys read well: their excess is that of others, over a larger count",
	Metric:     "excess/count",
	X:          Axis{Key: "rank", Title: "rank of the key, by count", Log: true},
	Y:          Axis{Title: "excess over count", Log: true},
	Series:     []string{"zipf"},
	Where:      map[string][]string{"stream": {"zipf"}, "zipf": {"0.5", "1", "1.5"}, "rank": {"4", "16", "64", "256", "1000"}},
	Names:      map[string]string{"0.5": "Zipf 0.5", "1": "Zipf 1", "1.5": "Zipf 1.5"},
}

// topkMissed: who finds the heaviest ten?
var topkMissed = Figure{
	Name:       "missed-top-ten",
	Experiment: "topk/space-saving",
	Title:      "A hundred counters find the ten heaviest of 5000 keys where the stream is skewed",
	Metric:     "missed/top-ten",
	X:          Axis{Key: "zipf", Title: "Zipf exponent of the stream"},
	Y:          Axis{Title: "of the ten heaviest, not in the first ten listed", Percent: true, Zero: true},
	Series:     []string{"subject"},
	Where:      map[string][]string{"stream": {"zipf"}, "weights": {"unit"}, "k": {"100"}},
}
