package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/stats"
)

// folder makes a folder of results with one row for each of the experiments,
// and a file of trials that is named but, as in a clone, not there.
func folder(t *testing.T, experiments ...string) fstest.MapFS {
	t.Helper()
	m := Manifest{Scale: "smoke", Files: map[string]string{"a/trials.csv": "left out of the clone"}}
	fsys := fstest.MapFS{}
	for _, e := range experiments {
		var b bytes.Buffer
		row := Summary{Cell: e + "/subject=x", Subject: "x", Metric: "m", Trials: 32, Law: "l", Verdict: stats.Holds}
		if err := WriteSummaries(&b, []Summary{row}); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(b.Bytes())
		m.Files[e+"/summary.csv"] = hex.EncodeToString(sum[:])
		fsys[e+"/summary.csv"] = &fstest.MapFile{Data: b.Bytes()}
	}
	fsys["manifest.json"] = &fstest.MapFile{Data: m.Encode()}
	return fsys
}

func TestReadFolder(t *testing.T) {
	m, rows, err := ReadFolder(folder(t, "hll/error", "bloom/fpr", "cuckoo/fpr"))
	if err != nil {
		t.Fatal(err)
	}
	var cells []string
	for _, r := range rows {
		cells = append(cells, r.Cell)
	}
	want := []string{"bloom/fpr/subject=x", "cuckoo/fpr/subject=x", "hll/error/subject=x"}
	if m.Scale != "smoke" || !slices.Equal(cells, want) {
		t.Errorf("scale %q, cells %q, want smoke, %q", m.Scale, cells, want)
	}
}

func TestReadFolderRefuses(t *testing.T) {
	changed := folder(t, "bloom/fpr")
	data := changed["bloom/fpr/summary.csv"].Data
	changed["bloom/fpr/summary.csv"] = &fstest.MapFile{Data: bytes.Replace(data, []byte("holds"), []byte("broken"), 1)}
	if _, _, err := ReadFolder(changed); err == nil || !strings.Contains(err.Error(), "bloom/fpr/summary.csv: its SHA-256 is ") {
		t.Errorf("a changed summary: %v", err)
	}
	lost := folder(t, "bloom/fpr")
	delete(lost, "bloom/fpr/summary.csv")
	if _, _, err := ReadFolder(lost); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a summary that is not there: %v", err)
	}
	if _, _, err := ReadFolder(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no manifest: %v", err)
	}
	torn := fstest.MapFS{"manifest.json": {Data: []byte("{")}}
	if _, _, err := ReadFolder(torn); err == nil || !strings.Contains(err.Error(), "manifest") {
		t.Errorf("a torn manifest: %v", err)
	}
}

func TestSummaryFilesStayInTheFolder(t *testing.T) {
	m := Manifest{Files: map[string]string{
		"b/summary.csv": "", "a/b/summary.csv": "", "a/b/trials.csv": "", "summary.csv": "", "a/b/c/summary.csv": "",
		"../summary.csv": "", "/a/summary.csv": "", "a/../summary.csv": "", "a/other-summary.csv": "",
	}}
	if d := cmp.Diff([]string{"a/b/summary.csv", "b/summary.csv"}, m.SummaryFiles()); d != "" {
		t.Error(d)
	}
}
