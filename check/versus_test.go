package check

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

func TestInputChangeKind(t *testing.T) {
	kept, refused, faulty := Outcome{State: Kept, Held: 10}, Outcome{State: Refused, Text: "no"}, Outcome{State: Faulty, Text: "panic: oh"}
	lossy, worse := Outcome{State: Lossy, Lost: 5, Held: 10}, Outcome{State: Lossy, Lost: 9, Held: 10}
	for _, c := range []struct {
		before, now Outcome
		want        Kind
	}{
		{kept, refused, Regressed},
		{kept, lossy, Regressed},
		{refused, lossy, Regressed}, // silent loss is worse than an error
		{refused, faulty, Regressed},
		{lossy, worse, Regressed},
		{worse, lossy, Mended},
		{lossy, refused, Mended},
		{lossy, kept, Mended},
		{refused, kept, Mended},
		{faulty, refused, Mended},
	} {
		if got := (InputChange{Before: c.before, Now: c.now}).Kind(); got != c.want || !Differ(c.before, c.now) {
			t.Errorf("%v, before %v: %v, want %v", c.now, c.before, got, c.want)
		}
	}
	if Differ(refused, Outcome{State: Refused, Text: "other words"}) {
		t.Error("other words of a refusal are a difference")
	}
}

func TestReadingKind(t *testing.T) {
	loss := Outcome{State: Lossy, Lost: 99, Held: 100}
	for _, c := range []struct {
		reading Reading
		want    Kind
		says    string
	}{
		{Reading{Forward: true, Worst: loss}, Regressed, "without an error and loses 99 of 100 keys, 99 %"},
		{Reading{Worst: loss}, Moved, "loses 99 of 100"},
		{Reading{Forward: true, Own: true, Worst: loss}, Moved, "so does old itself"},
		{Reading{Forward: true, Worst: Outcome{State: Refused, Text: "version 2"}}, Regressed, "new refuses what old wrote: version 2"},
		{Reading{Forward: true, Worst: Outcome{State: Faulty, Text: "panic: oh"}}, Regressed, "and fails: panic: oh"},
		{Reading{Forward: true, Differ: 3, Asked: 9}, Regressed, "answers 3 of 9 questions otherwise"},
		{Reading{Forward: true, Inputs: 4}, New, "every answer is the same (4 inputs)"},
	} {
		c.reading.Subject, c.reading.Form, c.reading.Writer, c.reading.Reader = "s", "gob", "old", "new"
		if got := c.reading.Kind(); got != c.want || !strings.Contains(c.reading.String(), c.says) {
			t.Errorf("%+v: %v, %q", c.reading, got, c.reading)
		}
	}
}

func TestSpeedWord(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{{1.2, 1.5, "slower"}, {0.5, 0.8, "faster"}, {0.9, 1.3, ""}, {1.01, 1.03, ""}, {0.97, 0.99, ""}} {
		if got := (Speed{Lo: c.lo, Hi: c.hi}).Word(); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
}

// versus is a comparison with something of every kind.
func versus() Versus {
	row := func(cell string, verdict stats.Verdict, estimate, lo, hi float64) record.Summary {
		return record.Summary{
			Cell: cell, Subject: "s", Metric: "rate", Law: "promise", Trials: 3, Estimate: estimate, Lo: lo, Hi: hi,
			AllowedLo: 0, AllowedHi: 0.01, Verdict: verdict,
		}
	}
	before := Results{Rows: []record.Summary{
		row("a/subject=s", stats.Holds, 0.01, 0.009, 0.011), row("b/subject=s", stats.Broken, 0.03, 0.02, 0.04), row("c/subject=s", stats.Holds, 0.005, 0.004, 0.006),
	}}
	now := Results{Rows: []record.Summary{
		row("a/subject=s", stats.Broken, 0.03, 0.02, 0.04), row("b/subject=s", stats.Holds, 0.01, 0.009, 0.011), row("c/subject=s", stats.Holds, 0.002, 0.001, 0.003),
	}}
	plan := Plan{"a/subject=s": "m@v2", "b/subject=s": "m@v2", "c/subject=s": "m@v2"}
	before.Manifest.Modules = map[string]string{"m": "v1"}
	return Versus{
		Module: "m", Before: "v1", Now: "v2", Subjects: []string{"s"}, Absent: []Absence{{"t", "v1"}, {"u", "v1"}, {"u", "v2"}},
		Promises: Compare(before, now, plan), Judged: 3,
		Inputs: []InputChange{{Subject: "s", Input: "2 keys", Before: Outcome{State: Refused, Text: "100 % no"}, Now: Outcome{State: Lossy, Lost: 1, Held: 2}}},
		Built:  5,
		Sizes:  []SizeChange{{"s", "9 keys", "in memory", 100, 150}},
		Reads:  []Reading{{Subject: "s", Form: "gob", Writer: "v1", Reader: "v2", Forward: true, Inputs: 2}},
		Speeds: []Speed{{Subject: "s", Op: "add", Rounds: 12, Ratio: 2, Lo: 1.5, Hi: 2.5, Seconds: 2e-8, SecondsBefore: 1e-8}},
		Notes:  []string{"s: a note"},
	}
}

func TestVersusInEveryFormat(t *testing.T) {
	v := versus()
	if !v.Failed() || v.Verdict() != "2 promises regressed, 1 promise mended" {
		t.Errorf("failed %v: %s", v.Failed(), v.Verdict())
	}
	for name, c := range map[string]struct {
		write func(*bytes.Buffer) error
		says  []string
	}{
		"text": {func(b *bytes.Buffer) error { return v.WriteText(b, false) }, []string{
			"m: v2, before v1\n", "absent       t: not in version v1\nabsent       u: not in version v1, nor in v2\n", "note         s: a note\n",
			"regressed    s of 2 keys: no error, and 1 of 2 keys are lost (50 %); before: refused with an error (100 % no)\n",
			"regressed    a/subject=s: law promise: newly broken", "mended       b/subject=s: law promise: holds now",
			"changed      c/subject=s: law promise: rate is 0.002 (0.001 to 0.003); before 0.005",
			"same         s, gob: v2 reads what v1 wrote, and every answer is the same (2 inputs)\n",
			"changed      s of 9 keys, in memory: 150 bytes, before 100 (+50.0 %)\n", "slower       s add: 2.00 times (1.50 to 2.50, 12 rounds); 20ns, before 10ns\n",
		}},
		"annotations": {func(b *bytes.Buffer) error { return v.WriteAnnotations(b) }, []string{
			"::error title=m v2%2C before v1::s of 2 keys: no error, and 1 of 2 keys are lost (50 %25); before: refused with an error (100 %25 no)\n",
			"::notice title=m v2%2C before v1::mended: b/subject=s",
		}},
		"page": {func(b *bytes.Buffer) error { return v.WriteMarkdown(b) }, []string{
			"## 2 promises regressed, 1 promise mended\n", "| regressed | s of 2 keys", "<details>", "| slower | s add",
		}},
	} {
		var b bytes.Buffer
		if err := c.write(&b); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.says {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, b.String())
			}
		}
	}
	var b bytes.Buffer
	if err := v.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var o struct {
		Failed            bool
		Regressed, Mended int
		Inputs            []struct{ Word string }
		Findings          []struct{ Fails bool }
	}
	if err := json.Unmarshal(b.Bytes(), &o); err != nil || !o.Failed || o.Regressed != 2 || o.Mended != 1 || len(o.Inputs) != 1 || len(o.Findings) != 3 {
		t.Errorf("%v: %s", err, b.String())
	}
}

func TestVersusWithoutADifference(t *testing.T) {
	var b bytes.Buffer
	v := Versus{Module: "m", Before: "v1", Now: "v2", Subjects: []string{"s"}}
	if err := v.WriteText(&b, false); err != nil || v.Failed() || !strings.Contains(b.String(), "nothing regressed; subjects: s\n") {
		t.Errorf("%v: %s", err, b.String())
	}
	b.Reset()
	if err := v.WriteJSON(&b); err != nil || strings.Contains(b.String(), "null") {
		t.Errorf("%v: %s", err, b.String())
	}
}

// TestMovedIsNoRegression: a figure that moved within its law, or a judgement that
// is gone, fails a check but not a comparison of versions.
func TestMovedIsNoRegression(t *testing.T) {
	v := versus()
	v.Inputs = nil
	for i := range v.Promises.Findings {
		v.Promises.Findings[i].Kind = Moved
	}
	if v.Failed() || !v.Promises.Failed() {
		t.Errorf("failed %v, as a check %v", v.Failed(), v.Promises.Failed())
	}
}

func TestCommon(t *testing.T) {
	both := Results{Rows: []record.Summary{{Subject: "a"}, {Subject: "b"}, {Subject: "a"}}}
	x, y := Common(both, both, []string{"a"})
	if len(x.Rows) != 2 || len(y.Rows) != 2 || len(both.Rows) != 3 {
		t.Errorf("%d, %d rows", len(x.Rows), len(y.Rows))
	}
}
