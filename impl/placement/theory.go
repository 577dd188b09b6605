package placement

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// ShareBeta returns the parameters of the Beta distribution of one node's
// share of the circle, over rings of S nodes with v points each: Beta(v,
// v(S-1)). S v uniform points cut the circle into exchangeable gaps, v of which
// are the node's (uniform spacings; David and Nagaraja 2003, section 6.4). The
// second is 0 for a single node, whose share is 1.
func ShareBeta(s, v int) (a, b float64) {
	return float64(v), float64(v) * float64(s-1)
}

// ShareCV is the standard deviation of one node's share over its mean 1/S:
// sqrt((S-1)/(vS+1)), from the variance of ShareBeta. It is the root of the
// mean square over rings and nodes; the mean over rings of the coefficient of
// variation within a ring is lower, by 8 % at S = 4.
func ShareCV(s, v int) float64 {
	return math.Sqrt(float64(s-1) / (float64(v)*float64(s) + 1))
}

// SampledShareCV is ShareCV when shares are counted on K random keys, which
// add the multinomial noise: sqrt((S-1)/(vS+1) (1 - 1/K) + (S-1)/K). Given the
// shares p, a count over K/S has variance p(1-p) S^2/K, and the mean of p(1-p)
// is (1/S)(1 - 1/S) less the variance of p.
func SampledShareCV(s, v, keys int) float64 {
	spaces, k := ShareCV(s, v), float64(keys)
	return math.Sqrt(spaces*spaces*(1-1/k) + float64(s-1)/k)
}

// MovedBeta returns the parameters of the Beta distribution of the share of
// keys that move when a node joins S others: Beta(v, vS), its share among S+1.
func MovedBeta(s, v int) (a, b float64) { return ShareBeta(s+1, v) }

// MovedQuantile is the share of keys that move to a new node at most, with
// probability p, as MovedBeta says.
func MovedQuantile(s, v int, p float64) float64 {
	a, b := MovedBeta(s, v)
	return mathext.InvRegIncBeta(a, b, p)
}

// MovedMean is the mean share of keys that move when a node joins S others:
// 1/(S+1) (Karger et al. 1997).
func MovedMean(s int) float64 { return 1 / float64(s+1) }

// ModuloMoved is the share of keys that move when keys are placed by hash
// modulo the number of nodes and it grows from S to S+1: S/(S+1). A key stays
// if both remainders are equal, which of S(S+1) pairs of remainders, equally
// likely because S and S+1 have no common factor, is so for S.
func ModuloMoved(s int) float64 { return float64(s) / float64(s+1) }

// MaxOverMean is the expected share of the largest node over the mean share,
// at one point for each node: the harmonic number H_S = 1 + 1/2 + ... + 1/S,
// from the largest of S uniform spacings (David and Nagaraja 2003, section 6.4).
func MaxOverMean(s int) float64 {
	h := 0.0
	for i := s; i >= 1; i-- {
		h += 1 / float64(i)
	}
	return h
}

// EvenCV is the standard deviation of one node's number of keys over its mean,
// where each of K keys belongs to each of S nodes with equal probability, apart
// from the others: sqrt((S-1)/K), the binomial law. So it is under jump
// consistent hash, rendezvous and, but for its slots, Maglev.
func EvenCV(s, keys int) float64 { return math.Sqrt(float64(s-1) / float64(keys)) }

// MaglevCV is EvenCV for a table of M slots. r = M mod S nodes have one slot more
// than the others: their shares have a variation of r(S-r)/M^2, to which the
// binomial noise of K keys is added.
func MaglevCV(s, table, keys int) float64 {
	r, k := float64(table%s), float64(keys)
	shares := r * (float64(s) - r) / (float64(table) * float64(table))
	return math.Sqrt(shares*(1-1/k) + float64(s-1)/k)
}

// WeightedMoved is the share of keys that move when a node of weight w joins
// others of weight W in all: w/(W+w) (Schindler and Schomaker 2005).
func WeightedMoved(w, others float64) float64 { return w / (others + w) }

// JumpSteps is the mean number of steps of jump consistent hash: H_n (Lamping and
// Veach 2014: the i-th node is jumped to with probability 1/i).
func JumpSteps(n int) float64 { return MaxOverMean(n) }
