package plots

// bloomSalt: how often do forged keys hit, with a seed known, secret, and keyed?
var bloomSalt = Figure{
	Kind:       Dots,
	Name:       "forged-keys",
	Experiment: "bloom/salt",
	Title:      "A secret seed stops keys that were searched for, not twins of XXH64; SipHash stops both",
	Metric:     "hits/forged-key",
	X:          Axis{Key: "subject"},
	Y:          Axis{Title: "forged keys that are found, at an ordinary rate of 5 % or less", Log: true, Percent: true},
	Series:     []string{"filter"},
	Panels:     "attack",
	PanelTitle: "attack: %s",
	Names: map[string]string{
		"forged.always": "law", "forged.seed": "law", "forged.key": "law",
		"known-seed": "seed known", "secret-seed": "seed secret", "siphash": "SipHash, key secret", "xxh3": "XXH3, seed secret",
	},
}
