package record

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sketchproof/sketchproof/stats"
)

func TestCellNameRoundTrip(t *testing.T) {
	labels := L("subject", "bits-and-blooms", "n", 1000000, "eps", 0.01, "keys", "a/b")
	name := CellName("bloom/fpr", labels)
	if want := "bloom/fpr/subject=bits-and-blooms/n=1000000/eps=0.01/keys=a/b"; name != want {
		t.Errorf("got %q, want %q", name, want)
	}
	experiment, got := ParseCell(name)
	if experiment != "bloom/fpr" || !cmp.Equal(got, labels) {
		t.Errorf("got %q %v", experiment, got)
	}
}

func TestSummariesRoundTrip(t *testing.T) {
	rows := []Summary{
		{
			Cell: "a/b/subject=x", Subject: "x", Metric: "m", Trials: 64, Estimate: 0.01, Lo: 0.009, Hi: 0.011,
			Confidence: 0.9999999, Law: "l", Predicted: 0.01, AllowedLo: math.Inf(-1), AllowedHi: 0.0102, Verdict: stats.Undecided,
		},
		{Cell: "c", Subject: "y", Metric: "plain", Trials: 1, Estimate: 3, Lo: math.Inf(-1), Hi: math.Inf(1), Confidence: math.NaN(), Predicted: math.NaN(), AllowedLo: math.Inf(-1), AllowedHi: math.Inf(1)},
	}
	var b bytes.Buffer
	if err := WriteSummaries(&b, rows); err != nil {
		t.Fatal(err)
	}
	got, err := ReadSummaries(&b)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(rows, got, cmpopts.EquateNaNs()); d != "" {
		t.Error(d)
	}
}

func TestReadSummariesNamesTheLine(t *testing.T) {
	good := strings.Join(SummaryHeader, ",") + "\n"
	for text, want := range map[string]string{
		"":           "EOF",
		"cell,x\n":   "header",
		good + "a,b": "wrong number of fields",
		good + "c,s,m,1,zero,0,1,0.9,l,0,0,1,holds": "line 2",
		good + "c,s,m,1,0,0,1,0.9,l,0,0,1,maybe":    "maybe",
	} {
		if _, err := ReadSummaries(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestManifestRefusesUnknownFields(t *testing.T) {
	m := Manifest{Scale: "ci", Seed: 1, Go: "go", Arch: "amd64/v1", Modules: map[string]string{"a": "v1"}, Files: map[string]string{"x": "y"}}
	got, err := ReadManifest(m.Encode())
	if err != nil || !cmp.Equal(got, m) {
		t.Errorf("%v %v", got, err)
	}
	if _, err := ReadManifest([]byte(`{"scal": "ci"}`)); err == nil {
		t.Error("an unknown field was accepted")
	}
}
