package mutants

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
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
	{
		"three counters in four are raised by two", "impl/counting/table.go",
		"*w += 1 << bit\n	return true", "*w += 1 << bit\n	if i&3 != 0 && *w>>bit&t.top() != t.top() {\n		*w += 1 << bit\n	}\n	return true",
		[]string{"counting/delete/subject=counting-4/*"},
		"counting.",
	},
	{
		"fingerprints of one bit fewer", "impl/xor/batch.go",
		"t[p0]^t[p1]^t[p2] == fingerprint[F](h)", "(t[p0]^t[p1]^t[p2]^fingerprint[F](h))&^1 == 0",
		[]string{"xor/fpr/subject=xor8/*"},
		"static.fingerprint",
	},
	{
		"a slot of the table is forgotten", "impl/fuse/fuse.go",
		"t := f.table\n", "t := f.table\n	if p1 == uint(len(t)/2) {\n		return false\n	}\n",
		[]string{"bloom/no-false-negatives/subject=fuse3-8/*"},
		"no-false-negatives",
	},
	{
		"the last column of the solution goes unasked", "impl/ribbon/probe.go",
		"x, y := words[:cols], words[cols:][:cols]", "x, y := words[:cols-1], words[cols:][:cols-1]",
		[]string{"ribbon/fpr/subject=ribbon/*"},
		"static.rate",
	},
	{
		"remainders of one bit fewer", "impl/quotient/probe.go",
		"x := w ^ wanted\n", "x := (w ^ wanted) &^ l.ones\n",
		[]string{"quotient/fpr/subject=quotient/*"},
		"quotient.poisson",
	},
	{
		"a lost first hit", "impl/ull/ull.go",
		"least = u - 1", "least = u",
		[]string{"cardinality/memory-variance/subject=ull/*"},
		"memory-variance.",
	},
	{
		"signs are not drawn", "impl/countsketch/count.go",
		"flip := -int64(place & 1)\n			cells", "flip := int64(0)\n			cells",
		[]string{"countsketch/variance/*"},
		"countsketch.",
	},
	{
		"a newcomer starts from nothing", "impl/topk/spacesaving.go",
		"m.replace(key, addSaturating(least, weight), least)", "m.replace(key, weight, 0*least)",
		[]string{"topk/space-saving/subject=space-saving/*"},
		"topk.",
	},
	{
		"functions stand there twice", "impl/minhash/signature.go",
		"a[i:i+4:i+4]", "a[i&^7:][:4]",
		[]string{"minhash/variance/subject=minhash/*"},
		"minhash.",
	},
	{
		"a sample that leaves out its first slot", "impl/reservoir/reservoir.go",
		"slices.Clone(r.sample)", "slices.Clone(r.sample[min(1, len(r.sample)):])",
		[]string{"reservoir/uniform/subject=reservoir-r/*"},
		"reservoir.size",
	},
	{
		"points of a node depend on when it came", "impl/placement/ring.go",
		"r.place(strconv.AppendInt(text, int64(v), 10))", "r.place(strconv.AppendInt(text, int64(v)+int64(id), 10))",
		[]string{"ring/edge/subject=ring-100/*"},
		"placement.",
	},
	{
		"the greatest of the smallest is lost", "impl/kmv/kmv.go",
		"s.values = s.smallest()\n	s.sorted", "s.values = s.smallest()\n	if n := len(s.values); n > s.params.K/2 {\n		s.values = s.values[:n-1]\n	}\n	s.sorted",
		[]string{"kmv/error/subject=kmv/*"},
		"kmv.",
	},
}

// TestCheckSeesEveryBrokenStructure builds the command in rounds of one mutant a
// package, as no cell of one structure runs the code of another here.
func TestCheckSeesEveryBrokenStructure(t *testing.T) {
	if os.Getenv(askEnv) == "" {
		t.Skipf("checks %d mutants; make mutants asks for it", len(mutants))
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, round := range rounds(mutants) {
		program := build(t, root, round)
		for _, m := range round {
			t.Run(m.name, func(t *testing.T) {
				code, out := m.check(t, root, program)
				if code != 1 || !strings.Contains(out, m.law) {
					t.Errorf("check exits %d, want 1, and must name %s:\n%s", code, m.law, out)
				}
			})
		}
	}
}

// rounds deals out mutants, no two of a package to a round.
func rounds(mutants []mutant) [][]mutant {
	var rounds [][]mutant
	seen := map[string]int{}
	for _, m := range mutants {
		r := seen[path.Dir(m.file)]
		seen[path.Dir(m.file)]++
		if r == len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[r] = append(rounds[r], m)
	}
	return rounds
}

// build makes the command with mutants in place of the true files.
func build(t *testing.T, root string, round []mutant) (program string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	replace := map[string]string{}
	for i, m := range round {
		file := filepath.Join(root, filepath.FromSlash(m.file))
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		broken := strings.ReplaceAll(string(source), m.old, m.new)
		if broken == string(source) {
			t.Fatalf("%s has no line %q any more", m.file, m.old)
		}
		replace[file] = write(fmt.Sprintf("mutant%d.go", i), []byte(broken))
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "experiment")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", write("overlay.json", overlay), "-o", program, "./cmd/experiment")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return program
}

// check lets a program check the mutant's cells against the committed results.
func (m mutant) check(t *testing.T, root, program string) (code int, out string) {
	t.Helper()
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
