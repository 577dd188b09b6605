package mixture

// negligible is the weight, relative to that of the most likely number, at which
// a tail is cut off: rates down to 1e-16 keep 8 digits.
const negligible = 1e-25

// Binomial is the mean of rate(i) over the number i of keys, out of n, that fall
// into one block, when each does with probability p in (0, 1]. rate must not be
// negative, nor far above 1. The weights are relative to that of the most likely
// number and divided by their sum, which spares logarithms of factorials and
// their error.
func Binomial(n uint64, p float64, rate func(i uint64) float64) float64 {
	if n == 0 || p >= 1 {
		return rate(n)
	}
	odds := p / (1 - p)
	mode := min(uint64(float64(n)*p), n)
	total := 1.0
	sum := rate(mode)
	for i, weight := mode, 1.0; i < n; i++ {
		weight *= float64(n-i) / float64(i+1) * odds
		if weight < negligible {
			break
		}
		total += weight
		sum += weight * rate(i+1)
	}
	for i, weight := mode, 1.0; i > 0; i-- {
		weight *= float64(i) / (float64(n-i+1) * odds)
		if weight < negligible {
			break
		}
		total += weight
		sum += weight * rate(i-1)
	}
	return sum / total
}

// Smallest is the least size from 1 to limit that keeps, for a property that
// every size keeps from some one on. The search starts at guess. It returns
// limit+1 when not even limit keeps.
func Smallest(guess, limit uint64, keeps func(size uint64) bool) uint64 {
	low, high := uint64(0), min(max(guess, 1), limit) // low does not keep, or is 0
	for step := uint64(1); !keeps(high); step *= 2 {
		if high == limit {
			return limit + 1
		}
		low, high = high, high+min(step, limit-high)
	}
	for high-low > 1 {
		if mid := low + (high-low)/2; keeps(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}
