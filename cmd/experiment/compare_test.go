package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/check"
	"github.com/sketchproof/sketchproof/internal/specimens"
)

func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		made specimens.Specimen
		lost int
		want check.Outcome
	}{
		{specimens.Specimen{Fault: "panic: oh", Refused: "no"}, 0, check.Outcome{State: check.Faulty, Text: "panic: oh"}},
		{specimens.Specimen{Refused: "no"}, 0, check.Outcome{State: check.Refused, Text: "no"}},
		{specimens.Specimen{Answers: specimens.Answers{Held: 9, Lost: 2}}, 0, check.Outcome{State: check.Lossy, Lost: 2, Held: 9}},
		{specimens.Specimen{Answers: specimens.Answers{Held: 9, Lost: 2}}, 2, check.Outcome{State: check.Kept, Held: 9}},
	} {
		if got := outcome(c.made, c.lost); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.made, got, c.want)
		}
	}
}

func TestWorse(t *testing.T) {
	loss := func(n int, own bool) check.Reading {
		return check.Reading{Own: own, Worst: check.Outcome{State: check.Lossy, Lost: n}}
	}
	refusal := check.Reading{Worst: check.Outcome{State: check.Refused}}
	order := []check.Reading{{}, {Own: true, Differ: 9}, loss(9, true), {Differ: 1}, {Differ: 2}, refusal, loss(1, false), loss(5, false)}
	for i, a := range order {
		for j, b := range order {
			if worse(a, b) != (i > j) {
				t.Errorf("reading %d is worse than %d: %v", i, j, worse(a, b))
			}
		}
	}
}

func TestGlobs(t *testing.T) {
	s := side{cells: []listed{{Cell: "a/b/subject=x/n=1"}, {Cell: "a/b/subject=x/n=2"}, {Cell: "c/d/subject=y"}}}
	if got := s.globs(compareFlags{}); !slices.Equal(got, []string{"*/subject=x", "*/subject=y"}) {
		t.Errorf("all: %q", got)
	}
	if got := s.globs(compareFlags{only: []string{"*"}}); len(got) != 3 || got[1] != s.cells[1].Cell {
		t.Errorf("some: %q", got)
	}
}

func TestMatch(t *testing.T) {
	c := comparison{
		a: &side{name: "v1", subjects: []string{"both", "old"}},
		b: &side{name: "v2", subjects: []string{"both", "new"}},
	}
	c.a.target.Module = "github.com/nobody/nothing"
	c.match()
	want := []check.Absence{{Subject: "new", Version: "v1"}, {Subject: "old", Version: "v2"}}
	if !slices.Equal(c.found.Subjects, []string{"both"}) || !slices.Equal(c.found.Absent, want) {
		t.Errorf("%+v", c.found)
	}
}

func TestSameFlags(t *testing.T) {
	var got []string
	cmd := newRun()
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		got = sameFlags(cmd, "with", "source")
		return nil
	}
	cmd.SetArgs([]string{"--with", "m@v1", "--scale", "smoke", "--only", "a,b", "--only=c d", "--fresh", "--source", "x"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"run", "--fresh=true", "--only=a,b", "--only=c d", "--scale=smoke"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// compareEnv asks for the comparisons that download and build other versions.
const compareEnv = "SKETCHPROOF_COMPARE"

// TestKnownVersions holds compare against what is known of libraries' versions.
// The regressions and the mend are those of the libraries' own change logs and of
// public reports; nothing in compare knows them.
func TestKnownVersions(t *testing.T) {
	if os.Getenv(compareEnv) == "" {
		t.Skip("downloads and builds other versions of libraries; make compare-known asks for it")
	}
	program := filepath.Join(t.TempDir(), "experiment")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	status := func() string {
		out, err := exec.Command("git", "-C", "../..", "status", "--porcelain").Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	const xor, willf, bloom, axiomhq, seiflotfy = "github.com/FastFilter/xorfilter", "github.com/willf/bloom", "github.com/bits-and-blooms/bloom/v3",
		"github.com/axiomhq/hyperloglog", "github.com/seiflotfy/cuckoofilter"
	for _, c := range []struct {
		module, before, now string
		code                int // -1 for any of 0 and 1
		says                []string
	}{
		{xor, "v0.1.2", "v0.1.3", exitBroken, []string{
			"regressed    fastfilter-xor8 of 1000 keys, one of them twice: no error, and 99", "of 999 keys are lost (99 %); before: refused with an error",
		}},
		{xor, "v0.1.3", "v0.1.4", exitFine, []string{
			"mended       fastfilter-xor8 of 1000 keys, one of them twice: every key is found; before: no error, and 99", "nothing regressed",
		}},
		{willf, "v2.0.0+incompatible", "v2.0.3+incompatible", exitBroken, []string{
			"regressed    willf-bloom, own form: v2.0.3+incompatible reads what v2.0.0+incompatible wrote without an error and loses",
			"changed      willf-bloom, own form: v2.0.0+incompatible reads what v2.0.3+incompatible wrote without an error and loses", "99 %",
		}},
		{xor, "v0.1.4", "v0.5.1", -1, []string{"fastfilter-fuse8, fastfilter-xor8", "fastfilter-fuse16: not in version v0.1.4"}},
		{xor, "v0.3.0", "v0.5.1", -1, []string{"fastfilter-fuse8"}},
		{bloom, "v3.0.1", "v3.7.1", -1, []string{"subjects: bits-and-blooms"}},
		{axiomhq, "v0.1.0", "v0.3.0", exitNotComparable, []string{"do not build against " + axiomhq + "@v0.1.0", "undefined: hyperloglog.NewSketch"}},
		{axiomhq, "v0.2.6", "v0.3.0", -1, []string{"subjects: axiomhq-hll"}},
		{seiflotfy, "v0.0.0-20220411075957-e3b120b3f5fb", "v0.0.0-20240715131351-a2f2c23f1771", -1, []string{"subjects: seiflotfy-cuckoo"}},
	} {
		t.Run(c.module+"@"+c.before+"..."+c.now, func(t *testing.T) {
			before := status()
			cmd := exec.Command(program, "compare", "--speed", "never", c.module+"@"+c.before, c.module+"@"+c.now)
			var said strings.Builder
			cmd.Stdout, cmd.Stderr = &said, &said
			err := cmd.Run()
			code := cmd.ProcessState.ExitCode()
			if code != c.code && (c.code >= 0 || code != exitFine && code != exitBroken) {
				t.Errorf("exit code %d (%v), want %d", code, err, c.code)
			}
			for _, want := range c.says {
				if !strings.Contains(said.String(), want) {
					t.Errorf("it does not say %q", want)
				}
			}
			t.Log(said.String())
			if after := status(); after != before {
				t.Errorf("the work tree was changed:\n%s\nbefore:\n%s", after, before)
			}
		})
	}
}
