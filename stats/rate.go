package stats

import "math"

// RateEvents is the least number of events, in all trials together, from which
// on the method [Rate] may say that a law with a lower bound holds.
//
// With fewer, the trials cannot tell well whether events come alone or in
// bursts. A law that only bounds the rate from above may hold with fewer events
// and with none: that few were seen is then what it promises. This is safe while
// the structures' own rates vary with a coefficient of variation of up to about
// 0.7 (at 1 it missed 2.4 alpha at alpha = 1e-4). It is not safe for bursts:
// where one structure in fifty has all the events, 32 trials see none with
// probability 0.98^32 = 0.52, and the bound is then some 26 events in all tries,
// however many a burst has. Where that is to be feared, use [Share].
const RateEvents = 400

// assessRate takes the hull of two intervals: the one over trials, whose unit is
// the structure, and the exact one for counts, which still serves where a trial
// sees no event or one. Either alone fails on the other's data.
//
// From RateEvents events on, the one over trials minds skewness. With fewer,
// that could claim nothing, and the exact one is made wider instead.
func assessRate(j *Judgement, trials []Count, spent float64, band Band) {
	m := ratioMoments(trials)
	if m.sumDen == 0 {
		return
	}
	j.Estimate = m.mean
	if m.n < 2 {
		return
	}
	enough := m.sumNum >= RateEvents
	effect := designEffect(m)
	var over Interval
	if enough {
		over = skewedMean(m, spent)
	} else {
		over = StudentMean(int64(m.n), m.mean, m.sd, spent)
		effect *= 1 + 2*math.Sqrt(2/float64(m.n))
	}
	if finite(over.Lo) { // Student does not know that a rate is in [0, 1]
		over = Interval{math.Max(over.Lo, 0), math.Min(over.Hi, 1)}
	}
	j.Interval = hull(over, effectiveCounts(m, effect, spent))
	j.Verdict = Judge(j.Interval, band)
	if j.Verdict == Holds && !enough && band.Lo > 0 {
		j.Verdict = Undecided
	}
}

// designEffect is the variance of the pooled ratio, as the trials show it, over
// that of as many independent tries, or 1 if that is more.
func designEffect(m moments) float64 {
	independent := m.mean * (1 - m.mean) / m.sumDen
	if independent <= 0 {
		return 1
	}
	return math.Max(1, m.sd*m.sd/float64(m.n)/independent)
}

// effectiveCounts is Clopper-Pearson's interval on as many independent tries as
// the pooled ones are worth: their number over the design effect (Korn &
// Graubard 1998).
func effectiveCounts(m moments, effect, alpha float64) Interval {
	n := m.sumDen / effect
	return clopperPearson(math.Min(m.sumNum/effect, n), n, alpha)
}
