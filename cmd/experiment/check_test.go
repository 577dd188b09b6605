package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/check"
	"github.com/sketchproof/sketchproof/experiments"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/results"
	"github.com/sketchproof/sketchproof/stats"
)

// A coin is an experiment whose one rate, promised to be 0.1, is what it is told
// to be, and whose trials fail on demand.
type coin struct {
	num   int64 // of 1000
	fault bool
}

var coinRate = engine.Metric{Name: "heads/toss", Method: stats.Rate, Law: "coin.fair", Source: "derived here"}

func (c coin) experiments() []engine.Experiment {
	return []engine.Experiment{{Name: "coin/rate", Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, n := range engine.Pick(s, []int{1}, []int{2}, nil) {
			cells = append(cells, engine.Cell{
				Labels: record.L("subject", "coin", "n", n), Metrics: []engine.Metric{coinRate}, Trials: 64,
				Run: func(t *engine.T) error {
					if c.fault {
						return errors.New("rolled under the table")
					}
					t.Read(coinRate, c.num, 1000, stats.Within(0.1, 0.2))
					return nil
				},
			})
		}
		return cells
	}}}
}

// fair falls on heads in 100 of 1000 tosses: inside the band of 80 to 120, and
// the interval of 64 trials of 1000 tosses lies inside too.
var fair = coin{num: 100}

func (c coin) options(dir string, s engine.Scale) engine.Options {
	return engine.Options{Scale: s, Root: 7, Dir: dir, Workers: 1}
}

// baseline runs the coin into a folder and loads that.
func (c coin) baseline(t *testing.T, s engine.Scale) baseline {
	t.Helper()
	dir := t.TempDir()
	if _, err := engine.Run(t.Context(), c.experiments(), c.options(dir, s)); err != nil {
		t.Fatal(err)
	}
	b, err := load(os.DirFS(dir), "the test")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCheckAgainst(t *testing.T) {
	for name, c := range map[string]struct {
		before, now coin
		scale       engine.Scale
		want        map[check.Kind]int // two cells in ci, one in smoke
	}{
		"nothing changed":              {fair, fair, engine.CI, nil},
		"smoke is part of ci":          {fair, fair, engine.Smoke, nil},
		"a law newly broken":           {fair, coin{num: 200}, engine.CI, map[check.Kind]int{check.Regressed: 2}},
		"a figure that changed":        {fair, coin{num: 101}, engine.Smoke, map[check.Kind]int{check.Changed: 1}},
		"broken as before":             {coin{num: 200}, coin{num: 200}, engine.CI, map[check.Kind]int{check.KnownBroken: 2}},
		"mended":                       {coin{num: 200}, fair, engine.Smoke, map[check.Kind]int{check.Mended: 1, check.Changed: 1}},
		"a fault known, nothing else":  {coin{fault: true}, coin{fault: true}, engine.Smoke, map[check.Kind]int{check.KnownBroken: 1}},
		"a fault gone, a figure there": {coin{fault: true}, fair, engine.Smoke, map[check.Kind]int{check.Mended: 1, check.New: 1}},
		"a fault in place of a figure": {fair, coin{fault: true}, engine.Smoke, map[check.Kind]int{check.Regressed: 1, check.Missing: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			o := c.now.options(t.TempDir(), c.scale)
			o.Root = 8 // must give way to the baseline's
			report, err := checkAgainst(t.Context(), c.now.experiments(), c.before.baseline(t, engine.CI), o)
			if err != nil {
				t.Fatal(err)
			}
			if report.Apart != "" {
				t.Errorf("not compared digit by digit: %s", report.Apart)
			}
			for _, k := range check.Kinds {
				if report.Count(k) != c.want[k] {
					t.Errorf("%d %v, want %d", report.Count(k), k, c.want[k])
				}
			}
			if report.Baseline != "the test" {
				t.Errorf("baseline %q", report.Baseline)
			}
		})
	}
}

func TestCheckNeedsACellInCommon(t *testing.T) {
	other := coin{num: 100}.experiments()
	other[0].Name = "dice/rate"
	_, err := checkAgainst(t.Context(), other, fair.baseline(t, engine.Smoke), fair.options(t.TempDir(), engine.CI))
	if !errors.Is(err, engine.ErrNotComparable) || !strings.Contains(err.Error(), "the test holds none of the 2 cells") {
		t.Errorf("got %v", err)
	}
	o := fair.options(t.TempDir(), engine.CI)
	o.Selection.Only = []string{"coin/rat"}
	_, err = checkAgainst(t.Context(), fair.experiments(), fair.baseline(t, engine.Smoke), o)
	if got := exitCode(err); got != exitUsage {
		t.Errorf("an unknown cell: exit %d, want %d (%v)", got, exitUsage, err)
	}
}

func TestCheckUsage(t *testing.T) {
	for _, args := range [][]string{
		{"check", "--scale", "smok"},
		{"check", "--workers", "0"},
		{"check", "--format", "xml"},
		{"check", "--shard", "1/2"},
		{"check", "--scale", "smoke", "stray"},
	} {
		var stderr strings.Builder
		if code := run(t.Context(), args, strings.NewReader(""), io.Discard, &stderr); code != exitUsage {
			t.Errorf("%q: exit %d, want %d: %s", args, code, exitUsage, stderr.String())
		}
	}
}

// TestCheckLeavesNothingBehind: whatever ends check, its folder is gone.
func TestCheckLeavesNothingBehind(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary) // os.TempDir on Unix
	t.Setenv("TMP", temporary)    // and on Windows
	var stderr strings.Builder
	code := run(t.Context(), []string{"check", "--scale", "smoke", "--against", t.TempDir()}, strings.NewReader(""), io.Discard, &stderr)
	if code != exitNotComparable || !strings.Contains(stderr.String(), "no results there") {
		t.Errorf("an empty folder as baseline: exit %d, want %d: %s", code, exitNotComparable, stderr.String())
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestJobSummaryIsAppended(t *testing.T) {
	report := check.Report{Baseline: "x"}
	file := filepath.Join(t.TempDir(), "summary.md")
	if err := os.WriteFile(file, []byte("before\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := checkFlags{format: "github"}
	if err := f.write(io.Discard, file, report); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(got), "before\n## ") {
		t.Errorf("%v %q", err, got)
	}
	if err := f.write(io.Discard, "", report); err != nil {
		t.Errorf("outside a workflow: %v", err)
	}
	if err := f.write(io.Discard, t.TempDir(), report); err == nil {
		t.Error("a folder was taken for the job summary")
	}
}

// TestEmbeddedResults keeps the pattern in package results as wide as what is
// committed, and the manifest true.
func TestEmbeddedResults(t *testing.T) {
	r, err := check.Load(results.FS())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) == 0 || r.Manifest.Seed != experiments.RootSeed {
		t.Errorf("%d rows with seed %d, want some with seed %d", len(r.Rows), r.Manifest.Seed, uint64(experiments.RootSeed))
	}
}
