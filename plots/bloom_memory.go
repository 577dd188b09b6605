package plots

// bloomMemory: how much memory does a key take?
var bloomMemory = Figure{
	Kind:       Dots,
	Name:       "bytes-per-key",
	Experiment: "bloom/memory",
	Title:      "At 1 % a Bloom filter takes 1.2 GB for a billion URLs, a hash set 100 GB",
	Metric:     "bytes/key",
	X:          Axis{Key: "subject"},
	Y:          Axis{Title: "bytes per key, or GB per 10^{9} keys", Log: true},
	Series:     []string{"keys"},
	Where:      map[string][]string{"keys": {"numbers", "urls"}, "n": {"20000"}},
	Names: map[string]string{
		"numbers": "numbers of 8 bytes", "urls": "URLs of 50 bytes", "memory.bloom": "Bloom filter as printed: 1.2 GB",
	},
	Sorted: true,
}
