package plots

// minhashVariance: is the variance of a similarity J(1-J)/k, and whose is lower?
var minhashVariance = Figure{
	Name:       "variance-over-k",
	Experiment: "minhash/variance",
	Title:      "The variance of a MinHash similarity over J(1−J)/k: 400 keys in the union, J = 1/2",
	Metric:     "squared-error/binomial",
	X:          Axis{Key: "k", Title: "k, values of a signature", Log: true},
	Y:          Axis{Title: "mean of (estimate − J)² over J(1−J)/k", Zero: true},
	Series:     []string{"subject", "estimator"},
	Where:      map[string][]string{"u": {"400"}, "j": {"0.5"}},
	Names: map[string]string{
		"minhash.binomial": "law of each", "minhash.densified": "law of each", "minhash.bins": "law of each",
		"minhash.b-bit": "law of each", "minhash.bottom-k": "law of each",
	},
}
