package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/plots"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/report"
)

type reportFlags struct {
	out, file string
	check     bool
}

func newReport() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write the report from a folder of results",
		Long: "report reads the rows and timings of a folder of results, draws the figures there, and writes the\n" +
			"report. The same rows give the same bytes. With --check it writes nothing, compares the report with the file, and\n" +
			"exits 1 if the file is stale.",
		Example: "  experiment report\n  experiment report --check\n  experiment report --out /tmp/results --file /tmp/REPORT.md",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cmd.Flags().StringVar(&f.out, "out", "results", "`DIR` of the results")
	cmd.Flags().StringVar(&f.file, "file", "REPORT.md", "`FILE` to write or to check")
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing; exit 1 if the file is not what would be written")
	return cmd
}

func (f reportFlags) run(cmd *cobra.Command) error {
	if !f.check {
		if err := drawFigures(f.out); err != nil {
			return err
		}
	}
	in, err := f.input()
	if err != nil {
		return err
	}
	text := report.Render(in)
	if !f.check {
		return record.WriteFile(f.file, func(w io.Writer) error { _, err := w.Write(text); return err })
	}
	old, err := os.ReadFile(f.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && bytes.Equal(old, text) {
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s is what the rows in %s give\n", f.file, f.out)
		return err
	}
	reason := "is not there"
	if err == nil {
		reason = fmt.Sprintf("differs from line %d on", differingLine(old, text))
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s is stale: it %s; `experiment report` writes it\n", f.file, reason); err != nil {
		return err
	}
	return errBroken
}

// input reads all that the report is made from.
func (f reportFlags) input() (report.Input, error) {
	folder := os.DirFS(f.out)
	m, rows, err := record.ReadFolder(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return report.Input{}, usagef("no complete results in %s: %w; `experiment run --out %s` writes them", f.out, err, f.out)
	}
	if err != nil {
		return report.Input{}, err
	}
	scale, err := engine.ParseScale(m.Scale)
	if err != nil {
		return report.Input{}, err
	}
	tables, err := speedTables(folder)
	if err != nil {
		return report.Input{}, err
	}
	choosing, err := choosingTables(folder)
	if err != nil {
		return report.Input{}, err
	}
	link, err := linkTo(f.out, f.file)
	if err != nil {
		return report.Input{}, err
	}
	all := experimentsOn(m.Trace)
	return report.Input{
		Manifest: m, Rows: rows, Experiments: all, Cells: engine.Cells(all, scale),
		Figures: figures(folder), Promises: adapters.Promises(), Tables: tables, Choosing: choosing, Folder: link, DefaultSeed: experiments.RootSeed,
	}, nil
}

// figures lists all figures, with the files of those that were drawn.
func figures(folder fs.FS) []report.Figure {
	list := make([]report.Figure, len(plots.All))
	for i, f := range plots.All {
		list[i] = report.Figure{Experiment: f.Experiment, Title: plots.PlainText(f.Title)}
		if _, err := fs.Stat(folder, f.Path()); err == nil {
			list[i].File = f.Path()
		}
	}
	return list
}

// linkTo is the path of a folder as seen from a file, with slashes.
func linkTo(folder, file string) (string, error) {
	to, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	from, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return "", err
	}
	link, err := filepath.Rel(from, to)
	return filepath.ToSlash(link), err
}

// differingLine is the number of the first line in which two texts differ,
// from 1.
func differingLine(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return 1 + bytes.Count(a[:n], []byte("\n"))
}
