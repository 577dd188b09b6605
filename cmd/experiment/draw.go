package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sketchproof/sketchproof/plots"
	"github.com/sketchproof/sketchproof/record"
)

// drawFigures draws every figure whose experiment has rows in the folder.
func drawFigures(dir string) error {
	for _, f := range plots.All {
		rows, err := readSummaries(filepath.Join(dir, filepath.FromSlash(f.Experiment), "summary.csv"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := drawFigure(f, rows, filepath.Join(dir, filepath.FromSlash(f.Path()))); err != nil && !errors.Is(err, plots.ErrNoRows) {
			return fmt.Errorf("figure %s: %w", f.Name, err)
		}
	}
	return nil
}

func drawFigure(f plots.Figure, rows []record.Summary, path string) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := f.Draw(rows, out); err != nil {
		return errors.Join(err, out.Close(), os.Remove(path))
	}
	return out.Close()
}

func readSummaries(path string) ([]record.Summary, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	rows, err := record.ReadSummaries(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rows, nil
}
