package engine

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/sketchproof/sketchproof/record"
)

// ErrNotComparable is returned for results that cannot be joined or compared:
// of other seeds, scales, versions or shards.
var ErrNotComparable = errors.New("not comparable")

// Merge joins the results of all shards of one run. What it writes is byte for
// byte what a single run would have written.
func Merge(all []Experiment, dir string, shards []string) (record.Manifest, error) {
	parts, err := openParts(shards)
	if err != nil {
		return record.Manifest{}, err
	}
	m := parts[0].manifest
	m.Shard = ""
	scale, err := ParseScale(m.Scale)
	if err != nil {
		return record.Manifest{}, notComparable(parts[0].dir, err)
	}
	cells, err := Selection{Only: m.Only}.Plan(all, scale)
	if err != nil {
		return record.Manifest{}, notComparable(parts[0].dir, err)
	}
	m.Files, m.Modules = map[string]string{}, map[string]string{}
	shows := showing(Cells(of(all, cells), Full))
	for _, p := range parts {
		maps.Copy(m.Modules, p.manifest.Modules)
	}
	for len(cells) > 0 {
		name, n := cells[0].Experiment, 0
		for n < len(cells) && cells[n].Experiment == name {
			n++
		}
		seeded, unseeded := split(cells[:n], func(c Cell) bool { return !c.Unseeded })
		if len(unseeded) > 0 {
			if err := mergeFile(dir, path.Join(name, record.UnseededName), parts, unseeded); err != nil {
				return record.Manifest{}, err
			}
		}
		for _, file := range provenFiles(shows[name]) {
			p := path.Join(name, file)
			if err := mergeFile(dir, p, parts, seeded); err != nil {
				return record.Manifest{}, err
			}
			if m.Files[p], err = record.Digest(filepath.Join(dir, filepath.FromSlash(p))); err != nil {
				return record.Manifest{}, err
			}
		}
		cells = cells[n:]
	}
	err = record.WriteFile(filepath.Join(dir, record.ManifestName), func(w io.Writer) error { _, err := w.Write(m.Encode()); return err })
	return m, err
}

// notComparable is the error of a shard that cannot be read as one.
func notComparable(what string, err error) error {
	return fmt.Errorf("%w: %s: %w", ErrNotComparable, what, err)
}

// A part is the results folder of one shard.
type part struct {
	dir      string
	manifest record.Manifest
}

// openParts reads the manifests, checks that they are all parts of one run, and
// returns them in the order of their index.
func openParts(dirs []string) ([]part, error) {
	if len(dirs) == 0 {
		return nil, fmt.Errorf("%w: no shards", ErrNotComparable)
	}
	parts := make([]part, len(dirs))
	have := map[string]bool{}
	for _, dir := range dirs {
		data, err := os.ReadFile(filepath.Join(dir, record.ManifestName))
		if err != nil {
			return nil, notComparable("a shard's results", err)
		}
		m, err := record.ReadManifest(data)
		if err != nil {
			return nil, notComparable(dir, err)
		}
		shard, err := ParseShard(m.Shard)
		if err != nil || shard.Count != len(dirs) || have[m.Shard] {
			return nil, fmt.Errorf("%w: %s holds shard %q; want each of 1/%d to %d/%d once", ErrNotComparable, dir, m.Shard, len(dirs), len(dirs), len(dirs))
		}
		have[m.Shard] = true
		parts[shard.Index-1] = part{dir, m}
	}
	seen := parts[0]
	seen.manifest.Modules = maps.Clone(seen.manifest.Modules) // grows to those of all parts
	for _, p := range parts[1:] {
		if err := sameRun(seen, p); err != nil {
			return nil, err
		}
		maps.Copy(seen.manifest.Modules, p.manifest.Modules)
	}
	return parts, nil
}

func sameRun(a, b part) error {
	for _, d := range []struct {
		what string
		a, b any
	}{
		{"scale", a.manifest.Scale, b.manifest.Scale},
		{"seed", a.manifest.Seed, b.manifest.Seed},
		{"Go version", a.manifest.Go, b.manifest.Go},
		{"processor", a.manifest.Arch, b.manifest.Arch},
	} {
		if d.a != d.b {
			return fmt.Errorf("%w: %s has %s %v, %s has %v", ErrNotComparable, a.dir, d.what, d.a, b.dir, d.b)
		}
	}
	if x, y := a.manifest.Trace, b.manifest.Trace; (x == nil) != (y == nil) || x != nil && *x != *y {
		return fmt.Errorf("%w: %s and %s are of different traces of requests", ErrNotComparable, a.dir, b.dir)
	}
	if !slices.Equal(a.manifest.Only, b.manifest.Only) {
		return fmt.Errorf("%w: %s and %s hold different selections", ErrNotComparable, a.dir, b.dir)
	}
	for module, version := range b.manifest.Modules {
		if other, ok := a.manifest.Modules[module]; ok && other != version {
			return fmt.Errorf("%w: %s has %s %s, %s has %s", ErrNotComparable, a.dir, module, other, b.dir, version)
		}
	}
	return nil
}

// mergeFile joins one file of all parts: lines of the planned cells in the
// order of the plan, each taken from the shard that owns the cell.
func mergeFile(dir, name string, parts []part, cells []Cell) error {
	readers := make([]*cellReader, len(parts))
	var header []string
	for i, p := range parts {
		r, err := p.open(name)
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		defer r.close()
		if header != nil && !slices.Equal(header, r.header) {
			return fmt.Errorf("%w: %s has other columns than its sisters", ErrNotComparable, filepath.Join(p.dir, name))
		}
		readers[i], header = r, r.header
	}
	return record.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), func(w io.Writer) error {
		c := csv.NewWriter(w)
		if err := c.Write(header); err != nil {
			return err
		}
		for _, cell := range cells {
			name := cell.Name()
			if err := readers[shardOf(name, len(parts))].copyCell(c, name); err != nil {
				return err
			}
		}
		for _, r := range readers {
			if r != nil && r.next != nil {
				return fmt.Errorf("%w: %s holds %s out of place or unplanned", ErrNotComparable, r.f.Name(), r.next[r.column])
			}
		}
		c.Flush()
		return c.Error()
	})
}

// open checks the digest of a shard's file and opens it. A shard without cells
// of the experiment has no file: nil. What no seed reaches has no digest.
func (p part) open(name string) (*cellReader, error) {
	file := filepath.Join(p.dir, filepath.FromSlash(name))
	want, ok := p.manifest.Files[name]
	if path.Base(name) == record.UnseededName {
		f, err := os.Open(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		return newCellReader(f)
	}
	if !ok {
		return nil, nil
	}
	got, err := record.Digest(file)
	if err != nil {
		return nil, notComparable("a shard's results", err)
	}
	if got != want {
		return nil, fmt.Errorf("%w: %s is not the file that its manifest proves", ErrNotComparable, file)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	return newCellReader(f)
}

// A cellReader reads a CSV file whose lines are grouped by cell.
type cellReader struct {
	f      *os.File
	csv    *csv.Reader
	header []string
	column int
	next   []string // read ahead, nil at the end
}

func newCellReader(f *os.File) (*cellReader, error) {
	r := &cellReader{f: f, csv: csv.NewReader(f)}
	var err error
	if r.header, err = r.csv.Read(); err == nil {
		if r.column, err = record.Column(r.header, "cell"); err == nil {
			err = r.advance()
		}
	}
	if err != nil {
		return nil, errors.Join(notComparable(f.Name(), err), f.Close())
	}
	return r, nil
}

func (r *cellReader) advance() (err error) {
	if r.next, err = r.csv.Read(); errors.Is(err, io.EOF) {
		r.next, err = nil, nil
	}
	return err
}

// copyCell copies the lines of the cell, which must come next.
func (r *cellReader) copyCell(w *csv.Writer, cell string) error {
	if r == nil || r.next == nil || r.next[r.column] != cell {
		return fmt.Errorf("%w: no shard holds %s", ErrNotComparable, cell)
	}
	for r.next != nil && r.next[r.column] == cell {
		if err := w.Write(r.next); err != nil {
			return err
		}
		if err := r.advance(); err != nil {
			return err
		}
	}
	return nil
}

func (r *cellReader) close() { _ = r.f.Close() } // read only
