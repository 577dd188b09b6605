package mutants

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// askEnv is the environment variable that asks for the run.
const askEnv = "SKETCHPROOF_MUTANTS"

// A mutant is one line of a structure, broken on purpose.
type mutant struct {
	name     string
	file     string
	old, new string   // new replaces every old
	only     []string // cells to check
	law      string   // which must be named
}

var mutants = []mutant{
	{
		"one probe left out of Add and Contains, k off the optimum", "impl/bloom/bloom.go",
		"k: p.K,", "k: p.K - 1,",
		[]string{"bloom/fpr/subject=bloom/c=10/k=3/n=10000"},
		"bloom.classic",
	},
	{
		"one probe left out of Add and Contains, at the optimum: the fill tells", "impl/bloom/bloom.go",
		"k: p.K,", "k: p.K - 1,",
		[]string{"bloom/half-full"},
		"bloom.half-full",
	},
	{
		"every insertion clears one bit", "impl/bloom/probe.go",
		"			words[p>>6] |= 1 << (p & 63)\n		}\n", "			words[p>>6] |= 1 << (p & 63)\n		}\n		words[hash%uint64(len(words))] &= words[hash%uint64(len(words))] - 1\n",
		[]string{"bloom/no-false-negatives/subject=bloom/*"},
		"no-false-negatives",
	},
	{
		"probes reach only half of the filter", "impl/bloom/batch.go", // the experiment adds in batches
		"words, m, k := f.words, f.m, f.k", "words, m, k := f.words, f.m/2+1, f.k",
		[]string{"bloom/fill/subject=bloom/*"},
		"bloom.fill",
	},
	{
		"union by exclusive or", "impl/bloom/state.go",
		"f.words[i] |= w", "f.words[i] ^= w",
		[]string{"bloom/union/subject=bloom*"},
		"union.",
	},
	{
		"tags of one bit fewer", "impl/cuckoo/pairing.go",
		"return bucket, digit + 1", "return bucket, digit&^1 + 1",
		[]string{"cuckoo/fpr/subject=cuckoo/*"},
		"cuckoo.poisson",
	},
	{
		"a refused insertion is not taken back", "impl/cuckoo/insert.go",
		"k := uint64(f.params.MaxKicks); k > 0; k--", "k := uint64(0); k > 0; k--",
		[]string{"cuckoo/load/subject=cuckoo/*", "bloom/no-false-negatives/subject=cuckoo/*"},
		"no-false-negatives",
	},
	{
		"an alternate bucket that is no involution", "impl/cuckoo/pairing.go",
		"return i ^ (c + 1)", "return (i + c + 1) & (p.buckets - 1)",
		[]string{"cuckoo/alternate/subject=cuckoo/*"},
		"cuckoo.involution",
	},
	{
		"registers added in place of the maximum", "impl/hll/hll.go",
		"maxBytes(s.regs, other.regs)", "for i, v := range other.regs {\n			s.regs[i] += v\n		}",
		[]string{"hll/merge/subject=hll/*"},
		"hll.same-bytes",
	},
	{
		"ranks one too high", "impl/hll/hll.go",
		"|1<<((p-1)&63))) + 1", "|1<<((p-1)&63))) + 2",
		[]string{"hll/error/subject=hll/*"},
		"hll.unbiased",
	},
	{
		"all rows with one hash", "impl/countmin/table.go",
		"column, word = bits.Mul64(word, w)", "column, _ = bits.Mul64(word, w)",
		[]string{"cms/row-law"},
		"cms.tail",
	},
	{
		"counters that wrap at 256", "impl/countmin/table.go",
		"cells[row+column] += weight", "cells[row+column] = (cells[row+column] + weight) & 255",
		[]string{"cms/never-under/subject=countmin/*"},
		"cms.never-under",
	},
	{
		"a merge that forgets the last counter", "impl/countmin/sketch.go",
		"for i, c := range other.cells {", "for i, c := range other.cells[:len(other.cells)-1] {",
		[]string{"cms/merge/subject=countmin/*"},
		"cms.merge",
	},
}

func TestCheckSeesEveryBrokenStructure(t *testing.T) {
	if os.Getenv(askEnv) == "" {
		t.Skipf("builds the command %d times; make mutants asks for it", len(mutants))
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			code, out := m.check(t, root)
			if code != 1 || !strings.Contains(out, m.law) {
				t.Errorf("check exits %d, want 1, and must name %s:\n%s", code, m.law, out)
			}
		})
	}
}

// check builds the command with the mutant in place of the true file, and lets
// it check the cells against the committed results.
func (m mutant) check(t *testing.T, root string) (code int, out string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(m.file))
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.ReplaceAll(string(source), m.old, m.new)
	if broken == string(source) {
		t.Fatalf("%s has no line %q any more", m.file, m.old)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	replace := map[string]map[string]string{"Replace": {file: write("mutant.go", []byte(broken))}}
	overlay, err := json.Marshal(replace)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "experiment")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", write("overlay.json", overlay), "-o", program, "./cmd/experiment")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	args := []string{"check", "--scale", "smoke"}
	for _, glob := range m.only {
		args = append(args, "--only", glob)
	}
	check := exec.CommandContext(t.Context(), program, args...)
	check.Dir = root
	text, err := check.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, string(text)
	case errors.As(err, &exit):
		return exit.ExitCode(), string(text)
	default:
		t.Fatal(err)
		return 0, ""
	}
}
