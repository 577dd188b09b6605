package record

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInputsRoundTrip(t *testing.T) {
	want := []Input{
		{Cell: "league/filter/subject=x", Metric: "wrong/answers", Law: "union", Trial: 3, Seed: 1 << 63, Input: "keys [1, \"2\"]"},
		{Cell: "league/filter/subject=y"},
	}
	var b bytes.Buffer
	if err := WriteInputs(&b, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadInputs(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	bad := strings.Replace(b.String(), ",3,", ",three,", 1)
	if _, err := ReadInputs(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a trial that is no number: %v", err)
	}
	if _, err := ReadInputs(strings.NewReader("cell\n")); err == nil {
		t.Error("another header was taken")
	}
}
