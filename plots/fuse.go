package plots

// fuseBits: what does a key take, over the number of keys?
var fuseBits = Figure{
	Name:       "bits-per-key",
	Experiment: "fuse/space",
	Title:      "8-bit fingerprints: small sets pay more, and whole segments draw a sawtooth",
	Metric:     "bits/key",
	X:          Axis{Key: "n", Title: "n, keys", Log: true},
	Y:          Axis{Title: "bits per key (the bound is 8)", Min: 8, Max: 16},
	Series:     []string{"subject"},
	Where:      map[string][]string{"decade": {"2", "3", "4", "5", "6", "7"}}, // tens of keys take tens of bits each
	Names: map[string]string{
		"fuse3-8": "fuse3-8: 3 slots a key", "fuse4-8": "fuse4-8: 4 slots a key",
		"fuse.1.125": "as n grows: 1.125 f", "fuse.1.075": "1.075 f", "xor.1.23": "1.23 f",
	},
}
