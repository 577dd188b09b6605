package check

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// everyKind is a report with a finding of each kind, names that every format
// must escape, and one-sided and missing figures.
func everyKind() Report {
	nasty := "bloom/fpr/subject=<a|b>&\"c\",100%_x:y/n=10"
	cells := make([]string, 8)
	p := Plan{nasty: "", theirCell: module + "@v2.0.0"}
	for i := range cells {
		cells[i] = fmt.Sprintf("cms/bound/subject=countmin/w=%d", i)
		p[cells[i]] = ""
	}
	oneSided := rate(cells[0], broken)
	oneSided.AllowedLo, oneSided.Lo, oneSided.Law = math.Inf(-1), math.Inf(-1), "a,b:c 50%"
	plain := rate(cells[5], 0.5)
	plain.Law, plain.Estimate, plain.Predicted, plain.AllowedLo, plain.AllowedHi = "", math.NaN(), math.NaN(), math.Inf(-1), math.Inf(1)
	base := with(manifest(),
		rate(nasty, holds), rate(theirCell, low), rate(cells[1], undecided), rate(cells[2], broken), rate(cells[3], broken),
		rate(cells[4], holds), rate(cells[6], broken), rate(cells[7], holds))
	now := with(manifest(),
		rate(nasty, broken), rate(theirCell, undecided2), oneSided, rate(cells[1], undecided2), rate(cells[2], broken),
		rate(cells[3], holds), plain, rate(cells[6], broken), rate(cells[7], holds))
	r := Compare(base, now, p)
	r.Baseline = "commit 0123456789ab"
	return r
}

func TestGolden(t *testing.T) {
	for name, write := range map[string]func(Report, io.Writer) error{
		"text.golden":        func(r Report, w io.Writer) error { return r.WriteText(w, false) },
		"verbose.golden":     func(r Report, w io.Writer) error { return r.WriteText(w, true) },
		"json.golden":        Report.WriteJSON,
		"annotations.golden": Report.WriteAnnotations,
		"markdown.golden":    Report.WriteMarkdown,
		"junit.golden":       Report.WriteJUnit,
	} {
		var got bytes.Buffer
		if err := write(everyKind(), &got); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Error(err)
		}
		if d := cmp.Diff(string(want), got.String()); d != "" {
			t.Errorf("%s (- want, + got):\n%s", name, d)
		}
	}
}

// TestGoldenHoldsEveryKind keeps the golden files worth having.
func TestGoldenHoldsEveryKind(t *testing.T) {
	r := everyKind()
	for _, k := range Kinds {
		if r.Count(k) == 0 {
			t.Errorf("no finding is %v", k)
		}
	}
}

func TestNothingToSay(t *testing.T) {
	r := Compare(with(manifest(), rate(ownCell, holds)), with(manifest(), rate(ownCell, holds)), plan)
	var b bytes.Buffer
	if err := r.WriteText(&b, false); err != nil || b.String() != "1 judgement against the baseline: nothing changed\n" {
		t.Errorf("%v %q", err, b.String())
	}
	r.Apart = "Go go2, before go1"
	b.Reset()
	if err := r.WriteText(&b, false); err != nil || !strings.Contains(b.String(), "interval alone: Go go2, before go1\n") {
		t.Errorf("%v %q: does not say why figures were not compared", err, b.String())
	}
}

// TestTextIsShortUnlessVerbose has 50 findings of each kind but the same two
// groups: only broken laws are all named.
func TestTextIsShortUnlessVerbose(t *testing.T) {
	var r Report
	for i := range 50 {
		for _, k := range Kinds {
			s := rate(fmt.Sprintf("cms/bound/subject=s%d/i=%d", i%25, i), holds)
			r.Findings = append(r.Findings, Finding{Kind: k, Now: s, Before: &s})
		}
	}
	var short, long bytes.Buffer
	if err := r.WriteText(&short, false); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteText(&long, true); err != nil {
		t.Fatal(err)
	}
	// Two lines each: 50 regressed; 20 missing, changed, moved, mended, and the
	// rest of each counted in one. One line each: 20 groups of two new and known
	// judgements, and their rests. Then the summary and the remedy.
	if got, want := strings.Count(short.String(), "\n"), 2*50+4*(2*20+1)+2*(20+1)+2; got != want {
		t.Errorf("%d lines, want %d", got, want)
	}
	for _, want := range []string{"moved        and 30 more", "known broken cms/bound of s0, law bloom.law: 2 judgements", "known broken and 10 more"} {
		if !strings.Contains(short.String(), want+"\n") && !strings.Contains(short.String(), want+";") {
			t.Errorf("no line says %q", want)
		}
	}
	if got, want := strings.Count(long.String(), "\n"), 7*2*50+2; got != want {
		t.Errorf("verbose: %d lines, want %d", got, want)
	}
}

// TestMachinesCanRead parses what was written for them.
func TestMachinesCanRead(t *testing.T) {
	r := everyKind()
	var j, x, a bytes.Buffer
	if err := r.WriteJSON(&j); err != nil {
		t.Fatal(err)
	}
	var object struct {
		Failed bool
		Counts map[string]int
	}
	if err := json.Unmarshal(j.Bytes(), &object); err != nil || !object.Failed || object.Counts["regressed"] != 2 {
		t.Errorf("json: %v %+v", err, object)
	}
	if err := r.WriteJUnit(&x); err != nil {
		t.Fatal(err)
	}
	var suites junitSuites
	if err := xml.Unmarshal(x.Bytes(), &suites); err != nil {
		t.Fatal(err)
	}
	// Nine judgements of this run and the missing one; two regressed, one each
	// missing, changed and moved, and the mended one changed as well.
	if suites.Tests != 10 || suites.Failures != 6 {
		t.Errorf("junit: %d tests, %d failures; want 10 and 6", suites.Tests, suites.Failures)
	}
	if err := r.WriteAnnotations(&a); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(a.String(), "::error title=regressed%3A a%2Cb%3Ac 50%25::") {
		t.Error("annotations: a property is not escaped")
	}
}

func TestEscapes(t *testing.T) {
	if got := escapeData.Replace("100%\r\na:b,c"); got != "100%25%0D%0Aa:b,c" {
		t.Errorf("data: %q", got)
	}
	if got := escapeProperty.Replace("100%\r\na:b,c"); got != "100%25%0D%0Aa%3Ab%2Cc" {
		t.Errorf("property: %q", got)
	}
}

func TestAllowedInWords(t *testing.T) {
	inf := math.Inf(1)
	for want, band := range map[string]stats.Band{
		"0": stats.Between(0, 0, 0), "1 to 2": stats.Between(1, 1, 2), "at most 3": stats.AtMost(3), "at least 4": stats.AtLeast(4),
		"anything": stats.Between(0, -inf, inf),
	} {
		if got := allowed(record.Summary{AllowedLo: band.Lo, AllowedHi: band.Hi}); got != want {
			t.Errorf("%v: %q, want %q", band, got, want)
		}
	}
	if got := allowed(record.Summary{AllowedLo: math.NaN(), AllowedHi: math.NaN()}); got != "anything" {
		t.Errorf("no band: %q", got)
	}
}

// failing fails every write, as a full disk does.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestAFullDiskIsAnError(t *testing.T) {
	r := everyKind()
	for name, err := range map[string]error{
		"text": r.WriteText(failing{}, true), "json": r.WriteJSON(failing{}), "annotations": r.WriteAnnotations(failing{}),
		"markdown": r.WriteMarkdown(failing{}), "junit": r.WriteJUnit(failing{}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
