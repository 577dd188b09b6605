package stats

import "math"

// shareWeight shapes the Beta weight of [Share]. Jeffreys's 1/2 keeps within a
// constant of the best weight at every mean, 0 and 1 included.
const shareWeight = 0.5

func assessShare(j *Judgement, trials []Count, alpha float64, band Band) {
	m := momentsOf(trials)
	n := float64(m.n)
	j.Estimate = m.mean
	j.Interval = BetaMixture(math.Min(m.mean*n, n), n, alpha, shareWeight, shareWeight)
	j.Verdict = Judge(j.Interval, band)
}
