package record

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/sketchproof/sketchproof/stats"
)

// A Summary is one judgement: what a cell's trials say about one metric. It is
// a line of summary.csv.
type Summary struct {
	Cell, Subject, Metric string
	Trials                int
	Estimate              float64
	Lo, Hi                float64 // the interval
	Confidence            float64 // of the interval
	Law                   string  // "" when there is nothing to judge
	Predicted             float64 // by the law, mean over trials
	AllowedLo, AllowedHi  float64 // the band, mean over trials; infinite if one-sided
	Verdict               stats.Verdict

	// Input is the smallest input found that shows it, "" where none was named. It
	// is no column: it lies in a file of its own.
	Input string
	// Unseeded says that no seed reaches what the subject draws.
	Unseeded bool
}

// FaultLaw is the law that no trial panics, hangs or fails. Its row is written
// only where one did.
const FaultLaw = "no-fault"

// Judged reports whether a law was put on trial.
func (s Summary) Judged() bool { return s.Law != "" }

// SummaryHeader is the header of every summary.csv.
var SummaryHeader = []string{
	"cell", "subject", "metric", "trials", "estimate", "lo", "hi", "confidence",
	"law", "predicted", "allowed_lo", "allowed_hi", "verdict",
}

// Strings is the CSV line.
func (s Summary) Strings() []string {
	verdict := ""
	if s.Judged() {
		verdict = s.Verdict.String()
	}
	return []string{
		s.Cell, s.Subject, s.Metric, strconv.Itoa(s.Trials), Float(s.Estimate), Float(s.Lo), Float(s.Hi),
		Float(s.Confidence), s.Law, Float(s.Predicted), Float(s.AllowedLo), Float(s.AllowedHi), verdict,
	}
}

// WriteSummaries writes a summary.csv.
func WriteSummaries(w io.Writer, rows []Summary) error {
	raw := make([][]string, len(rows))
	for i, s := range rows {
		raw[i] = s.Strings()
	}
	return WriteRaw(w, SummaryHeader, raw)
}

// ReadSummaries reads a summary.csv. An error names the line.
func ReadSummaries(r io.Reader) ([]Summary, error) {
	header, raw, err := ReadRaw(r)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(header, SummaryHeader) {
		return nil, fmt.Errorf("record: the header is %q, want %q", header, SummaryHeader)
	}
	rows := make([]Summary, len(raw))
	for i, line := range raw {
		if rows[i], err = parseSummary(line); err != nil {
			return nil, fmt.Errorf("record: line %d: %w", i+2, err)
		}
	}
	return rows, nil
}

func parseSummary(f []string) (s Summary, err error) {
	s = Summary{Cell: f[0], Subject: f[1], Metric: f[2], Law: f[8]}
	if s.Trials, err = strconv.Atoi(f[3]); err != nil {
		return s, err
	}
	inf := math.Inf(1)
	for _, x := range []struct {
		to      *float64
		text    string
		missing float64
	}{
		{&s.Estimate, f[4], math.NaN()},
		{&s.Lo, f[5], -inf},
		{&s.Hi, f[6], inf},
		{&s.Confidence, f[7], math.NaN()},
		{&s.Predicted, f[9], math.NaN()},
		{&s.AllowedLo, f[10], -inf},
		{&s.AllowedHi, f[11], inf},
	} {
		if *x.to, err = ParseFloat(x.text, x.missing); err != nil {
			return s, err
		}
	}
	if s.Judged() {
		s.Verdict, err = stats.ParseVerdict(f[12])
	}
	return s, err
}
