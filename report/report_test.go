package report

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// TestGolden compares the whole report of the sample. SKETCHPROOF_UPDATE=1
// writes it anew: read the difference before keeping it.
func TestGolden(t *testing.T) {
	const file = "testdata/sample.md"
	got := Render(sample())
	if os.Getenv("SKETCHPROOF_UPDATE") != "" {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); d != "" {
		t.Error(d)
	}
}

// TestSameRowsSameBytes: neither the order of maps nor that in which
// experiments lie in the folder shows.
func TestSameRowsSameBytes(t *testing.T) {
	in := sample()
	in.Rows = append(in.Rows, row("new/unlisted/subject=x", rateMetric, 0.01, 0.01)) // a second experiment that is not listed
	want := Render(in)
	groups := groupBy(in.Rows, byExperiment)
	rng := rand.New(rand.NewPCG(1, 0))
	for range 5 {
		rng.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
		in.Rows = nil
		for _, g := range groups {
			in.Rows = append(in.Rows, g.rows...)
		}
		if !bytes.Equal(Render(in), want) {
			t.Fatal("another order of experiments gave another report")
		}
	}
}

// line finds the one line of a part of the report that has all the words, with
// runs of spaces as one.
func line(t *testing.T, report, from, to string, words ...string) string {
	t.Helper()
	_, part, found := strings.Cut(report, "\n"+from+"\n")
	if !found {
		t.Fatalf("no heading %q", from)
	}
	part, _, _ = strings.Cut(part, "\n"+to+"\n")
	var hits []string
	for l := range strings.SplitSeq(regexp.MustCompile(` +`).ReplaceAllString(part, " "), "\n") {
		all := true
		for _, w := range words {
			all = all && strings.Contains(l, w)
		}
		if all {
			hits = append(hits, l)
		}
	}
	if len(hits) != 1 {
		t.Fatalf("%d lines with %q between %q and %q, want one: %q", len(hits), words, from, to, hits)
	}
	return hits[0]
}

// TestVerdictLines checks what the sample's rows add up to, by hand. Its four
// rates: 0.0216 of 0.0216 holds; 0.00835 of 0.00819 is 1.95 % high, so that its
// 1 % interval sticks out of the 2 % band; 0.03 and 0.5 are far above.
func TestVerdictLines(t *testing.T) {
	report := string(Render(sample()))
	got := line(t, report, "## Verdicts", "## Experiments", "`bloom.classic`")
	for _, want := range []string{
		"[bloom/fpr](#bloomfpr)", "all five documents", "**broken**<br>1 of 4 hold, 2 broken, 1 undecided<br>by lib",
		"50.00 % [49.50 %, 50.50 %]<br>allowed [14.41 %, 14.99 %]", // 0.147 -+ 2 %
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	// 32 spreads, one of them half as high again, and one that is no number.
	got = line(t, report, "## Verdicts", "## Experiments", "`hll.spread`")
	if want := "31 of 33 hold, 1 broken, 1 undecided<br>by hll |"; !strings.Contains(got, want) {
		t.Errorf("no %q in %q", want, got)
	}
	got = line(t, report, "## Verdicts", "## Experiments", "bloom.guarantee")
	if !strings.Contains(got, "P(Negative \\| x not in S)") || !strings.Contains(got, "not tried") {
		t.Errorf("a claim without rows: %q", got)
	}
	if _, verdicts, _ := strings.Cut(report, "## Verdicts"); strings.Contains(verdicts[:strings.Index(verdicts, "## Experiments")], "`no-fault`") {
		t.Error("a law that no claim names stands among the claims")
	}
	if !strings.Contains(report, "Without rows here: cuckoo/load.") {
		t.Error("an experiment without rows is not named")
	}
}

// TestGlance: of 39 judgements 1 + 31 hold, 2 rates, 1 fault, 1 spread and 1
// bound are broken, 1 rate and 1 spread are undecided, over the laws classic,
// no-fault, spread and design, the subjects bloom, lib, hll and a|b, and
// 4 + 33 + 1 cells.
func TestGlance(t *testing.T) {
	report := string(Render(sample()))
	want := "39 judgements, of 4 laws on 4 subjects in 38 cells: **32 hold, 5 broken, 2 undecided.**"
	if !strings.Contains(report, want) {
		t.Errorf("no %q", want)
	}
	// 0.5 is 3.401 times 0.147, and two cells are broken.
	if want := "Undecided: 1 in [bloom/fpr](#bloomfpr), 1 in [hll/error](#hllerror)."; !strings.Contains(report, want) {
		t.Errorf("no %q", want)
	}
	got := line(t, report, "### Broken by libraries", "### Broken by native structures", "`bloom.classic`")
	if !strings.Contains(got, "| lib |") || !strings.Contains(got, "| 2 | c=4 k=3 |") || !strings.Contains(got, "| 3.401 |") {
		t.Errorf("%q", got)
	}
	got = line(t, report, "### Broken by native structures", "## Verdicts", "`design`")
	if want := `| a\|b | [old/sizes](#oldsizes) |`; !strings.Contains(got, want) || !strings.Contains(got, `kind=\*x\*`) {
		t.Errorf("no %q in %q", want, got)
	}
	if !strings.Contains(got, "3.2e-6 [3.168e-6, 3.232e-6]") || !strings.Contains(got, "at most 1.02e-6") {
		t.Errorf("small numbers in %q", got)
	}
}

// TestBrokenByMost: three of four subjects break one law, two of two another.
func TestBrokenByMost(t *testing.T) {
	in := sample()
	for _, subject := range []string{"a", "b", "c", "d"} {
		estimate := map[string]float64{"b": 0.07, "d": 0.02}[subject]
		if estimate == 0 {
			estimate = 0.05
		}
		in.Rows = append(in.Rows, row("most/rate/subject="+subject+"/n=9", rateMetric, estimate, 0.02))
	}
	for _, subject := range []string{"a", "b"} {
		in.Rows = append(in.Rows, row("both/rate/subject="+subject+"/n=9", rateMetric, 0.05, 0.02))
	}
	report := string(Render(in))
	got := line(t, report, "### Broken by most subjects", "### Broken by libraries", "(#mostrate)")
	if !strings.Contains(got, "| 3 of 4 | 3 | b | n=9 |") {
		t.Errorf("%q", got)
	}
	_, native, _ := strings.Cut(report, "### Broken by native structures")
	native, _, _ = strings.Cut(native, "## Verdicts")
	if strings.Contains(native, "(#mostrate)") || strings.Count(native, "(#bothrate)") != 2 {
		t.Errorf("most/rate stands here too, or both/rate is not here twice:\n%s", native)
	}
}

func TestAllHolds(t *testing.T) {
	in := sample()
	in.Rows = in.Rows[:1]
	report := string(Render(in))
	if !strings.Contains(report, "Nothing is broken.") || strings.Contains(report, "### Broken") {
		t.Error("one row that holds, and something is broken")
	}
	if got := line(t, report, "## Verdicts", "## Experiments", "`bloom.classic`"); !strings.Contains(got, "| holds<br>1 of 1 hold |") {
		t.Errorf("%q", got)
	}
}

func TestNoRows(t *testing.T) {
	in := sample()
	in.Rows, in.Tables = nil, nil
	report := string(Render(in))
	for _, want := range []string{"**0 hold, 0 broken, 0 undecided.**", "Nothing is broken.", "This folder of results holds no timings."} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestFigures(t *testing.T) {
	report := string(Render(sample()))
	for _, want := range []string{"![Rate over probes](results/bloom/fpr/rate.png)", "The figure “Rate over bits” was not drawn."} {
		if strings.Count(report, want) != 1 {
			t.Errorf("%d times %q, want once", strings.Count(report, want), want)
		}
	}
}

// TestTablesAreWhole: every line of a table has the cells of its header.
func TestTablesAreWhole(t *testing.T) {
	bars := regexp.MustCompile(`(^|[^\\])\|`)
	width, tables := 0, 0
	for l := range strings.SplitSeq(string(Render(sample())), "\n") {
		if !strings.HasPrefix(l, "|") {
			width = 0
			continue
		}
		n := len(bars.FindAllString(l, -1))
		if width == 0 {
			width = n
			tables++
		}
		if n != width {
			t.Errorf("%d bars, want %d: %s", n, width, l)
		}
	}
	if tables < 8 {
		t.Errorf("%d tables, want at least 8", tables)
	}
}

// TestLongExperiments: 65 rows are too many to show; the law's line and the two
// rows that do not hold are.
func TestLongExperiments(t *testing.T) {
	report := string(Render(sample()))
	got := line(t, report, "### hll/error", "### old/sizes", "`hll.spread`", "| Flajolet et al. 2007 |")
	if !strings.Contains(got, "| **broken**<br>31 of 33 hold, 1 broken, 1 undecided<br>by hll | hll p=20 | 0.3404 [") {
		t.Errorf("%q", got)
	}
	// bits/key went from 6 to 192 over the 32 sizes, and nothing judges it.
	if got := line(t, report, "### hll/error", "### old/sizes", "| bits/key |"); !strings.Contains(got, "| 32 | 6 to 192 bits |") {
		t.Errorf("%q", got)
	}
	if got := line(t, report, "Rows that do not hold:", "All rows", "p=99"); !strings.Contains(got, "| n/a |") || !strings.Contains(got, "| undecided |") {
		t.Errorf("%q", got)
	}
	if strings.Contains(report, "| p=7 ") {
		t.Error("a row that holds is shown in a long experiment")
	}
}

// crowd has 14 subjects in two cells each. The n-th of the first 13 is off by n
// per cent and more in one of them; the last keeps its law.
func crowd() Input {
	in := Input{Manifest: record.Manifest{Scale: "ci"}, Folder: "results"}
	for n := range 14 {
		worse := 0.02 * (1.1 + float64(n)/100)
		if n == 13 {
			worse = 0.02
		}
		in.Rows = append(in.Rows,
			row(fmt.Sprintf("many/rate/subject=s%d/n=1", n), rateMetric, 0.02, 0.02),
			row(fmt.Sprintf("many/rate/subject=s%d/n=2", n), rateMetric, worse, 0.02))
	}
	return in
}

// TestManySubjects: of 13 rows that do not hold the 12 worst are shown, all
// subjects of them folded, and four of them named by the verdict.
func TestManySubjects(t *testing.T) {
	_, report, _ := strings.Cut(string(Render(crowd())), "### many/rate")
	shown, folded, found := strings.Cut(report, "<details>\n<summary>13 subjects that break a law or leave one undecided</summary>\n\n| subject |")
	if !found {
		t.Fatalf("no folded table of 13 subjects in\n%s", report)
	}
	folded, _, found = strings.Cut(folded, "\n</details>\n")
	for _, c := range []struct {
		name, text, want string
		times            int
	}{
		{"breakers", shown, "<br>by s0, s1, s2, s3 and 9 more |", 1},
		{"how many are shown", shown, "The worst 12 of 13 rows that do not hold:", 1},
		{"shown rows", shown, "| **broken** |", shownLimit},
		{"the worst, first", shown, "| --: | --- |\n| s12 | n=2 |", 1},
		{"the least bad, which is not shown", shown, "| s0 | n=2 |", 0},
		{"the least bad, folded", folded, "| s0 | 1 | 1 | 0 | `bloom.classic` | n=2 |", 1},
		{"who breaks nothing", folded, "Everything holds for s13.", 1},
	} {
		if got := strings.Count(c.text, c.want); got != c.times {
			t.Errorf("%s: %d times %q, want %d", c.name, got, c.want, c.times)
		}
	}
	if !found || t.Failed() {
		t.Logf("found the end: %v\n%s", found, report)
	}
}

// TestLongTables: a table of timings is folded from a line too many on.
func TestLongTables(t *testing.T) {
	in := sample()
	for len(in.Tables[0].Rows) < longTable {
		in.Tables[0].Rows = append(in.Tables[0].Rows, []string{"x", "1", "2"})
	}
	if report := string(Render(in)); strings.Contains(report, " lines</summary>") {
		t.Error("a table that is short enough is folded")
	}
	in.Tables[0].Rows = append(in.Tables[0].Rows, []string{"x", "1", "2"})
	if report := string(Render(in)); !strings.Contains(report, "<summary>41 lines</summary>\n\n| subject |") {
		t.Error("a table of 41 lines is not folded")
	}
}

// TestOneLawIsNamedOnce: where one law judges all rows, its name stands above
// the table and not in every line; where it is one of several, in every line.
func TestOneLawIsNamedOnce(t *testing.T) {
	report := string(Render(sample()))
	got := line(t, report, "### old/sizes", "## Speed and memory", "| subject |")
	if want := "| subject | cell | measured | predicted | allowed | trials | verdict |"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	got = line(t, report, "### bloom/fpr", "### hll/error", "| subject |")
	if want := "| subject | cell | metric | law | measured | predicted | allowed | trials | verdict |"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSeedIsNamedWhenItIsNotTheDefault(t *testing.T) {
	in := sample() // seed 7, default 1
	const want = "bin/experiment run --scale ci --only 'bloom/fpr' --seed 7 --out /tmp/results"
	if !strings.Contains(string(Render(in)), want) {
		t.Errorf("no %q", want)
	}
	in.DefaultSeed = 7
	if strings.Contains(string(Render(in)), "--seed") {
		t.Error("the default seed is named")
	}
}

func TestPartsSaySo(t *testing.T) {
	in := sample()
	in.Manifest.Only, in.Manifest.Shard = []string{"bloom/*"}, "1/3"
	if want := "**These rows are a part of the plan:** shard 1/3, cells `bloom/*`."; !strings.Contains(string(Render(in)), want) {
		t.Errorf("no %q", want)
	}
}

func TestStrainOrdersRows(t *testing.T) {
	inf := math.Inf(1)
	s := func(x, lo, hi float64) record.Summary {
		return record.Summary{Estimate: x, AllowedLo: lo, AllowedHi: hi}
	}
	for _, c := range []struct {
		name string
		row  record.Summary
		want float64
	}{
		{"middle of a band", s(2, 1, 3), 0},
		{"edge of a band", s(3, 1, 3), 1},
		{"twice as far as the edge", s(0, 1, 3), 2},
		{"half of an upper bound", s(1, -inf, 2), 0.5},
		{"half of a lower bound", s(1, 2, inf), 2},
		{"below a bound of zero", s(-1, -inf, 0), 0},
		{"above a bound of zero", s(0.25, -inf, 0), 1.25},
		{"above a negative bound", s(-1, -inf, -2), 1.5},
		{"the only value", s(2, 2, 2), 0},
		{"off the only value", s(3, 2, 2), 1.5},
		{"no bound", s(3, -inf, inf), 0},
		{"no number", s(math.NaN(), 1, 2), inf},
	} {
		if got := strain(c.row); got != c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
	near := record.Summary{Verdict: stats.Broken, Estimate: 1.1, AllowedLo: 0, AllowedHi: 1}
	far := record.Summary{Verdict: stats.Undecided, Estimate: 9, AllowedLo: 0, AllowedHi: 1}
	if worst([]record.Summary{far, near}) != near {
		t.Error("undecided is shown in place of broken")
	}
}
