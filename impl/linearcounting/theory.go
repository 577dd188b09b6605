package linearcounting

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/hll"
)

// Load is the number of keys a bit up to which Error and Bias are good, 2: beyond,
// terms that they leave out count.
const Load = 2

// Error is the relative standard error with m bits at n > 0 keys: see
// [hll.LinearCountingRSE] (Whang et al. 1990, equation 10).
func Error(m, n float64) float64 { return hll.LinearCountingRSE(n, m) }

// Bias is the relative bias with m bits at n > 0 keys: see [hll.LinearCountingBias],
// which is not what Whang et al. 1990 print.
func Bias(m, n float64) float64 { return hll.LinearCountingBias(n, m) }

// PrintedBias is (e^t - t - 1)/(2n) with t = n/m, the bias that Whang et al. 1990
// print.
func PrintedBias(m, n float64) float64 { return (math.Expm1(n/m) - n/m) / (2 * n) }

// spareZeros is how many zeros must be expected so that none left is five standard
// deviations away: the number of zeros varies at most as a Poisson variable, and
// 25 is 5 sqrt(25) (Whang et al. 1990, section 4.2).
const spareZeros = 25

// BitsFor is the least size for n keys at most, at a relative standard error of at
// most e at n, without saturation (Whang et al. 1990, table II, up to rounding to
// a multiple of 64). Its error says what is allowed.
func BitsFor(n uint64, e float64) (uint64, error) {
	if n == 0 || !(e > 0 && e < 1) {
		return 0, fmt.Errorf("linearcounting: %d keys at an error of %v; allowed are 1 key or more, and an error between 0 and 1", n, e)
	}
	enough := func(bits uint64) bool {
		m, keys := float64(bits), float64(n)
		return m*math.Exp(-keys/m) >= spareZeros && Error(m, keys) <= e
	}
	lo, hi := uint64(0), uint64(MaxBits/64) // in words: lo is too few
	if !enough(64 * hi) {
		return 0, fmt.Errorf("linearcounting: %d keys at an error of %v take more than %d bits", n, e, MaxBits)
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; enough(64 * mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return 64 * hi, nil
}
