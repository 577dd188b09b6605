package plots

// minhashVariance: is the variance of a similarity J(1-J)/k, and whose is lower?
var minhashVariance = Figure{
	Name:       "variance-over-k",
	Experiment: "minhash/variance",
	Title:      "Similarities of 400 keys err as each law says: bottom-k least, b-bit values most",
	Metric:     "squared-error/binomial",
	X:          Axis{Key: "k", Title: "k, values of a signature", Log: true},
	Y:          Axis{Title: "mean of (estimate − J)² / (J(1 − J)/k), with J = 1/2", Zero: true},
	Series:     []string{"subject", "estimator"},
	Where:      map[string][]string{"u": {"400"}, "j": {"0.5"}},
	Names: map[string]string{
		"minhash.binomial": "law of each", "minhash.densified": "law of each", "minhash.bins": "law of each",
		"minhash.b-bit": "law of each", "minhash.bottom-k": "law of each",
	},
}
