package stats

import (
	"fmt"
	"math"
)

// ClopperPearson is the exact interval for the probability behind x events in
// n independent tries, with confidence conf in (0, 1), such as 0.95. Each end
// has a miss probability of at most (1-conf)/2.
//
// It serves one fixed n of tries that share one probability, such as the probes
// of one given structure. It is not valid when looked at repeatedly (see
// [BetaMixture]), nor for tries pooled from structures that differ (see [Rate]).
// With n = 0 it is [0, 1]. It panics when x is not in [0, n] or conf not in
// (0, 1). Source: Clopper & Pearson 1934, in the Beta form.
func ClopperPearson(x, n int64, conf float64) Interval {
	return ClopperPearsonAlpha(x, n, 1-conf)
}

// ClopperPearsonAlpha is [ClopperPearson] with the miss probability alpha =
// 1 - conf stated directly: at 1e-7, 1 - conf has lost half of its digits.
func ClopperPearsonAlpha(x, n int64, alpha float64) Interval {
	return clopperPearson(float64(x), float64(n), alpha)
}

func clopperPearson(x, n, alpha float64) Interval {
	mustAlpha(alpha)
	if !(x >= 0 && x <= n) || math.IsInf(n, 0) {
		panic(fmt.Sprintf("stats: %v events in %v tries: events must be 0 to tries, and both finite", x, n))
	}
	iv := Interval{0, 1}
	half := alpha / 2
	if x > 0 {
		iv.Lo, _ = logistic(betaQuantile(x, n-x+1, half))
	}
	if x < n {
		// P(X <= x) is I_q(n-x, x+1) in q = 1-p: the tail of a small p keeps its digits.
		_, iv.Hi = logistic(betaQuantile(n-x, x+1, half))
	}
	return iv
}
