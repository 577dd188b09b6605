package stats

import (
	"fmt"
	"math"
)

// A Method is how the readings of a metric, one [Count] from each trial, become
// an interval. Trials are independent and alike: each is one freshly built
// structure.
type Method int

const (
	// Invariant readings are counterexamples (Num) among tries (Den). One is
	// broken and none holds, whatever the band. The interval for the rate of
	// counterexamples is Clopper-Pearson's on the pooled tries, to show how much
	// "none" says; the verdict does not use it.
	Invariant Method = iota
	// Rate readings are events (Num) among tries (Den), and the law is about
	// their ratio, all trials together. Structures differ, so the spread between
	// trials counts, not the number of tries alone. See rate.go for the interval
	// and for what it is worth below [RateEvents] events.
	Rate
	// Mean readings are one observation Num/Den a trial, of either sign; the law
	// is about their mean. Skewed observations are served as far as their
	// skewness can be told; until then the interval is infinite.
	Mean
	// Spread readings are one error Num/Den a trial, near normal with mean near
	// zero; the law is about the root mean square.
	Spread
	// Share readings are one observation Num/Den in [0, 1] a trial; the law is
	// about their mean, one and the same in all trials. Nothing else is assumed,
	// so it serves one-sided bounds where events are rare or come in bursts, with
	// no event at all too. The price is width: no bound below about 20/trials can
	// be shown at alpha = 1e-7.
	Share
)

var methodNames = [...]string{"invariant", "rate", "mean", "spread", "share"}

func (m Method) String() string {
	if m < 0 || int(m) >= len(methodNames) {
		return fmt.Sprintf("Method(%d)", int(m))
	}
	return methodNames[m]
}

// A Count is the reading of one trial: Num of Den. What the two mean is up to
// the [Method].
type Count struct{ Num, Den int64 }

// Check returns an error that says what is allowed when the method cannot use
// the reading: Den is at least 0 for Invariant and Rate, at least 1 for the
// others; Num is 0 to Den for Invariant, Rate and Share.
func (m Method) Check(c Count) error {
	leastDen := int64(1)
	if m == Invariant || m == Rate {
		leastDen = 0
	}
	if c.Den < leastDen {
		return fmt.Errorf("stats: a reading of method %v has den %d: at least %d is allowed", m, c.Den, leastDen)
	}
	if m != Mean && m != Spread && (c.Num < 0 || c.Num > c.Den) {
		return fmt.Errorf("stats: a reading of method %v has num %d: 0 to den, %d, is allowed", m, c.Num, c.Den)
	}
	return nil
}

// A Judgement is what the trials so far say about a law.
type Judgement struct {
	// Trials is the number of trials looked at.
	Trials int
	// Estimate is the pooled ratio (Invariant, Rate), the mean (Mean, Share) or
	// the root mean square (Spread). It is NaN without any reading.
	Estimate float64
	// Interval contains the true value with probability Confidence. An end is
	// infinite where nothing can be said, and never NaN.
	Interval Interval
	// Confidence is 1 less what this look may spend: alpha/2^look, or the whole
	// alpha where the interval is valid at all looks together (Share) or is not
	// what decides (Invariant).
	Confidence float64
	// Verdict is wrong at any look with probability at most alpha.
	Verdict Verdict
}

// Looks is the number of trials at a look: 32, 64, 128 ... at look 1, 2, 3. A
// plan that ends elsewhere may look once more, at the next look's number. Beyond
// the largest int it is that. It panics when look is below 1.
func Looks(look int) int {
	mustLook(look)
	const first = 32
	if look-1 >= 62 || first<<(look-1)>>(look-1) != first {
		return math.MaxInt
	}
	return first << (look - 1)
}

func mustLook(look int) {
	if look < 1 {
		panic(fmt.Sprintf("stats: look %d: the first is 1", look))
	}
}

// Assess judges a law by the trials so far: all of them, in trial order, at
// look 1, 2, 3 ..., when there are Looks(look) of them. alpha in (0, 1) is the
// total error probability of the judgement, whatever the number of looks: look
// j spends alpha/2^j. So one may stop at the first look that decides.
//
// Readings that Check refuses decide nothing: the estimate is then NaN, the
// interval infinite, the verdict undecided. Assess panics when look is below 1
// or alpha not in (0, 1).
func (m Method) Assess(trials []Count, look int, alpha float64, band Band) Judgement {
	mustAlpha(alpha)
	mustLook(look)
	spent := alpha * math.Pow(2, -float64(look))
	j := Judgement{Trials: len(trials), Estimate: math.NaN(), Interval: everything(), Confidence: 1 - spent}
	if m == Invariant || m == Share {
		j.Confidence = 1 - alpha
	}
	for _, c := range trials {
		if m.Check(c) != nil {
			return j
		}
	}
	if len(trials) == 0 {
		return j
	}
	switch m {
	case Invariant:
		assessInvariant(&j, trials, alpha)
	case Rate:
		assessRate(&j, trials, spent, band)
	case Mean:
		assessMean(&j, trials, spent, band)
	case Spread:
		assessSpread(&j, trials, spent, band)
	case Share:
		assessShare(&j, trials, alpha, band)
	default:
		panic(fmt.Sprintf("stats: no such method: %v", m))
	}
	return j
}
