package plots

// scalableGrowth: does a chain keep its rate while it grows?
var scalableGrowth = Figure{
	Name:       "rate-over-growth",
	Experiment: "scalable/compound",
	Title:      "A scalable filter's rate climbs to its bound, and stays below",
	Metric:     "false-positives/absent",
	Law:        "scalable.compound",
	Laws:       []string{"scalable.bound"},
	X:          Axis{Key: "times", Title: "keys held, as a multiple of the first link's capacity", Log: true},
	Y:          Axis{Title: "false positives per absent key", Percent: true, Zero: true},
	Series:     []string{"growth", "r"},
	Where:      map[string][]string{"n0": {"250"}},
	Names: map[string]string{
		"scalable.compound": "law: 1 − Π(1 − p) over the links", "scalable.bound": "bound: p/(1 − r), p of the first link",
	},
}
