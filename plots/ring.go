package plots

// ringLoad: what do virtual nodes do for the evenness of loads?
var ringLoad = Figure{
	Name:       "share-over-virtual-nodes",
	Experiment: "ring/load",
	Title:      "More points a server make the shares of a ring more even",
	Metric:     "squared-share-cv",
	Law:        "ring.share-cv",
	X:          Axis{Key: "v", Title: "v, points of each server", Log: true},
	Y:          Axis{Title: "mean of (share / mean share − 1)²", Log: true},
	Series:     []string{"S"},
	Where:      map[string][]string{"K": {"1000"}},
	Names: map[string]string{
		"4": "4 servers", "32": "32 servers", "ring.share-cv": "law: (S − 1) / (vS + 1)",
	},
}
