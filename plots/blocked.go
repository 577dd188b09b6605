package plots

// bloomBlocked: what does it cost to keep a key's bits together?
var bloomBlocked = Figure{
	Name:       "rate-by-block",
	Experiment: "bloom/blocked",
	Title:      "One block a key: 1.1 to 1.6 times the rate at 8 bits per key, 3 to 28 times at 20",
	Metric:     "false-positives/absent",
	Law:        "blocked.mixture",
	X:          Axis{Key: "c", Title: "bits per key"},
	Y:          Axis{Title: "false positives per absent key", Log: true, Percent: true},
	Series:     []string{"subject"},
	Where: map[string][]string{
		"n":       {"12800"},
		"subject": {"blocked-word", "splitblock", "blocked-line", "bloom"},
	},
	Names: map[string]string{
		"blocked.mixture": "law: mean over the loads of a block", "blocked-word": "blocked-word: 64 bits",
		"splitblock": "splitblock: 256 bits", "blocked-line": "blocked-line: 512 bits", "bloom": "bloom: all bits",
	},
}
