package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/plots"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/report"
	"github.com/sketchproof/sketchproof/stats"
)

// reported runs the report command in a folder with results of one row, and
// returns its exit code and what it printed.
func reported(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{"report", "--out", filepath.Join(dir, "results"), "--file", filepath.Join(dir, "REPORT.md")}, args...)
	code = run(context.Background(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func resultsOfOneRow(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	folder := filepath.Join(dir, "results", "made", "up")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	row := record.Summary{Cell: "made/up/subject=x", Subject: "x", Metric: "m", Trials: 32, Law: "l", Verdict: stats.Holds}
	if err := record.WriteSummaries(&b, []record.Summary{row}); err != nil {
		t.Fatal(err)
	}
	summary := filepath.Join(folder, record.SummaryName)
	if err := os.WriteFile(summary, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	digest, err := record.Digest(summary)
	if err != nil {
		t.Fatal(err)
	}
	m := record.Manifest{Scale: "smoke", Files: map[string]string{"made/up/summary.csv": digest}}
	if err := os.WriteFile(filepath.Join(dir, "results", record.ManifestName), m.Encode(), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestReportIsWrittenAndChecked(t *testing.T) {
	dir := resultsOfOneRow(t)
	file := filepath.Join(dir, "REPORT.md")
	if code, out, _ := reported(t, dir, "--check"); code != exitBroken || !strings.Contains(out, "is stale: it is not there") {
		t.Errorf("no file: %d, %q", code, out)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("--check wrote the file: %v", err)
	}
	if code, _, errs := reported(t, dir); code != exitFine {
		t.Fatalf("%d, %q", code, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(text, []byte("[summary.csv](results/made/up/summary.csv)")) {
		t.Fatalf("%v, no link to the rows in\n%s", err, text)
	}
	if code, out, _ := reported(t, dir, "--check"); code != exitFine {
		t.Errorf("just written: %d, %q", code, out)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	lines[4] = []byte("edited by hand\n") // the fifth line
	if err := os.WriteFile(file, bytes.Join(lines, nil), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := reported(t, dir, "--check"); code != exitBroken || !strings.Contains(out, "differs from line 5 on") {
		t.Errorf("edited: %d, %q", code, out)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 { // results and REPORT.md
		t.Errorf("%v: something is left beside the report: %v", err, entries)
	}
}

// TestReportIsShown: a forge shows the committed report, and no link in it is
// dead. GitHub shows no Markdown of 512 KiB and more.
func TestReportIsShown(t *testing.T) {
	const root, most = "../..", 500_000 // bytes
	text, err := os.ReadFile(filepath.Join(root, "REPORT.md"))
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > most {
		t.Errorf("%d bytes, want at most %d", len(text), most)
	}
	anchors := map[string]bool{}
	drop := regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllSubmatch(text, -1) {
		anchor := strings.ReplaceAll(strings.ToLower(drop.ReplaceAllString(string(m[1]), "")), " ", "-")
		if anchors[anchor] {
			t.Errorf("two headings have the anchor %q: a link reaches the first alone", anchor)
		}
		anchors[anchor] = true
	}
	links := regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllSubmatch(text, -1)
	for _, m := range links {
		to := string(m[1])
		if anchor, inside := strings.CutPrefix(to, "#"); inside {
			if !anchors[anchor] {
				t.Errorf("no heading for the link %q", to)
			}
		} else if _, err := os.Stat(filepath.Join(root, to)); err != nil {
			t.Errorf("a dead link: %v", err)
		}
	}
	if len(links) < 200 { // 75 experiments, each linked and with its rows, and what is broken
		t.Errorf("%d links were found, want 200 or more", len(links))
	}
	if n, end := bytes.Count(text, []byte("\n<details>\n")), bytes.Count(text, []byte("\n</details>\n")); n == 0 || n != end {
		t.Errorf("%d folds are opened, %d closed", n, end)
	}
}

func TestReportRefuses(t *testing.T) {
	if code, _, errs := reported(t, t.TempDir()); code != exitUsage || !strings.Contains(errs, "experiment run --out") {
		t.Errorf("no results: %d, %q", code, errs)
	}
	dir := resultsOfOneRow(t)
	in := filepath.Join(dir, "results", record.ManifestName) // a file, where a folder would have to be
	if code, _, errs := reported(t, dir, "--file", filepath.Join(in, "R.md")); code != exitInternal || errs == "" {
		t.Errorf("no folder for the file: %d, %q", code, errs)
	}
	if code, _, _ := reported(t, dir, "extra"); code != exitUsage {
		t.Errorf("an argument: %d, want %d", code, exitUsage)
	}
}

func TestSpeedTables(t *testing.T) {
	tables, err := speedTables(fstest.MapFS{})
	if err != nil || tables != nil {
		t.Errorf("without timings: %v, %v", tables, err)
	}
	header := "kind,subject,eps,n,op,sec/op,lo,hi,err\n"
	weights := "kind,subject,eps,n,told-bits/key,heap-bits/key,stored-bits/key,err\nfilter,bloom,0.01,10000,9.6,9.9,9.65,\nfilter,nothing,0.01,10000,,,,\n"
	races := "subject,eps,op,peer,peer-op,n,ratio,lo,hi,target,false-positives/absent,peer-false-positives/absent,err\n" +
		"bloom,0.01,hit,other,miss,10000,2.3456,2,3,1.5,0.01,0.02,\nbloom,0.01,add,other,add,10000,,,,1.5,0.01,,other: lost\n"
	provenance := `{"cpu": "some", "command": "as run", "cores": 2}`
	tables, err = speedTables(fstest.MapFS{
		"speed/speed.csv": {Data: []byte(header + "filter,bloom,0.01,10000,hit,1.234567e-08,1.1e-08,1.4e-08,\n" +
			"filter,bloom,0.01,10000,miss,1e-08,1e-08,2e-08,\nfilter,bad,0.01,10000,hit,,,,panic: x\nsketch,hll,,10000,add,1e-09,1e-09,1e-09,\n")},
		"speed/ratios.csv":      {Data: []byte(races)},
		"speed/memory.csv":      {Data: []byte(weights)},
		"speed/provenance.json": {Data: []byte(provenance)},
	})
	if err != nil || len(tables) != 4 {
		t.Fatalf("%v, %v", tables, err)
	}
	if tables[1].Command != "as run" || !strings.Contains(tables[1].Note, "some, 2 cores") {
		t.Errorf("%+v", tables[1])
	}
	want := [][][]string{
		{
			{"bloom", "0.01", "hit", "other", "miss", "10000", "2.35", "2 to 3", "1.5", "0.01", "0.02"},
			{"bloom", "0.01", "add", "other", "add", "10000", "", "other: lost", "1.5", "0.01", ""},
		},
		{{"bloom", "0.01", "10000", "12.3 (11 to 14)", "10 (10 to 20)"}, {"bad", "0.01", "10000", "panic: x", ""}},
		{{"hll", "", "10000", "1 (1 to 1)"}},
		{{"filter", "bloom", "0.01", "10000", "9.6", "9.9", "9.65"}},
	}
	for i, table := range tables {
		if d := cmp.Diff(want[i], table.Rows); d != "" {
			t.Errorf("%s: %s", table.Title, d)
		}
	}
	for _, folder := range []fstest.MapFS{
		{"speed/speed.csv": {Data: []byte("a,b\n1\n")}, "speed/provenance.json": {Data: []byte(provenance)}},
		{"speed/provenance.json": {Data: []byte("{")}},
	} {
		if _, err := speedTables(folder); err == nil || !strings.Contains(err.Error(), "speed/") {
			t.Errorf("torn timings: %v", err)
		}
	}
}

func TestFiguresThatAreNotThere(t *testing.T) {
	all := figures(fstest.MapFS{})
	if len(all) == 0 {
		t.Fatal("no figures are known")
	}
	for _, f := range all {
		if f.File != "" || f.Title == "" {
			t.Errorf("not drawn: %+v", f)
		}
	}
	path := plots.All[0].Path()
	got := figures(fstest.MapFS{path: {}})
	if want := (report.Figure{Experiment: all[0].Experiment, File: path, Title: all[0].Title}); got[0] != want {
		t.Errorf("%+v, want %+v", got[0], want)
	}
}
