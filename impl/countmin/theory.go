package countmin

import (
	"fmt"
	"math"
)

// Size returns the width ceil(e/eps) and the depth ceil(ln(1/delta)) at which
// an estimate is above the truth by more than eps times the total weight with
// probability at most delta (Cormode and Muthukrishnan 2005, Theorem 1). Both
// arguments must be in (0, 1). It refuses a table that New would refuse.
func Size(eps, delta float64) (w, d int, err error) {
	if !(eps > 0 && eps < 1) {
		return 0, 0, fmt.Errorf("countmin: eps %v, must be above 0 and below 1", eps)
	}
	if !(delta > 0 && delta < 1) {
		return 0, 0, fmt.Errorf("countmin: delta %v, must be above 0 and below 1", delta)
	}
	depth := math.Ceil(math.Log(1 / delta))
	if depth > MaxDepth {
		return 0, 0, fmt.Errorf("countmin: delta %v asks for %.0f rows, at most %d are allowed", delta, depth, MaxDepth)
	}
	width := math.Ceil(math.E / eps)
	if limit := min(MaxTableBytes, uint64(math.MaxInt)); 8*width*depth > float64(limit) {
		return 0, 0, fmt.Errorf("countmin: eps %v and delta %v ask for %.0f bytes, at most %d are allowed",
			eps, delta, 8*width*depth, limit)
	}
	return int(width), int(depth), nil
}

// Epsilon is the error that a width promises, as a share of the total weight:
// e/w (Cormode and Muthukrishnan 2005, Theorem 1).
func Epsilon(w int) float64 { return math.E / float64(w) }

// Delta bounds the share of estimates above the truth by more than Epsilon
// times the total weight: e^-d (Cormode and Muthukrishnan 2005, Theorem 1).
func Delta(d int) float64 { return math.Exp(-float64(d)) }

// RowMean is the expected excess of one row's counter over the count f of its
// key, in a stream of total weight n: (n-f)/w, each other event being in the
// same one of w columns with chance 1/w. It is exact for a uniform hash and
// plain update (Cormode and Muthukrishnan 2005, proof of Theorem 1), and an
// upper bound for conservative update.
func RowMean(n, f float64, w int) float64 { return (n - f) / float64(w) }

// RowVariance is the variance of that excess: (f2 - f^2) (1/w) (1 - 1/w), f2
// the sum of the squared counts of all keys. The other keys fall into the
// column independently, each a Bernoulli variable of chance 1/w times its
// count; pairwise independence is enough. Plain update only.
func RowVariance(f2, f float64, w int) float64 {
	p := 1 / float64(w)
	return (f2 - f*f) * p * (1 - p)
}

// MeanMinVariance is the variance of one row's estimate by count-mean-min:
// (f2 - f^2)/(w - 1), f2 the sum of the squared counts of all keys. That is
// RowVariance times the square of w/(w - 1), for c - (n - c)/(w - 1) is
// (w c - n)/(w - 1); its mean is f for the same reason (Deng and Rafiei 2007,
// section 3). Plain update only.
func MeanMinVariance(f2, f float64, w int) float64 { return (f2 - f*f) / float64(w-1) }

// RowTailBound is Markov's bound on the chance that one row is above the truth
// by x or more: RowMean/x, at most 1 (Cormode and Muthukrishnan 2005, proof of
// Theorem 1). x must be positive.
func RowTailBound(n, f float64, w int, x float64) float64 {
	return min(1, RowMean(n, f, w)/x)
}

// Tail is the chance that an estimate is above the truth by more than x, when
// one row is with chance rowTail: rowTail^d, the rows being independent and
// the estimate their minimum (Cormode and Muthukrishnan 2005, proof of
// Theorem 1). Plain update only.
func Tail(rowTail float64, d int) float64 { return math.Pow(rowTail, float64(d)) }
