package rotating

import "github.com/sketchproof/sketchproof/impl/bloom"

// FPR is the false-positive rate of two independent Bloom filters of m bits and k
// probes that hold so many keys each, 1 - (1-p)(1-q) by their exact rates p and q:
// at most the sum of the two. Their keys differ, but for those that were added
// again after a rotation, so an absent key meets them independently.
func FPR(m, k, current, previous uint64) float64 {
	return either(bloom.FPRExact(m, k, current), bloom.FPRExact(m, k, previous))
}

// either is the chance that one of two independent events occurs at least.
func either(p, q float64) float64 { return p + q*(1-p) }
