package stats

import (
	"math"
	"testing"
)

func TestJudge(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		iv   Interval
		band Band
		want Verdict
	}{
		{Interval{0.98, 1.02}, Within(1, 0.05), Holds},
		{Interval{0.94, 1.02}, Within(1, 0.05), Undecided},
		{Interval{0.98, 1.06}, Within(1, 0.05), Undecided},
		{Interval{0.9, 1.1}, Within(1, 0.05), Undecided},
		{Interval{1.06, 1.1}, Within(1, 0.05), Broken},
		{Interval{0.9, 0.94}, Within(1, 0.05), Broken},
		// An interval that touches the band has a point in common with it.
		{Interval{1, 2}, Between(0, 0, 1), Undecided},
		{Interval{-1, 0}, Between(0, 0, 1), Undecided},
		{Interval{0, 1}, Between(0.5, 0, 1), Holds},
		{Interval{1, 1}, Between(0.5, 0, 1), Holds},
		// One-sided laws.
		{Interval{0, 1}, AtMost(1), Holds},
		{Interval{-inf, 1}, AtMost(1), Holds},
		{Interval{2, inf}, AtMost(1), Broken},
		{Interval{1, inf}, AtLeast(1), Holds},
		{Interval{0, 0.5}, AtLeast(1), Broken},
		// Nothing known, or nothing asked.
		{Interval{-inf, inf}, Within(1, 0.05), Undecided},
		{Interval{-inf, inf}, Between(0, -inf, inf), Holds},
		{Interval{inf, inf}, AtMost(1), Broken},
		// What is not a number decides nothing.
		{Interval{nan, nan}, Within(1, 0.05), Undecided},
		{Interval{nan, 1}, Within(1, 0.05), Undecided},
		{Interval{1, nan}, Within(1, 0.05), Undecided},
		{Interval{0.98, 1.02}, Band{1, nan, nan}, Undecided},
		{Interval{0.98, 1.02}, Band{1, nan, 2}, Undecided},
		{Interval{0.98, 1.02}, Within(nan, 0.05), Undecided},
		{Interval{0.98, 1.02}, AtMost(nan), Undecided},
	} {
		if got := Judge(c.iv, c.band); got != c.want {
			t.Errorf("Judge(%v, %v) = %v, want %v", c.iv, c.band, got, c.want)
		}
	}
}

func TestParseVerdict(t *testing.T) {
	for _, v := range []Verdict{Undecided, Holds, Broken} {
		if got, err := ParseVerdict(v.String()); err != nil || got != v {
			t.Errorf("%v reads back as %v, %v", v, got, err)
		}
	}
	if _, err := ParseVerdict("held"); err == nil {
		t.Error("no error for a word that is no verdict")
	}
}
