package plots

// ribbonSpace: which ribbon filter comes how near to the least memory?
var ribbonSpace = Figure{
	Name:       "ribbon-overhead",
	Experiment: "ribbon/space",
	Title:      "Bumped and wide ribbons keep within 10 % of the bound, narrow ones do not",
	Metric:     "bits/bound",
	Law:        "ribbon.10-percent",
	X:          Axis{Key: "n", Title: "n, keys", Log: true},
	Y:          Axis{Title: "bits of memory / log2(1/rate)", Min: 1},
	Series:     []string{"subject", "w"},
	Where:      map[string][]string{"r": {"8"}},
	Names:      map[string]string{"ribbon.10-percent": "claim: below 10 % over the bound"},
}
