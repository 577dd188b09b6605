package sketchtest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// defaultFalseAlarm is the chance that a call fails a structure without a fault.
const defaultFalseAlarm = 1e-6

// patience is how long a trial may take. One that takes longer hangs: the slowest
// honest one, of a mebibyte's keys under the race detector, is done in seconds.
const patience = 2 * time.Minute

// A call is one call of the kit: its cases, and what they came to.
type call struct {
	kind       string
	test       string // that made the call
	seed       uint64
	falseAlarm float64
	known      map[string]string
	cases      []Case

	mu        sync.Mutex
	rows      []record.Summary
	undecided int
	failing   map[string]bool // entries of known that still fail
}

// effort is what the test run asks for.
func effort() Effort {
	if testing.Short() {
		return Short
	}
	return Usual
}

func run[S, Spec any](t testing.TB, kind string, o Options[S, Spec], cases []Case) {
	t.Helper()
	if !(o.FalseAlarm >= 0 && o.FalseAlarm < 1) {
		t.Fatalf("sketchtest: a chance of a false alarm of %v; it must lie from 0, for the usual one, to below 1", o.FalseAlarm)
	}
	if o.FalseAlarm == 0 {
		o.FalseAlarm = defaultFalseAlarm
	}
	cases = o.wanted(cases)
	c := &call{kind: kind, test: t.Name(), seed: o.Seed, falseAlarm: o.FalseAlarm, known: o.Known, cases: cases, failing: map[string]bool{}}
	if c.sent(t) {
		return
	}
	for _, one := range cases {
		switch t := t.(type) {
		case *testing.T:
			t.Run(one.Name(), func(t *testing.T) { c.judge(t, one) })
		case *testing.B:
			t.Run(one.Name(), func(b *testing.B) { c.measure(b, one) })
		default:
			t.Fatalf("sketchtest: %T is neither a test nor a benchmark", t)
		}
	}
	c.finish(t)
}

// alpha is the share of one judgement in the chance of a false alarm: by
// Bonferroni's inequality they may depend on one another in any way.
func (c *call) alpha() float64 { return c.falseAlarm / float64(max(1, len(c.cases))) }

// An outcome is what the trials of a case came to.
type outcome struct {
	judgement stats.Judgement
	band      stats.Band // mean over trials
	input     string     // of the first trial that showed one
	seed      uint64     // of that trial
	err       error
}

// carryOut runs the trials of a case until they decide, or are spent.
func (c *call) carryOut(t testing.TB, one Case) outcome {
	var o outcome
	var counts []stats.Count
	var bands []stats.Band
	look := 1
	for len(counts) < one.Trials {
		seed := Seed(c.seed, c.kind+"/"+one.Name(), len(counts))
		try := patient
		if one.Fatal {
			try = func(one Case, seed uint64) (Reading, error) { return c.alone(t, one, seed) }
		}
		r, err := try(one, seed)
		if err != nil {
			return outcome{err: err, seed: seed}
		}
		counts, bands = append(counts, stats.Count{Num: r.Num, Den: r.Den}), append(bands, r.Band)
		if r.Input != "" && o.input == "" {
			o.input, o.seed = r.Input, seed
		}
		if n := len(counts); n == stats.Looks(look) || n == one.Trials {
			o.band = stats.MeanBand(bands)
			o.judgement = one.Method.Assess(counts, look, c.alpha(), o.band)
			look++
			if o.judgement.Verdict != stats.Undecided {
				return o
			}
		}
	}
	return o
}

// patient runs one trial, which hangs when it takes too long: nothing can end it
// then but the end of the test.
func patient(one Case, seed uint64) (Reading, error) {
	type result struct {
		r   Reading
		err error
	}
	done := make(chan result, 1)
	go func() {
		r, err := one.try(seed)
		done <- result{r, err}
	}()
	select {
	case r := <-done:
		return r.r, r.err
	case <-time.After(patience):
		return Reading{}, fmt.Errorf("it has not ended after %v", patience)
	}
}

// judge is a case as a test.
func (c *call) judge(t *testing.T, one Case) {
	t.Helper()
	o := c.carryOut(t, one)
	entry, known := c.isKnown(one.Name())
	broken := o.err == nil && o.judgement.Verdict == stats.Broken
	failed := o.err != nil || broken && !one.Warning
	c.keep(one, o)
	switch {
	case (failed || broken) && known:
		c.mu.Lock()
		c.failing[entry] = true
		c.mu.Unlock()
		t.Skipf("known: %s\n%s", c.known[entry], c.explain(t.Name(), one, o))
	case failed:
		t.Error(c.explain(t.Name(), one, o))
	case broken:
		t.Logf("warning: %s", c.explain(t.Name(), one, o))
	case o.judgement.Verdict == stats.Undecided:
		c.mu.Lock()
		c.undecided++
		c.mu.Unlock()
		t.Log(c.explain(t.Name(), one, o))
	}
}

// measure is a case as a benchmark: its figure is a metric of it.
func (c *call) measure(b *testing.B, one Case) {
	b.Helper()
	var o outcome
	trials := 0
	for b.Loop() {
		o = c.carryOut(b, one)
		trials += max(1, o.judgement.Trials)
	}
	if o.err != nil {
		b.Error(c.explain(b.Name(), one, o))
		return
	}
	c.keep(one, o)
	b.ReportMetric(o.judgement.Estimate, strings.ReplaceAll(one.Metric, " ", "-"))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(trials), "ns/trial")
}

// isKnown finds the entry of the known failures that covers a case.
func (c *call) isKnown(name string) (entry string, ok bool) {
	for entry := range c.known {
		if name == entry || strings.HasPrefix(name, entry+"/") {
			return entry, true
		}
	}
	return "", false
}

// explain says what was found, and how to see it again.
func (c *call) explain(test string, one Case, o outcome) string {
	var b strings.Builder
	if o.err != nil {
		fmt.Fprintf(&b, "fault: %v\n", o.err)
	} else {
		j := o.judgement
		fmt.Fprintf(&b, "%v: %s is %.4g (%.4g to %.4g) in %d trials; %s allows %s, by %s\n",
			j.Verdict, one.Metric, j.Estimate, j.Interval.Lo, j.Interval.Hi, j.Trials, one.Law, allowed(o.band), one.Source)
	}
	if o.input != "" {
		fmt.Fprintf(&b, "smallest input found: %s\n", o.input)
	}
	fmt.Fprintf(&b, "root seed %d, trial seed %d; again: go test -run '%s'\n", c.seed, o.seed, pattern(test))
	fmt.Fprintf(&b, "chance of a false alarm in the whole call: %.1g, shared by %d judgements", c.falseAlarm, len(c.cases))
	return b.String()
}

// allowed is a band in words.
func allowed(band stats.Band) string {
	switch {
	case math.IsInf(band.Lo, -1):
		return fmt.Sprintf("at most %.4g", band.Hi)
	case math.IsInf(band.Hi, 1):
		return fmt.Sprintf("at least %.4g", band.Lo)
	default:
		return fmt.Sprintf("%.4g to %.4g", band.Lo, band.Hi)
	}
}

// pattern selects one test by its name.
func pattern(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// keep keeps the row of a case.
func (c *call) keep(one Case, o outcome) {
	row := record.Summary{
		Cell: c.kind + "/" + one.Name(), Subject: c.kind, Metric: one.Metric, Trials: o.judgement.Trials, Estimate: o.judgement.Estimate,
		Lo: o.judgement.Interval.Lo, Hi: o.judgement.Interval.Hi, Confidence: o.judgement.Confidence, Law: one.Law,
		Predicted: o.band.Predicted, AllowedLo: o.band.Lo, AllowedHi: o.band.Hi, Verdict: o.judgement.Verdict,
	}
	if o.err != nil {
		row.Law, row.Verdict, row.Estimate = record.FaultLaw, stats.Broken, math.NaN()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rows = append(c.rows, row)
}

// finish says what the call came to as a whole, and writes its rows.
func (c *call) finish(t testing.TB) {
	t.Helper()
	for entry, reason := range c.known {
		ran := false
		for _, row := range c.rows {
			name := strings.TrimPrefix(row.Cell, c.kind+"/")
			ran = ran || name == entry || strings.HasPrefix(name, entry+"/")
		}
		if _, test := t.(*testing.T); test && ran && !c.failing[entry] {
			t.Errorf("%s no longer fails (%s): take it off the known failures", entry, reason)
		}
	}
	if c.undecided > 0 {
		t.Logf("%d of %d judgements are undecided: the trials did not suffice to tell", c.undecided, len(c.cases))
	}
	if len(c.rows) == 0 {
		return
	}
	file, err := os.Create(filepath.Join(t.ArtifactDir(), c.kind+".csv"))
	if err != nil {
		t.Errorf("sketchtest: the rows are not written: %v", err)
		return
	}
	if err := record.WriteSummaries(file, c.rows); err != nil {
		t.Errorf("sketchtest: the rows are not written: %v", err)
	}
	if err := file.Close(); err != nil {
		t.Errorf("sketchtest: the rows are not written: %v", err)
	}
}
