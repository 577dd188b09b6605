package countsketch

import (
	"fmt"
	"math"
)

// RowVariance is the variance of one row's estimate of a key of weight f:
// (f2 - f^2)/w, f2 the sum of the squared weights of all keys (Charikar, Chen,
// Farach-Colton 2002, Lemma 1). The mean is f. Each other key is in the counter
// with probability 1/w, with either sign alike.
func RowVariance(f2, f float64, w int) float64 { return (f2 - f*f) / float64(w) }

// Tail bounds the chance that the median of d rows is off by more than t standard
// deviations of one row: more than half the rows are, each with chance at most
// q = 1/t^2 (Chebyshev), independently. It is the tail of Binomial(d, q) from
// (d+1)/2, and 1 where t is at most 1.
func Tail(t float64, d int) float64 {
	q := 1 / (t * t)
	if !(q < 1) {
		return 1
	}
	sum := 0.0
	for i := (d + 1) / 2; i <= d; i++ {
		n, k := float64(d), float64(i)
		a, _ := math.Lgamma(n + 1)
		b, _ := math.Lgamma(k + 1)
		c, _ := math.Lgamma(n - k + 1)
		sum += math.Exp(a - b - c + k*math.Log(q) + (n-k)*math.Log1p(-q))
	}
	return min(1, sum)
}

// Size returns the least width and depth at which an estimate is off by more than
// eps times the root of F2 with probability at most delta, by Tail with rows of
// standard deviation eps/2: w = ceil(4/eps^2). Both arguments must be in (0, 1).
// It refuses a table that New would refuse.
func Size(eps, delta float64) (w, d int, err error) {
	if !(eps > 0 && eps < 1) {
		return 0, 0, fmt.Errorf("countsketch: eps %v, must be above 0 and below 1", eps)
	}
	if !(delta > 0 && delta < 1) {
		return 0, 0, fmt.Errorf("countsketch: delta %v, must be above 0 and below 1", delta)
	}
	for d = 1; Tail(2, d) > delta; d += 2 {
		if d+2 > MaxDepth {
			return 0, 0, fmt.Errorf("countsketch: delta %v asks for more than %d rows", delta, MaxDepth)
		}
	}
	width := math.Ceil(4 / (eps * eps))
	if limit := min(MaxTableBytes, uint64(math.MaxInt)); 8*width*float64(d) > float64(limit) {
		return 0, 0, fmt.Errorf("countsketch: eps %v and delta %v ask for %.0f bytes, at most %d are allowed",
			eps, delta, 8*width*float64(d), limit)
	}
	return int(width), d, nil
}
