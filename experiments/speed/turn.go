package speed

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// A Lap is the time of each operation of a subject in one round.
type Lap struct {
	Subject string
	Ops     []string
	Seconds []float64 // per operation, in the order of Ops
}

// TimeOnce times one round of a subject, for a caller that lets several programs
// take turns. Keys and probes follow from the subject, n and the round, so that
// two programs do the same work in the same round, and new work in the next. ok
// is false for a subject that nothing times.
func TimeOnce(subject string, n, round int) (lap Lap, ok bool, err error) {
	list := contenders()
	i := slices.IndexFunc(list, func(c contender) bool { return c.subject == subject })
	if i < 0 {
		return Lap{Subject: subject}, false, nil
	}
	c := list[i]
	got, fault := guarded(func() (reading, error) { return c.round(n, c.seed(n, round)) })
	if fault != "" {
		return Lap{Subject: subject}, true, fmt.Errorf("%s: %s", subject, fault)
	}
	return Lap{subject, c.ops, got.seconds}, true, nil
}

// A Ratio is how the times of two programs relate: that of the second over that
// of the first, round by round.
type Ratio struct {
	Subject, Op           string
	Rounds                int
	Median, Lo, Hi        float64
	Confidence            float64 // of the interval
	SecondsFirst, Seconds float64 // medians
}

// Ratios relates the laps of two programs, those of one round at one place. An
// operation that one of them lacks is left out.
func Ratios(first, second []Lap) []Ratio {
	if len(first) == 0 || len(first) != len(second) {
		return nil
	}
	var list []Ratio
	for i, op := range first[0].Ops {
		j := slices.Index(second[0].Ops, op)
		if j < 0 {
			continue
		}
		var ratios, one, two []float64
		for k := range first {
			a, b := first[k].Seconds[i], second[k].Seconds[j]
			one, two = append(one, a), append(two, b)
			ratios = append(ratios, b/a)
		}
		r := Ratio{Subject: first[0].Subject, Op: op, Rounds: len(ratios)}
		r.Median, r.Lo, r.Hi, r.Confidence = middle(ratios)
		r.SecondsFirst, _, _, _ = middle(one)
		r.Seconds, _, _, _ = middle(two)
		list = append(list, r)
	}
	return list
}

// middle is the median of a sample and its order-statistic interval, which
// assumes nothing of how the values are distributed.
func middle(values []float64) (median, lo, hi, confidence float64) {
	if slices.ContainsFunc(values, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
		return math.NaN(), math.NaN(), math.NaN(), math.NaN()
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), 0.95)
	return s.Center, s.Lo, s.Hi, s.Confidence
}
