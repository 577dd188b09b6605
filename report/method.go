package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// chance prints a probability as a power of ten, as 1e-7.
func chance(p float64) string { return scientific(p) }

// share prints a fraction that was chosen, not measured: 2 %.
func share(x float64) string {
	return strconv.FormatFloat(100*x, 'g', digits, 64) + " %"
}

// method says how a verdict is reached. Its numbers are the constants that the
// verdicts were made with.
func (d *docket) method(p *page) {
	p.heading(2, "Method")
	d.methodTrials(p)
	d.methodVerdicts(p)
	d.methodIntervals(p)
	d.methodBudget(p)
	methodBands(p)
}

func (d *docket) methodTrials(p *page) {
	p.heading(3, "Cells and trials")
	p.para("A cell is one subject with one set of parameters, for example a filter of n keys at 10 bits per key. " +
		"A trial builds the structure of a cell anew, with fresh random keys and a fresh seed, and reads it. " +
		"The trial is the unit: a million look-ups in one filter tell much about that filter and little about the next one.")
	p.para("The seed of a trial comes from the root seed, the name of the cell and the number of the trial. " +
		"It does not depend on the order of the work, on the number of workers or on what else was run. " +
		"So the same seed under the same versions gives the same rows, byte for byte, and any cell can be run alone.")
	p.para("What a law predicts is computed from the structure that was built, with its true size and number of hash functions, " +
		"not from what was asked for. A promise is different: a structure that is asked for a rate is held to that rate.")
	p.para("A trial that panics, hangs, fails or takes too much memory is a row under the law `no-fault`. " +
		"It ends its cell. The rest of the run goes on.")
}

func (d *docket) methodVerdicts(p *page) {
	p.heading(3, "Three verdicts")
	p.para("A law allows a band around its prediction: values that differ by less than would matter to a user. " +
		"The trials give an interval that contains the true value with a stated confidence.")
	p.list([]string{
		"**Holds:** the whole interval lies inside the band.",
		"**Broken:** interval and band have no point in common.",
		"**Undecided:** all else. The trials that were planned did not suffice to tell.",
	})
	p.para("A law that was not refuted has not been shown to hold. So a small experiment cannot pass by being small.")
	looks := make([]string, 3)
	for i := range looks {
		looks[i] = strconv.Itoa(stats.Looks(i + 1))
	}
	p.para("A cell is looked at after %s, ... trials. It ends when all its laws are decided, or when the trials planned are spent. "+
		"The number of trials is planned, never the time: a slow machine gives the same rows as a fast one.",
		strings.Join(looks, ", "))
}

// methodIntervals lists the methods of package stats, and how often each was
// used here.
func (d *docket) methodIntervals(p *page) {
	used := map[stats.Method]int{}
	for _, s := range keep(d.all(), record.Summary.Judged) {
		if m, ok := d.metrics[metricKey{s.Cell, byLaw(s)}]; ok {
			used[m.Method]++
		}
	}
	p.heading(3, "Intervals")
	p.para("How an interval is computed depends on what a trial reads.")
	var lines [][]string
	for _, m := range []struct {
		method         stats.Method
		reads, verdict string
	}{
		{
			stats.Rate, "events among many tries in one structure",
			fmt.Sprintf("The wider of two: over trials, corrected for skewness, and Clopper and Pearson's on the pooled counts, "+
				"divided by how much more the trials vary than independent tries would. With fewer than %d events in all, "+
				"a law with a lower bound cannot hold: bursts not yet seen are missing.", stats.RateEvents),
		},
		{
			stats.Mean, "one value, of either sign",
			"Student's over trials, corrected for skewness, and widened by what one unseen step of the readings could do.",
		},
		{
			stats.Spread, "one error, near normal",
			"The χ² pivot of the mean square, with fewer degrees of freedom where the errors have heavy tails.",
		},
		{
			stats.Share, "one value from 0 to 1",
			"A beta-mixture confidence sequence: valid at all looks together, with no assumption about the values. It is wide.",
		},
		{
			stats.Invariant, "counterexamples among tries",
			"One counterexample is broken, none holds. The interval only shows how much none says.",
		},
	} {
		lines = append(lines, []string{m.method.String(), m.reads, m.verdict, strconv.Itoa(used[m.method])})
	}
	p.table([]string{"method", "a trial reads", "interval", "judgements here"}, lines)
}

func (d *docket) methodBudget(p *page) {
	p.heading(3, "One error budget")
	made := len(keep(d.all(), func(s record.Summary) bool {
		return s.Judged() && s.Law != record.FaultLaw && d.metric(s).Method != stats.Invariant
	}))
	planned := engine.Judgements(d.Cells)
	p.para("Many verdicts at once go wrong by chance unless each is made with care. "+
		"The chance that any verdict of a report is wrong by sampling is at most %s. "+
		"This budget is spent in equal, fixed shares of %s for each judgement, so it affords %d. "+
		"This report makes %d; the plan of scale %s has %d. Invariants are none of them: a counterexample is a fact, no inference. "+
		"The shares are fixed: a part that is run alone, or a new experiment, changes no other verdict.",
		chance(stats.ReportBudget), chance(stats.Alpha), stats.Affordable(), made, d.Manifest.Scale, planned)
	p.para("Looking again and again has its price too. Look j may spend %s / 2^j, so that all looks together stay within the share. "+
		"Intervals in this report are those of the last look: at the first look their confidence is 1 - %s. "+
		"They are about %.1f standard errors to each side. Do not read them as 95 %% intervals: those would be well under half as wide.",
		chance(stats.Alpha), chance(stats.Alpha/2), normalQuantile(stats.Alpha/4))
}

// normalQuantile is how many standard deviations lie between the mean and the
// upper tail of a probability, by bisection: exact enough to print.
func normalQuantile(tail float64) float64 {
	lo, hi := 0.0, 40.0
	for range 60 {
		if mid := (lo + hi) / 2; math.Erfc(mid/math.Sqrt2)/2 > tail {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func methodBands(p *page) {
	p.heading(3, "Bands")
	p.para("These are the defaults. Each row states its own band.")
	var rates, bands []string
	for _, rate := range []float64{1e-2, 1e-3, 1e-4, 1e-5, 1e-6} {
		rates = append(rates, "rate "+chance(rate))
		bands = append(bands, "± "+share(stats.RateTolerance(rate)))
	}
	p.table(rates, [][]string{bands})
	const small, large = 12, 14 // either side of where spreads get more room
	p.list([]string{
		fmt.Sprintf("Between these rates the band grows evenly on logarithmic scales. At higher rates it is ± %s, at lower ones ± %s.",
			share(stats.RateTolerance(1)), share(stats.RateTolerance(0))),
		fmt.Sprintf("A spread (root mean square error) of a sketch with 2^p registers: ± %s at p = %d, ± %s at p = %d.",
			share(stats.SpreadTolerance(small)), small, share(stats.SpreadTolerance(large)), large),
		fmt.Sprintf("A bias: ± %s standard errors of the estimator.", strconv.FormatFloat(stats.BiasTolerance, 'g', digits, 64)),
		"A promised upper or lower bound has a band with one end.",
	})
}
