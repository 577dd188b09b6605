package check

import (
	"fmt"
	"io/fs"

	"github.com/sketchproof/sketchproof/record"
)

// Results are what one run left: its manifest and all its judgements.
type Results struct {
	Manifest record.Manifest
	Rows     []record.Summary // in the order of the files' names, then of their lines
}

// Load reads the manifest of a folder of results and every summary.csv that it
// names, one or two folders deep. A summary that is missing, malformed, or not
// the one whose digest the manifest holds is an error, and so is a judgement
// that occurs twice. A missing manifest is fs.ErrNotExist.
func Load(fsys fs.FS) (Results, error) {
	m, rows, err := record.ReadFolder(fsys)
	if err != nil {
		return Results{}, err
	}
	r := Results{Manifest: m, Rows: rows}
	seen := make(map[key]bool, len(r.Rows))
	for _, row := range r.Rows {
		k := keyOf(row)
		if seen[k] {
			return Results{}, fmt.Errorf("two judgements of %s on %s under law %q", k.cell, k.metric, k.law)
		}
		seen[k] = true
	}
	return r, nil
}

// A key is what makes a judgement the same one in two runs.
type key struct{ cell, metric, law string }

func keyOf(s record.Summary) key { return key{s.Cell, s.Metric, s.Law} }
