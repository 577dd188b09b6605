package engine

import (
	"bytes"
	"compress/flate"
	"encoding/csv"
	"errors"
	"io"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/sketchproof/sketchproof/record"
)

// trialsName is the file of an experiment's trials.
const trialsName = "trials.csv"

// An output writes the rows of a run into a folder.
type output struct {
	dir  string
	root uint64
	keys map[string][]string // label columns by experiment
	// shows has the experiments that name inputs.
	shows map[string]bool
}

// showing has the experiments whose cells name inputs, from the largest plan, so
// that every scale and shard has the same files.
func showing(cells []Cell) map[string]bool {
	shows := map[string]bool{}
	for _, c := range cells {
		if c.Shows {
			shows[c.Experiment] = true
		}
	}
	return shows
}

// provenFiles are the files of an experiment whose digests the manifest holds.
func provenFiles(shows bool) []string {
	if shows {
		return []string{trialsName, record.SummaryName, record.InputsName}
	}
	return []string{trialsName, record.SummaryName}
}

// labelKeys lists the label keys of each experiment in order of appearance, the
// subject left out: it has a column of its own. They are taken from the largest
// plan, so that every scale and shard has the same columns.
func labelKeys(cells []Cell) map[string][]string {
	keys := map[string][]string{}
	seen := map[[2]string]bool{}
	for _, c := range cells {
		for _, l := range c.Labels {
			id := [2]string{c.Experiment, l.Key}
			if l.Key != "subject" && !seen[id] {
				seen[id] = true
				keys[c.Experiment] = append(keys[c.Experiment], l.Key)
			}
		}
	}
	return keys
}

// write writes the files of every experiment that has cells, and returns all
// judgements and the digests by path.
func (o output) write(states []*state) ([]record.Summary, map[string]string, error) {
	var rows []record.Summary
	files := map[string]string{}
	for len(states) > 0 {
		name := states[0].cell.Experiment
		n := 0
		for n < len(states) && states[n].cell.Experiment == name {
			n++
		}
		summaries, err := o.writeExperiment(name, states[:n])
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, summaries...)
		for _, file := range provenFiles(o.shows[name]) {
			p := path.Join(name, file)
			if files[p], err = record.Digest(filepath.Join(o.dir, filepath.FromSlash(p))); err != nil {
				return nil, nil, err
			}
		}
		states = states[n:]
	}
	return rows, files, nil
}

func (o output) writeExperiment(name string, states []*state) ([]record.Summary, error) {
	dir := filepath.Join(o.dir, filepath.FromSlash(name))
	keys := o.keys[name]
	states, unseeded := split(states, func(s *state) bool { return !s.cell.Unseeded })
	err := record.WriteFile(filepath.Join(dir, trialsName), func(w io.Writer) error {
		c := csv.NewWriter(w)
		if err := c.Write(record.TrialHeader(keys)); err != nil {
			return err
		}
		c.Flush()
		for _, s := range states {
			if _, err := io.Copy(w, flate.NewReader(bytes.NewReader(s.packed))); err != nil {
				return err
			}
		}
		return c.Error()
	})
	if err != nil {
		return nil, err
	}
	if o.shows[name] {
		inputs := make([]record.Input, len(states))
		for i, s := range states {
			inputs[i] = s.input
		}
		err = record.WriteFile(filepath.Join(dir, record.InputsName), func(w io.Writer) error { return record.WriteInputs(w, inputs) })
		if err != nil {
			return nil, err
		}
	}
	rows, err := writeSummaries(filepath.Join(dir, record.SummaryName), states)
	if err != nil || len(unseeded) == 0 {
		return rows, err
	}
	more, err := writeSummaries(filepath.Join(dir, record.UnseededName), unseeded)
	return append(rows, more...), err
}

func writeSummaries(file string, states []*state) ([]record.Summary, error) {
	var rows []record.Summary
	for _, s := range states {
		rows = append(rows, s.verdicts...)
	}
	return rows, record.WriteFile(file, func(w io.Writer) error { return record.WriteSummaries(w, rows) })
}

// split keeps the order of both halves.
func split[T any](list []T, first func(T) bool) (a, b []T) {
	for _, x := range list {
		if first(x) {
			a = append(a, x)
		} else {
			b = append(b, x)
		}
	}
	return a, b
}

// pack turns the trials of a final cell into its lines of trials.csv, compressed:
// the trials of a large plan would not fit into memory as they are.
func (o output) pack(s *state) {
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		panic(err) // the level exists
	}
	w := csv.NewWriter(z)
	err = o.writeTrials(w, s, o.keys[s.cell.Experiment])
	w.Flush()
	if err := errors.Join(err, w.Error(), z.Close()); err != nil {
		panic(err) // memory takes every write
	}
	s.input = o.inputOf(s)
	s.packed, s.trials = b.Bytes(), nil
}

// inputOf is the first input that the trials of a cell name, or the fault that
// ended it.
func (o output) inputOf(s *state) record.Input {
	for i, t := range s.trials {
		if t.Fault != "" {
			return record.Input{
				Cell: s.name, Metric: faultMetric, Law: record.FaultLaw, Trial: i, Seed: Seed(o.root, s.name, i), Input: "it ends with " + t.Fault,
			}
		}
	}
	for i, t := range s.trials {
		for _, r := range t.Readings {
			if r.Input != "" {
				m := s.cell.Metrics[r.Metric]
				return record.Input{Cell: s.name, Metric: m.Name, Law: m.Law, Trial: i, Seed: Seed(o.root, s.name, i), Input: r.Input}
			}
		}
	}
	return record.Input{Cell: s.name}
}

func (o output) writeTrials(w *csv.Writer, s *state, keys []string) error {
	row := record.Trial{
		Experiment: s.cell.Experiment, Cell: s.name, Subject: s.cell.Subject(), Module: s.cell.Module, Labels: s.cell.Labels,
	}
	for i, t := range s.trials {
		row.Trial, row.Seed = i, Seed(o.root, s.name, i)
		for _, r := range t.Readings {
			m := s.cell.Metrics[r.Metric]
			row.Metric, row.Unit, row.Law, row.Num, row.Den = m.Name, m.Unit, m.Law, r.Num, r.Den
			row.AllowedLo, row.AllowedHi = r.Band.Lo, r.Band.Hi
			if err := w.Write(row.Strings(keys)); err != nil {
				return err
			}
		}
		if t.Fault != "" {
			f := row
			f.Metric, f.Unit, f.Law, f.Num, f.Den, f.AllowedLo, f.AllowedHi = faultMetric, "", record.FaultLaw, 1, 1, 0, 0
			f.Err = t.Fault
			if err := w.Write(f.Strings(keys)); err != nil {
				return err
			}
		}
	}
	return nil
}

func newManifest(o Options, cells []Cell, files map[string]string) record.Manifest {
	m := record.Manifest{
		Scale: o.Scale.String(), Seed: o.Root, Shard: o.Selection.Shard.String(), Only: o.Selection.Only, Trace: o.Trace,
		Go: runtime.Version(), Arch: arch(), Modules: map[string]string{}, Files: files,
	}
	if o.Selection.Cell != "" {
		m.Only = append(m.Only, o.Selection.Cell)
	}
	for _, c := range cells {
		if c.Module != "" {
			module, version := splitModule(c.Module)
			m.Modules[module] = version
		}
	}
	return m
}

// arch is the processor that the bytes are promised for: GOARCH and its level.
func arch() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GOAMD64" || s.Key == "GOARM64" || s.Key == "GO386" {
				return runtime.GOARCH + "/" + s.Value
			}
		}
	}
	return runtime.GOARCH
}
