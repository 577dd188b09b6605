package check

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sketchproof/sketchproof/record"
)

// folder is a folder of results with the given summaries.
func folder(t *testing.T, summaries map[string][]record.Summary) fstest.MapFS {
	t.Helper()
	m, fsys := manifest(), fstest.MapFS{}
	for name, rows := range summaries {
		var b bytes.Buffer
		if err := record.WriteSummaries(&b, rows); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(b.Bytes())
		m.Files[name] = hex.EncodeToString(sum[:])
		fsys[name] = &fstest.MapFile{Data: b.Bytes()}
	}
	m.Files["bloom/fpr/trials.csv"] = "not committed, so not there"
	fsys[record.ManifestName] = &fstest.MapFile{Data: m.Encode()}
	return fsys
}

func TestLoad(t *testing.T) {
	odd := rate(theirCell, holds)
	odd.Estimate, odd.Confidence, odd.Predicted = math.NaN(), math.NaN(), math.NaN()
	odd.Lo, odd.Hi, odd.AllowedLo, odd.AllowedHi = math.Inf(-1), math.Inf(1), math.Inf(-1), math.Inf(1)
	own := rate("replay/subject=bloom", holds)
	fsys := folder(t, map[string][]record.Summary{"replay/summary.csv": {own}, "bloom/fpr/summary.csv": {odd}})
	fsys["stale/old/summary.csv"] = &fstest.MapFile{Data: []byte("of an experiment that the manifest does not name")}
	got, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	want := []record.Summary{odd, own} // bloom before replay
	if d := cmp.Diff(want, got.Rows, cmpopts.EquateNaNs(), cmpopts.EquateApprox(1e-9, 0)); d != "" {
		t.Error(d)
	}
	if got.Manifest.Seed != 1 || got.Manifest.Modules[module] != "v1.0.0" {
		t.Errorf("manifest %+v", got.Manifest)
	}
}

func TestLoadRefuses(t *testing.T) {
	one := map[string][]record.Summary{"bloom/fpr/summary.csv": {rate(ownCell, holds)}}
	for name, c := range map[string]struct {
		rows map[string][]record.Summary
		harm func(fstest.MapFS)
		want string
	}{
		"a missing manifest":  {one, func(f fstest.MapFS) { delete(f, record.ManifestName) }, "manifest.json"},
		"a mangled manifest":  {one, func(f fstest.MapFS) { f[record.ManifestName].Data = []byte("{") }, "manifest"},
		"a missing summary":   {one, func(f fstest.MapFS) { delete(f, "bloom/fpr/summary.csv") }, "bloom/fpr/summary.csv"},
		"a summary by hand":   {one, func(f fstest.MapFS) { f["bloom/fpr/summary.csv"].Data[0]++ }, "SHA-256"},
		"the same cell twice": {map[string][]record.Summary{"a/summary.csv": one["bloom/fpr/summary.csv"], "b/summary.csv": one["bloom/fpr/summary.csv"]}, func(fstest.MapFS) {}, "two judgements of " + ownCell},
	} {
		fsys := folder(t, c.rows)
		c.harm(fsys)
		if _, err := Load(fsys); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error that says %q", name, err, c.want)
		}
	}
	if _, err := Load(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no results: %v, want fs.ErrNotExist", err)
	}
}
