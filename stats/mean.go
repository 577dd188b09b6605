package stats

// assessMean widens the interval to what one unseen step of the readings could
// do. Readings are whole multiples of 1/Den, and n alike readings leave a
// probability of neverSeen(n) that another differs: by one step or more. So n
// equal readings are no proof of a mean, unless the band is wide against that
// step, as it is for a size in bits over many keys.
func assessMean(j *Judgement, trials []Count, spent float64, band Band) {
	m := momentsOf(trials)
	j.Estimate = m.mean
	if m.n < 2 {
		return
	}
	step := m.resolution * neverSeen(m.n, spent)
	j.Interval = hull(skewedMean(m, spent), Interval{m.mean - step, m.mean + step})
	j.Verdict = Judge(j.Interval, band)
}
