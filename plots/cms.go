package plots

// cmsPrinted: what does the printed bound, divided by the width once more, miss?
var cmsPrinted = Figure{
	Name:       "share-over-printed-bound",
	Experiment: "cms/bound",
	Title:      "Most keys of a count-min sketch are over by more than εN/width",
	Metric:     "over-printed-bound/key",
	Law:        "cms.printed-bound",
	X:          Axis{Key: "zipf", Title: "Zipf exponent of the stream"},
	Y:          Axis{Title: "share of keys over by more than εN/width", Percent: true, Zero: true},
	Series:     []string{"subject"},
	Panels:     "eps",
	PanelTitle: "ε = %s",
	Names:      map[string]string{"cms.printed-bound": "printed: δ"},
}

// cmsTail: do the rows fail independently?
var cmsTail = Figure{
	Name:       "tail-over-rows",
	Experiment: "cms/row-law",
	Title:      "The rows of a count-min sketch err independently: d of them, as one to the power d",
	Metric:     "over-x/absent",
	Law:        "cms.tail",
	X:          Axis{Key: "d", Title: "d, rows"},
	Y:          Axis{Title: "absent keys over by more than x, about the median of one row", Log: true, Percent: true},
	Series:     []string{"subject"},
	Panels:     "w",
	PanelTitle: "w = %s",
	Where:      map[string][]string{"w": {"55", "272"}},
	Names:      map[string]string{"cms.tail": "law: P(one row is over by more than x)^{d}"},
}
