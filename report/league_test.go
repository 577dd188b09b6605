package report

import (
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// leagueSample has a library that promises a rate and breaks it, and breaks a
// merge that it does not promise; and one of ours that holds.
func leagueSample() Input {
	in := Input{
		Manifest: record.Manifest{Scale: "ci", Seed: 1}, Folder: "results", DefaultSeed: 1,
		Experiments: []engine.Experiment{{Name: "league/filter", Claims: []engine.Claim{{Text: "it keeps what it promises", Source: "its documentation"}}}},
		Promises:    map[string][]sketchproof.Promise{"lib": {{Of: sketchproof.Rate, Text: "p is the rate", Where: "func New"}}},
	}
	union := engine.Metric{Name: "wrong/answers", Method: stats.Invariant, Law: "union", Source: "definition"}
	add := func(module string, m engine.Metric, s record.Summary, input string) {
		s.Input = input
		in.Rows = append(in.Rows, s)
		in.Cells = append(in.Cells, cell(s.Cell, module, m))
	}
	const lib = "example.org/lib@v1.2.3"
	add("", rateMetric, row("league/filter/subject=ours/property=rate/check=rate/n=10", rateMetric, 0.01, 0.01), "")
	add(lib, rateMetric, row("league/filter/subject=lib/property=rate/check=rate/n=10", rateMetric, 0.023, 0.01), "")
	add(lib, rateMetric, row("league/filter/subject=lib/property=rate/check=rate/n=1000", rateMetric, 0.05, 0.01), "1000 keys from 7")
	add(lib, rateMetric, row("league/filter/subject=lib/property=rate/check=rate/n=9", rateMetric, 0.01, 0.01), "")
	broken := row("league/filter/subject=lib/property=merge/check=merge/of=union", union, 0.5, 0)
	broken.Verdict = stats.Broken
	add(lib, union, broken, "two keys")
	return in
}

func TestLeague(t *testing.T) {
	text := string(Render(leagueSample()))
	rules := strings.NewReplacer("  ", " ")
	for strings.Contains(text, "  ") {
		text = rules.Replace(text)
	}
	for _, want := range []string{
		"| subject | version | rate | merge |",
		"| lib | `example.org/lib` v1.2.3 | **broken** 2 of 3, 5 times | (**broken** 1 of 1) |",
		"| ours | ours | holds 1 of 1 | |",
		"| lib | rate | `league/filter/subject=lib/property=rate/check=rate/n=1000` |", "1000 keys from 7 | “p is the rate” (func New) |",
		"| lib | merge | `league/filter/subject=lib/property=merge/check=merge/of=union` |", "two keys | nothing found |",
		"3 judgements of the broken ones come from the general checks of [the league](#the-league)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if i, j := strings.Index(text, "| lib | `example"), strings.Index(text, "| ours | ours"); i > j {
		t.Error("ours come before the libraries")
	}
	if _, after, _ := strings.Cut(text, "## Verdicts"); strings.Contains(after[:strings.Index(after, "## Experiments")], "league/") {
		t.Error("what stands in the league stands among the claims too")
	}
	if strings.Contains(text, "### Broken by libraries") {
		t.Error("what stands in the league stands in the glance's table too")
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestNoLeagueWithoutItsRows(t *testing.T) {
	if strings.Contains(string(Render(sample())), "The league") {
		t.Error("a league without rows")
	}
}
