package plots

// bloomSizing: which rule of sizing keeps the rate that was asked for?
var bloomSizing = Figure{
	Name:       "rate-over-promise",
	Experiment: "bloom/sizing",
	Title:      "Rounding the sizing formula breaks its promise, most of all at few keys",
	Metric:     "false-positives/absent",
	Law:        "promise",
	X:          Axis{Key: "n", Title: "n, keys", Log: true},
	Y:          Axis{Title: "measured rate / rate asked for", Log: true},
	Series:     []string{"subject", "rule"},
	Panels:     "eps",
	PanelTitle: "p = %s",
	Relative:   true,
}
