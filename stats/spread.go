package stats

import "math"

// assessSpread takes the χ² pivot with as many degrees of freedom as the errors
// are worth: the mean of n squares of excess kurtosis k varies as that of
// n/(1 + k/2) normal ones. A k below 0 is not believed. As for [Mean], errors
// all equal to zero leave room for one unseen step of the readings.
func assessSpread(j *Judgement, trials []Count, spent float64, band Band) {
	m := momentsOf(trials)
	j.Estimate = math.Sqrt(m.meanSquare)
	if m.n < 2 {
		j.Interval = Interval{0, math.Inf(1)}
		return
	}
	n := float64(m.n)
	kurtosis := m.kurtosis + math.Sqrt(24/n)
	freedom := n / (1 + math.Max(0, kurtosis)/2)
	j.Interval = chiSquareRMS(m.meanSquare, freedom, spent)
	j.Interval.Hi = math.Max(j.Interval.Hi, m.resolution*math.Sqrt(neverSeen(m.n, spent)))
	j.Verdict = Judge(j.Interval, band)
}
