package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

const (
	// workerEnv makes this test program a worker process.
	workerEnv = "SKETCHPROOF_ENGINE_TEST_WORKER"
	// outsideEnv names the file that marks a death from outside.
	outsideEnv = "SKETCHPROOF_ENGINE_TEST_OUTSIDE"
)

func TestMain(m *testing.M) {
	if os.Getenv(workerEnv) != "" {
		if err := Serve(coins, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func testWorker() *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), workerEnv+"=1")
	return cmd
}

// coins are experiments on coins that fall on heads with a known probability.
var coins = []Experiment{
	{Name: "coin/rate", Plan: func(s Scale) []Cell {
		var cells []Cell
		for _, percent := range Pick(s, []int{10, 20}, []int{30}, []int{40}) {
			cells = append(cells, coinCell(percent, percent))
		}
		return append(cells, coinCell(50, 10)) // promises 10 %, falls in 50 %
	}},
	{Name: "coin/shown", Plan: func(Scale) []Cell {
		cells := []Cell{coinCell(10, 20), coinCell(20, 20), coinCell(30, 30), coinCell(40, 40)}
		for i := range cells {
			run := cells[i].Run
			cells[i].Shows = true
			cells[i].Unseeded = i >= 2
			cells[i].Run = func(t *T) error {
				err := run(t)
				if r := t.Readings()[0]; i != 1 && r.Num < r.Den*int64(r.Band.Predicted*100)/100 {
					t.Show(fmt.Sprintf("%d heads", r.Num))
				}
				return err
			}
		}
		return cells
	}},
	{Name: "coin/faults", Plan: func(Scale) []Cell {
		var cells []Cell
		for _, kind := range []string{"panic", "error", "hang", "exit", "eat", "fatal", "chatty", "outside", "fine"} {
			cells = append(cells, faultCell(kind))
		}
		return cells
	}},
}

var heads = Metric{Name: "heads/toss", Method: stats.Rate, Law: "fair", Source: "Bernoulli 1713"}

func coinCell(percent, promised int) Cell {
	return Cell{
		Labels: record.L("subject", "coin", "percent", percent, "promised", promised), Metrics: []Metric{heads},
		Trials: 256, Cost: Cost{Seconds: 0.01}, // small chunks
		Run: func(t *T) error {
			const tosses = 1000
			var n int64
			for i := range uint64(tosses) {
				if hashing.Reduce(hashing.Mix(t.Seed+i*hashing.Gamma), 100) < uint64(percent) {
					n++
				}
			}
			t.Read(heads, n, tosses, stats.Within(float64(promised)/100, 0.05))
			return nil
		},
	}
}

func faultCell(kind string) Cell {
	ok := Metric{Name: "violations", Method: stats.Invariant, Law: "none"}
	return Cell{
		Labels: record.L("subject", kind), Metrics: []Metric{ok}, Trials: 40, Cost: Cost{Seconds: 0.01},
		Run: func(t *T) error {
			if t.Seed%3 != 0 {
				t.Read(ok, 0, 1, stats.AtMost(0))
				return nil
			}
			switch kind {
			case "panic":
				panic("lost my way")
			case "error":
				return errors.New("no luck\nmore of it")
			case "hang":
				select {}
			case "exit":
				os.Exit(3)
			case "chatty": // what is logged hides no cause, and is none
				fmt.Fprintln(os.Stderr, "panic: just kidding\n"+strings.Repeat("log ", 5000))
				if t.Seed%2 == 0 {
					go panic("out of reach")
					select {}
				}
			case "outside": // as if killed once by somebody else
				if mark, err := os.OpenFile(os.Getenv(outsideEnv), os.O_CREATE|os.O_EXCL, 0o644); err == nil {
					_ = mark.Close()
					os.Exit(9)
				}
			case "eat":
				var all [][]byte
				for {
					b := make([]byte, 64<<20)
					for i := range b {
						b[i] = 1
					}
					all = append(all, b)
					if len(all) > 1<<20 {
						return nil
					}
				}
			case "fatal": // no recover stops it
				new(sync.Mutex).Unlock()
			}
			t.Read(ok, 0, 1, stats.AtMost(0))
			return nil
		},
	}
}

var onlyRates = Selection{Only: []string{"coin/rate"}}

func mustRun(t *testing.T, o Options) Outcome {
	t.Helper()
	out, err := Run(t.Context(), coins, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// files reads a whole results folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		got[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestVerdictsAndFilesDoNotDependOnWorkers(t *testing.T) {
	one, four := t.TempDir(), t.TempDir()
	rows := mustRun(t, Options{Scale: CI, Root: 1, Selection: onlyRates, Dir: one, Workers: 1}).Rows
	mustRun(t, Options{Scale: CI, Root: 1, Selection: onlyRates, Dir: four, Workers: 4, Worker: testWorker})
	if d := cmp.Diff(files(t, one), files(t, four)); d != "" {
		t.Error(d)
	}
	for _, r := range rows {
		want := stats.Holds
		if strings.Contains(r.Cell, "percent=50") {
			want = stats.Broken
		}
		if r.Verdict != want {
			t.Errorf("%s: %v, want %v (%v in [%v, %v])", r.Cell, r.Verdict, want, r.Estimate, r.Lo, r.Hi)
		}
	}
	if len(rows) != 4 {
		t.Errorf("%d judgements, want 4", len(rows))
	}
	other := t.TempDir()
	mustRun(t, Options{Scale: CI, Root: 2, Selection: onlyRates, Dir: other})
	if cmp.Equal(files(t, one), files(t, other)) {
		t.Error("another seed gave the same files")
	}
}

func TestShardsMergedAreTheWhole(t *testing.T) {
	whole := t.TempDir()
	mustRun(t, Options{Scale: CI, Root: 1, Selection: onlyRates, Dir: whole})
	var shards []string
	for i := 1; i <= 3; i++ {
		dir := t.TempDir()
		s := onlyRates
		s.Shard = Shard{i, 3}
		mustRun(t, Options{Scale: CI, Root: 1, Selection: s, Dir: dir})
		shards = append(shards, dir)
	}
	merged := t.TempDir()
	shards[0], shards[2] = shards[2], shards[0] // any order
	if _, err := Merge(coins, merged, shards); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(files(t, whole), files(t, merged)); d != "" {
		t.Error(d)
	}
	if _, err := Merge(coins, t.TempDir(), shards[:2]); !errors.Is(err, ErrNotComparable) {
		t.Errorf("two of three shards: %v", err)
	}
	// The first coin's shard has a file to tamper with.
	first := shardOf(Cells(coins, CI)[0].Name(), 3) + 1
	for _, dir := range shards {
		data, err := os.ReadFile(filepath.Join(dir, record.ManifestName))
		if err != nil {
			t.Fatal(err)
		}
		m, err := record.ReadManifest(data)
		if err != nil {
			t.Fatal(err)
		}
		if m.Shard == (Shard{first, 3}).String() {
			if err := os.WriteFile(filepath.Join(dir, "coin/rate/summary.csv"), []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := Merge(coins, t.TempDir(), shards); !errors.Is(err, ErrNotComparable) {
		t.Errorf("a tampered file: %v", err)
	}
	if _, err := Merge(coins, t.TempDir(), nil); !errors.Is(err, ErrNotComparable) {
		t.Errorf("no shards: %v", err)
	}
}

func TestTwoRunsInOneFolderAreKeptApart(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked there")
	}
	dir := t.TempDir()
	unlock, err := lockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Selection: onlyRates, Dir: dir}
	if _, err := Run(t.Context(), coins, o); err == nil || !strings.Contains(err.Error(), "another run") {
		t.Errorf("got %v", err)
	}
	unlock()
	mustRun(t, o)
}

func TestResumeAfterAnyNumberOfCellsGivesTheSameBytes(t *testing.T) {
	whole := t.TempDir()
	mustRun(t, Options{Scale: CI, Root: 1, Selection: onlyRates, Dir: whole})
	want := files(t, whole)
	dir := t.TempDir()
	for stop := 3; ; stop += 7 { // beats, not cells: chunks end in between
		ctx, cancel := context.WithCancel(t.Context())
		beats := 0
		_, err := Run(ctx, coins, Options{
			Scale: CI, Root: 1, Selection: onlyRates, Dir: dir, Workers: 2,
			Progress: func(Progress) {
				if beats++; beats == stop {
					cancel()
				}
			},
		})
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(want, files(t, dir)); d != "" {
		t.Error(d)
	}
}

func TestEveryFaultIsARowAndTheSweepGoesOn(t *testing.T) {
	dir := t.TempDir()
	mark := filepath.Join(t.TempDir(), "died")
	t.Setenv(outsideEnv, mark)
	out := mustRun(t, Options{
		Scale: Smoke, Root: 5, Selection: Selection{Only: []string{"coin/faults"}}, Dir: dir, Workers: 2, Worker: testWorker,
		Timeout: 5 * time.Second, Memory: 64 << 20,
	})
	verdicts := map[string]stats.Verdict{}
	for _, r := range out.Rows {
		if r.Metric == faultMetric {
			verdicts[r.Subject] = r.Verdict
		}
	}
	want := map[string]stats.Verdict{}
	for _, kind := range []string{"panic", "error", "hang", "exit", "eat", "fatal", "chatty"} {
		want[kind] = stats.Broken
	}
	if d := cmp.Diff(want, verdicts); d != "" {
		t.Error(d)
	}
	trials := files(t, dir)["coin/faults/trials.csv"]
	for _, text := range []string{
		"panic: lost my way", "no luck\n", "no answer within 5s", "the worker died: exit status 3",
		"held more memory than its limit", "fatal error: sync: unlock of unlocked mutex", "panic: out of reach",
	} {
		if !strings.Contains(trials, text) {
			t.Errorf("no row says %q in\n%s", text, trials)
		}
	}
}

func TestUnknownSelectionsNameTheNearest(t *testing.T) {
	for only, want := range map[string]string{
		"coin/rat":           `"coin/rate"`,
		"*/percent=01*":      "did you mean",
		"something/else/yet": "experiment list",
	} {
		_, err := Run(t.Context(), coins, Options{Selection: Selection{Only: []string{only}}, Dir: t.TempDir()})
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want a usage error that says %q", only, err, want)
		}
	}
}

func TestUnwritableFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Run(t.Context(), coins, Options{Selection: onlyRates, Dir: filepath.Join(file, "results")})
	if err == nil || !strings.Contains(err.Error(), "results folder") {
		t.Errorf("got %v", err)
	}
}
