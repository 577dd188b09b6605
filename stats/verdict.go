package stats

import (
	"fmt"
	"math"
)

// A Band is what a law allows: its prediction, and the values from Lo to Hi
// that differ from it by less than would matter to a user. One-sided laws have
// an infinite bound on the other side.
type Band struct {
	Predicted, Lo, Hi float64
}

// Within is the band of relative width rel around a prediction.
func Within(predicted, rel float64) Band {
	return Band{predicted, predicted * (1 - rel), predicted * (1 + rel)}
}

// Between is the band from lo to hi around a prediction.
func Between(predicted, lo, hi float64) Band { return Band{predicted, lo, hi} }

// AtMost is the one-sided band of a promised upper bound.
func AtMost(bound float64) Band { return Band{bound, math.Inf(-1), bound} }

// AtLeast is the one-sided band of a promised lower bound.
func AtLeast(bound float64) Band { return Band{bound, bound, math.Inf(1)} }

// MeanBand is the mean of the bands of several trials, each computed from what
// was built there. It is NaN for none.
func MeanBand(bands []Band) Band {
	var sum Band
	for _, b := range bands {
		sum.Predicted += b.Predicted
		sum.Lo += b.Lo
		sum.Hi += b.Hi
	}
	n := float64(len(bands))
	return Band{sum.Predicted / n, sum.Lo / n, sum.Hi / n}
}

// An Interval contains the true value with a stated confidence.
type Interval struct{ Lo, Hi float64 }

// A Verdict says whether a law holds of what was measured.
type Verdict int

const (
	// Undecided: the interval is neither inside nor outside the band.
	Undecided Verdict = iota
	// Holds: the whole interval lies inside the band.
	Holds
	// Broken: interval and band have no point in common.
	Broken
)

func (v Verdict) String() string {
	switch v {
	case Holds:
		return "holds"
	case Broken:
		return "broken"
	default:
		return "undecided"
	}
}

// ParseVerdict reads what String wrote.
func ParseVerdict(s string) (Verdict, error) {
	for _, v := range []Verdict{Undecided, Holds, Broken} {
		if v.String() == s {
			return v, nil
		}
	}
	return Undecided, fmt.Errorf("stats: verdict %q is none of holds, broken, undecided", s)
}

// Judge compares an interval with what a law allows. Failing to reject is not
// holding: an interval that sticks out of the band on one side is undecided. A
// bound or an interval that is not a number decides nothing.
func Judge(iv Interval, b Band) Verdict {
	switch {
	case iv.Lo >= b.Lo && iv.Hi <= b.Hi:
		return Holds
	case iv.Hi < b.Lo || iv.Lo > b.Hi:
		return Broken
	default:
		return Undecided
	}
}
