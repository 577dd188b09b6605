package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/experiments/engine"
)

// A clone is a git repository made for one test.
type clone struct {
	t   *testing.T
	dir string
}

func newClone(t *testing.T, module string) clone {
	t.Helper()
	// A hook that runs the tests points git at its own repository.
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} {
		if value, ok := os.LookupEnv(name); ok {
			t.Setenv(name, value) // restores it
			_ = os.Unsetenv(name)
		}
	}
	c := clone{t, t.TempDir()}
	c.git("init", "-q")
	c.write("go.mod", "// a comment\nmodule "+module+"\n\ngo 1.26\n")
	return c
}

func (c clone) git(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", append([]string{
		"-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null",
	}, args...)...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c clone) write(name, text string) {
	c.t.Helper()
	to := filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// results runs the coin into the clone's results folder.
func (c clone) results(k coin) {
	c.t.Helper()
	if _, err := engine.Run(c.t.Context(), k.experiments(), k.options(filepath.Join(c.dir, "results"), engine.Smoke)); err != nil {
		c.t.Fatal(err)
	}
}

func (c clone) commit() string {
	c.t.Helper()
	c.git("add", "-A")
	c.git("commit", "-q", "-m", "m")
	return c.git("rev-parse", "HEAD")
}

// find finds the baseline from a folder of the clone.
func (c clone) find(from, against string) (baseline, error) {
	return baselineIn(c.t.Context(), filepath.Join(c.dir, from), against, filepath.Join(c.t.TempDir(), "scratch"))
}

func TestBaselineIsTheCommitNotTheWorkingTree(t *testing.T) {
	c := newClone(t, modulePath)
	c.results(fair)
	first := c.commit()
	c.git("tag", "v1.0.0")
	c.results(coin{num: 110})
	second := c.commit()
	c.results(coin{num: 120}) // a run just made
	c.write("deep/down/file", "")
	for _, w := range []struct {
		from, against, name string
		estimate            float64
	}{
		{".", "", "commit " + second[:12], 0.11},
		{"deep/down", "", "commit " + second[:12], 0.11},
		{".", "HEAD", "commit " + second[:12], 0.11},
		{".", "v1.0.0", "v1.0.0 (commit " + first[:12] + ")", 0.1},
		{"deep", "HEAD~1", "HEAD~1 (commit " + first[:12] + ")", 0.1},
		{".", "results", "results", 0.12}, // asked for by name
	} {
		b, err := c.find(w.from, w.against)
		if err != nil {
			t.Errorf("%+v: %v", w, err)
			continue
		}
		if b.name != w.name || len(b.results.Rows) != 1 || b.results.Rows[0].Estimate != w.estimate || b.results.Manifest.Seed != 7 {
			t.Errorf("%+v: %s %+v", w, b.name, b.results.Rows)
		}
	}
}

func TestBaselineOfAModuleBelowTheTop(t *testing.T) {
	c := newClone(t, "example.org/all")
	inner := clone{t, filepath.Join(c.dir, "sub")}
	inner.write("go.mod", "module "+modulePath+"\n")
	inner.results(fair)
	commit := c.commit()
	if b, err := c.find("sub", ""); err != nil || b.name != "commit "+commit[:12] {
		t.Errorf("%s: %v", b.name, err)
	}
}

func TestNoBaseline(t *testing.T) {
	empty := newClone(t, modulePath)
	empty.commit()
	empty.results(fair) // not committed: not a baseline
	damaged := newClone(t, modulePath)
	damaged.results(fair)
	damaged.write("results/coin/rate/summary.csv", "edited by hand\n")
	damaged.commit()
	partial := newClone(t, modulePath)
	partial.results(fair)
	if err := os.Remove(filepath.Join(partial.dir, "results/coin/rate/summary.csv")); err != nil {
		t.Fatal(err)
	}
	partial.commit()
	foreign := newClone(t, "example.org/other")
	foreign.commit()
	unreadable := newClone(t, modulePath)
	unreadable.results(fair)
	unreadable.commit()
	unreadable.write(".git/HEAD", "no reference")
	for _, w := range []struct {
		c             clone
		against, want string
	}{
		{empty, "", "holds no results"},
		{empty, "nowhere", `"nowhere" is neither a folder nor a revision`},
		{empty, "--output=x", "neither a folder nor a revision"}, // no option of git's
		{damaged, "", "SHA-256"},
		{partial, "", "coin/rate/summary.csv"},
		{unreadable, "", "cannot be read: git rev-parse: "},
		{foreign, "HEAD", "is no clone of " + modulePath},
	} {
		_, err := w.c.find(".", w.against)
		if !errors.Is(err, engine.ErrNotComparable) || !strings.Contains(err.Error(), w.want) {
			t.Errorf("against %q: %v, want one that says %q", w.against, err, w.want)
		}
	}
}

func TestElsewhereTheBaselineIsBuiltIn(t *testing.T) {
	foreign := newClone(t, "example.org/other")
	foreign.commit()
	uncommitted := newClone(t, modulePath)
	for name, c := range map[string]clone{"another module": foreign, "no commit": uncommitted, "no module": {t, t.TempDir()}} {
		if b, err := c.find(".", ""); err != nil || b.name != "the results built into this program" {
			t.Errorf("%s: %q %v", name, b.name, err)
		}
	}
}

func TestNamesModule(t *testing.T) {
	for text, want := range map[string]bool{
		"module " + modulePath + "\n":            true,
		"// c\n\nmodule\t" + modulePath + " //c": true,
		"module " + modulePath + "/tools":        false,
		"require " + modulePath + " v1":          false,
		"":                                       false,
	} {
		if got := namesModule([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
