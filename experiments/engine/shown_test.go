package engine

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/record"
)

// Inputs have a file with a line a cell; what no seed reaches has one outside the
// digests; shards merge to the same of both.
func TestInputsAndUnseededRowsHaveFilesOfTheirOwn(t *testing.T) {
	shown := Selection{Only: []string{"coin/shown"}}
	whole := t.TempDir()
	mustRun(t, Options{Scale: CI, Root: 1, Selection: shown, Dir: whole})
	got := files(t, whole)
	if n := strings.Count(got["coin/shown/inputs.csv"], "\n"); n != 3 {
		t.Errorf("inputs.csv has %d lines, want a header and two:\n%s", n, got["coin/shown/inputs.csv"])
	}
	if s := got["coin/shown/summary.csv"]; strings.Contains(s, "percent=30") || !strings.Contains(s, "percent=20") {
		t.Errorf("summary.csv:\n%s", s)
	}
	m, rows, err := record.ReadFolder(os.DirFS(whole))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := m.Files["coin/shown/unseeded.csv"]; ok || m.Files["coin/shown/inputs.csv"] == "" {
		t.Errorf("the manifest proves %v", m.Files)
	}
	for i, r := range rows {
		if r.Unseeded != (i >= 2) || strings.HasSuffix(r.Input, " heads") != (i == 0) {
			t.Errorf("%s: unseeded %v, input %q", r.Cell, r.Unseeded, r.Input)
		}
	}
	if len(rows) != 4 {
		t.Errorf("%d rows, want 4", len(rows))
	}
	var shards []string
	for i := 1; i <= 3; i++ {
		dir := t.TempDir()
		s := shown
		s.Shard = Shard{i, 3}
		mustRun(t, Options{Scale: CI, Root: 1, Selection: s, Dir: dir})
		shards = append(shards, dir)
	}
	merged := t.TempDir()
	if _, err := Merge(coins, merged, shards); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(got, files(t, merged)); d != "" {
		t.Error(d)
	}
}
