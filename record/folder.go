package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// ManifestName and SummaryName are the files of a folder of results that its
// readers need: one manifest in all, one summary for every experiment.
const (
	ManifestName = "manifest.json"
	SummaryName  = "summary.csv"
)

// ReadFolder reads the manifest of a folder of results, and the judgements of
// every summary.csv that it names, experiments in the order of their names. A
// summary that the manifest's digest does not prove is an error: somebody
// changed it after the run. Trials and figures are not read.
func ReadFolder(fsys fs.FS) (Manifest, []Summary, error) {
	data, err := fs.ReadFile(fsys, ManifestName)
	if err != nil {
		return Manifest{}, nil, err
	}
	m, err := ReadManifest(data)
	if err != nil {
		return Manifest{}, nil, err
	}
	var rows []Summary
	for _, name := range m.SummaryFiles() {
		part, err := readProven(fsys, name, m.Files[name])
		if err != nil {
			return Manifest{}, nil, fmt.Errorf("record: %s: %w", name, err)
		}
		rows = append(rows, part...)
	}
	return m, rows, nil
}

// SummaryFiles lists the summary.csv files that the manifest names, sorted: one
// or two folders deep, as experiments are named. Other names are left out.
func (m Manifest) SummaryFiles() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		depth := strings.Count(name, "/")
		if fs.ValidPath(name) && path.Base(name) == SummaryName && (depth == 1 || depth == 2) {
			names = append(names, name)
		}
	}
	return names
}

func readProven(fsys fs.FS, name, digest string) ([]Summary, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); got != digest {
		return nil, fmt.Errorf("its SHA-256 is %s and the manifest says %q: it was changed after the run", got, digest)
	}
	return ReadSummaries(bytes.NewReader(data))
}
