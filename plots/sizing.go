package plots

// bloomSizing: which rule of sizing keeps the rate that was asked for?
var bloomSizing = Figure{
	Name:       "rate-over-promise",
	Experiment: "bloom/sizing",
	Title:      "Rounding the sizing formula breaks its promise, most of all at few keys",
	Metric:     "false-positives/absent",
	Law:        "promise",
	X:          Axis{Key: "n", Title: "n, keys", Log: true},
	Y:          Axis{Title: "measured rate / rate asked for"},
	Series:     []string{"subject", "rule"},
	Panels:     "eps",
	PanelTitle: "asked for a rate of %s",
	Where: map[string][]string{
		"eps":     {"0.01", "0.1"},
		"subject": {"bloom", "bits-and-blooms", "holiman-bloom"}, // ristretto-bloom lies far below, with more bits than asked for
	},
	Relative: true,
}
