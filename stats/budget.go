package stats

import "math"

// One error budget covers a whole report. It is spent in equal fixed shares,
// one for each judgement, whatever a run leaves out or adds: so a part that is
// run alone, or a new experiment, changes no other verdict. What is unspent
// stays unspent. By Bonferroni's inequality the judgements may depend on one
// another in any way.
const (
	// ReportBudget bounds the probability that any verdict of a report is wrong.
	ReportBudget = 1e-3
	// Alpha is the share of one judgement, all its looks together.
	Alpha = 1e-7
)

// Affordable is the number of judgements that the budget of a report holds.
func Affordable() int { return int(ReportBudget / Alpha) }

// BiasTolerance is the bias that no user of an estimator would notice, in
// standard errors of the estimator: one of 0.1 adds 0.5 % to its root mean
// square error.
const BiasTolerance = 0.1

// rateTolerances are the tolerances at 10^-2, 10^-3 ... 10^-6.
var rateTolerances = [...]float64{0.02, 0.05, 0.1, 0.2, 0.3}

// RateTolerance is the relative difference from a predicted rate that would
// matter to nobody: 2, 5, 10, 20, 30 % at 10^-2, 10^-3 ... 10^-6, on straight
// lines between these in logarithms of both; 2 % above and 30 % below. Smaller
// rates get more room because their measurement costs more.
func RateTolerance(rate float64) float64 {
	if math.IsNaN(rate) {
		return math.NaN()
	}
	last := len(rateTolerances) - 1
	at := -math.Log10(math.Max(rate, 0)) - 2
	switch {
	case at <= 0:
		return rateTolerances[0]
	case at >= float64(last):
		return rateTolerances[last]
	}
	i := int(at)
	return rateTolerances[i] * math.Pow(rateTolerances[i+1]/rateTolerances[i], at-float64(i))
}

// SpreadTolerance is the relative difference from a predicted root mean square
// error that would matter to nobody, for a sketch of 2^p registers: 5 % to
// p = 12, and 10 % above, where trials cost more.
func SpreadTolerance(p int) float64 {
	if p <= 12 {
		return 0.05
	}
	return 0.1
}
