package plots

// expandableRate: does a filter that grows without its keys keep its rate?
var expandableRate = Figure{
	Name:       "rate-through-growth",
	Experiment: "expandable/growth",
	Title:      "Grown to a hundred times the start, both filters keep the rate of 10 %",
	Metric:     "false-positives/absent",
	Law:        "promise",
	Laws:       []string{"infini.growth"},
	X:          Axis{Key: "times", Title: "keys held, as a multiple of the size at the start (230)", Log: true},
	Y:          Axis{Title: "false positives per absent key", Percent: true, Zero: true},
	Series:     []string{"subject"},
	Where:      map[string][]string{"eps": {"0.1"}},
	Names: map[string]string{
		"infini": "infini: one table that doubles", "scalable": "scalable: a chain of Bloom filters",
		"promise": "promised", "infini.growth": "law of infini",
	},
}
