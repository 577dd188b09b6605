package tinylfu

// SteadyCount is what an exact counter of a key with a share p of the stream
// comes to, just before each halving: p times the sample. With x before one
// halving, x/2 remain and half a sample is to come: x = x/2 + p sample/2 (Einziger,
// Friedman, Manes 2017, section 3.3).
func SteadyCount(p float64, sample uint64) float64 { return p * float64(sample) }

// Truncation bounds what rounding down takes from a counter, over any number of
// halvings: each takes at most 1/2, and is itself halved by the next, so that at
// most 1/2 + 1/4 + ... is missing (section 3.3 of the same). The sum stays below 1.
func Truncation(halvings uint64) float64 {
	missing := 0.0
	for range min(halvings, 64) {
		missing = (missing + 1) / 2
	}
	return missing
}
