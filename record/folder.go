package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// The files of a folder of results that its readers need: one manifest in all; for
// every experiment a summary, for some the inputs that show what its rows say, and
// the judgements of subjects that no seed reaches.
const (
	ManifestName = "manifest.json"
	SummaryName  = "summary.csv"
	InputsName   = "inputs.csv"
	UnseededName = "unseeded.csv"
)

// ReadFolder reads the manifest of a folder of results, and the judgements of
// every summary.csv that it names, experiments in the order of their names, each
// with its input, and followed by those of the unseeded.csv beside it. A file that
// the manifest's digest does not prove is an error: somebody changed it after the
// run. What no seed reaches has no digest. Trials and figures are not read.
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
		part, err := readExperiment(fsys, path.Dir(name), m)
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

// readExperiment reads the judgements of an experiment's folder.
func readExperiment(fsys fs.FS, dir string, m Manifest) ([]Summary, error) {
	file := path.Join(dir, SummaryName)
	data, err := readProven(fsys, file, m.Files[file])
	if err != nil {
		return nil, err
	}
	rows, err := ReadSummaries(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if file = path.Join(dir, InputsName); m.Files[file] != "" {
		if data, err = readProven(fsys, file, m.Files[file]); err != nil {
			return nil, err
		}
		inputs, err := ReadInputs(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		show(rows, inputs)
	}
	data, err = fs.ReadFile(fsys, path.Join(dir, UnseededName))
	if errors.Is(err, fs.ErrNotExist) {
		return rows, nil
	} else if err != nil {
		return nil, err
	}
	unseeded, err := ReadSummaries(bytes.NewReader(data))
	for i := range unseeded {
		unseeded[i].Unseeded = true
	}
	return append(rows, unseeded...), err
}

// show puts inputs beside their judgements.
func show(rows []Summary, inputs []Input) {
	type key struct{ cell, metric, law string }
	of := make(map[key]string, len(inputs))
	for _, i := range inputs {
		of[key{i.Cell, i.Metric, i.Law}] = i.Input
	}
	for i, s := range rows {
		rows[i].Input = of[key{s.Cell, s.Metric, s.Law}]
	}
}

func readProven(fsys fs.FS, name, digest string) ([]byte, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); got != digest {
		return nil, fmt.Errorf("its SHA-256 is %s and the manifest says %q: it was changed after the run", got, digest)
	}
	return data, nil
}
