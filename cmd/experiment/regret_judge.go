package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/stats"
)

// What the choice is to reach over a sample of workloads.
const (
	regretMedian, regretMost = 0.05, 0.15 // the second for 95 % of workloads
	bytesWithin              = 0.02
	secondsWithin            = 0.25
)

// summarizeRegret tells what was found over all workloads.
func summarizeRegret(w io.Writer, seed uint64, rows []regretRow) error {
	var regrets, secondsFirst, seconds, bytes []float64
	none, faults, judged, farBytes := 0, 0, 0, 0
	var outside []string
	for _, r := range rows {
		switch {
		case r.noneFits:
			none++
			continue
		case r.fault != "":
			faults++
			fmt.Fprintf(w, "workload %d: %s, recommended, %s\n", r.number, r.first.Subject, r.fault)
			continue
		}
		regrets = append(regrets, r.regret())
		secondsFirst = append(secondsFirst, off(r.first.LookUp.Seconds, r.measured.lookUp))
		for _, x := range append(r.others, r.measured) {
			seconds = append(seconds, off(x.offer.LookUp.Seconds, x.lookUp))
			bytes = append(bytes, off(float64(x.offer.Bytes), float64(x.bytes)))
			if bytes[len(bytes)-1] > bytesWithin {
				farBytes++
			}
			if x.absent > 0 {
				judged++
				if !x.rateWithin() {
					outside = append(outside, fmt.Sprintf("%s in %d (%d of %d, allowed %.4g to %.4g)",
						x.offer.Subject, r.number, x.found, x.absent, x.offer.RateLo, x.offer.RateHi))
				}
			}
		}
	}
	if len(regrets) == 0 {
		return fmt.Errorf("no workload of the sample has an answer that could be measured")
	}
	sample := fmt.Sprintf("sample of seed %d", seed)
	if seed == judgedSeed {
		sample += ", which nothing was tuned on"
	}
	fmt.Fprintf(w, "%d workloads (%s); %d have no answer, %d could not be measured\n", len(regrets), sample, none, faults)
	line := func(what string, value, limit float64) {
		verdict := "reached"
		if !(value <= limit) {
			verdict = "missed"
		}
		fmt.Fprintf(w, "  %-46s %6.1f %%  (at most %g %%: %s)\n", what, 100*value, 100*limit, verdict)
	}
	line("regret, median", quantile(regrets, 0.5), regretMedian)
	line("regret, 95th percentile", quantile(regrets, 0.95), regretMost)
	line("look-up of the recommended one, off, median", quantile(secondsFirst, 0.5), secondsWithin)
	line("look-up of any eligible one, off, median", quantile(seconds, 0.5), secondsWithin)
	line("bytes of any eligible one, off, 95th percentile", quantile(bytes, 0.95), bytesWithin)
	fmt.Fprintf(w, "  rates outside of their interval                 %d of %d; bytes off by more than %g %%: %d of %d\n",
		len(outside), judged, 100*bytesWithin, farBytes, len(bytes))
	if len(outside) > 0 {
		fmt.Fprintf(w, "rates outside: %s\n", strings.Join(outside[:min(10, len(outside))], "; "))
	}
	return worstRegrets(w, rows)
}

// worstRegrets lists the workloads with the largest regret: where to look.
func worstRegrets(w io.Writer, rows []regretRow) error {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r regretRow) bool {
		return r.noneFits || r.fault != "" || !(r.regret() > regretMost)
	})
	slices.SortFunc(rows, func(a, b regretRow) int { return compareFloats(b.regret(), a.regret()) })
	var err error
	for _, r := range rows[:min(10, len(rows))] {
		x := r.workload
		_, err = fmt.Fprintf(w, "workload %d: %s keys of %d bytes, rate %.2g, work %.2g s, present %.0f %%, %v: %s %.1f ns (predicted look-up %.1f, measured %.1f), best %s %.1f ns\n",
			r.number, choose.Count(x.Keys), x.KeyBytes, x.Rate, x.Work, 100*x.Present, x.Needs, r.first.Subject, 1e9*r.cost,
			1e9*r.first.LookUp.Seconds, 1e9*r.measured.lookUp, r.best, 1e9*r.bestCost)
	}
	return err
}

// off is by how much a prediction is off what was measured, as a share.
func off(predicted, measured float64) float64 { return math.Abs(predicted/measured - 1) }

// rateWithin reports whether what was counted can be of a rate that the law
// allows: whether the exact interval, wrong once in 10^5 times, meets the law's band.
func (r regretReading) rateWithin() bool {
	seen := stats.ClopperPearsonAlpha(int64(r.found), int64(r.absent), 1e-5)
	return seen.Lo <= r.offer.RateHi && seen.Hi >= r.offer.RateLo
}

// quantile is the value that a share q of the values do not exceed.
func quantile(values []float64, q float64) float64 {
	values = slices.Clone(values)
	slices.Sort(values)
	return values[min(int(math.Ceil(q*float64(len(values))))-1, len(values)-1)]
}
