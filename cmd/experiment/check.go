package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/check"
	"github.com/sketchproof/sketchproof/experiments"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
)

// checkFormats are the ways to print what check found.
var checkFormats = []string{"text", "json", "github", "junit"}

type checkFlags struct {
	plan    planFlags
	with    withFlags
	workers int
	format  string
	against string
	verbose bool
}

func newCheck() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Run experiments again and compare with the committed results",
		Long: "check carries out the cells of a scale with the seed of the committed results, in a temporary folder,\n" +
			"and compares. It exits 1 when a law is newly broken or a figure changed under the same versions; under\n" +
			"other versions it compares verdicts and intervals. A law that was broken before is listed and fails nothing.\n" +
			"It exits 4 when there is nothing to compare with.\n\n" +
			"The baseline is the results folder of the commit that is checked out, in a clone of this repository, and\n" +
			"elsewhere the results built into this program.",
		Example: "  experiment check --scale smoke\n" +
			"  experiment check --only 'bloom/*' --against v1.0.0\n" +
			"  experiment check --format junit > check.xml\n" +
			"  experiment check --format github\n" +
			"  experiment check --scale smoke --with github.com/bits-and-blooms/bloom/v3@v3.7.0",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.plan.register(cmd)
	cmd.Flags().IntVar(&f.workers, "workers", runtime.NumCPU(), "`N` worker processes")
	cmd.Flags().StringVar(&f.format, "format", "text", "`FORMAT` of the findings: text, json, github (annotations, and a job summary) or junit")
	cmd.Flags().StringVar(&f.against, "against", "", "baseline: a folder of results, or a `REVISION` of this repository")
	cmd.Flags().BoolVar(&f.verbose, "verbose", false, "name every finding in the text")
	f.with.register(cmd)
	completeFormats(cmd, checkFormats)
	return cmd
}

func (f checkFlags) run(cmd *cobra.Command) (err error) {
	scale, selection, err := f.plan.parse()
	if err != nil {
		return err
	}
	if f.workers < 1 {
		return usagef("%d workers; there must be at least one", f.workers)
	}
	if !slices.Contains(checkFormats, f.format) {
		return unknownFormat(f.format, checkFormats)
	}
	if len(f.with.with) > 0 {
		return f.with.again(cmd)
	}
	dir, err := os.MkdirTemp("", "experiment-check-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	base, err := baselineIn(cmd.Context(), ".", f.against, filepath.Join(dir, "baseline"))
	if err != nil {
		return err
	}
	show, end := progressTo(cmd.ErrOrStderr())
	report, err := checkAgainst(cmd.Context(), experiments.All, base, engine.Options{
		Scale: scale, Selection: selection, Dir: filepath.Join(dir, "run"), Workers: f.workers, Worker: func() *exec.Cmd { return workerCommand() }, Progress: show,
	})
	end()
	if err != nil {
		return err
	}
	if err := f.write(cmd.OutOrStdout(), os.Getenv("GITHUB_STEP_SUMMARY"), report); err != nil {
		return err
	}
	if report.Failed() {
		return errBroken
	}
	return nil
}

// checkAgainst runs the selected cells with the baseline's seed and compares.
func checkAgainst(ctx context.Context, all []engine.Experiment, base baseline, o engine.Options) (check.Report, error) {
	plan, err := planFor(all, base, o)
	if err != nil {
		return check.Report{}, err
	}
	o.Root = base.results.Manifest.Seed
	if _, err := engine.Run(ctx, all, o); err != nil {
		if errors.Is(err, context.Canceled) {
			return check.Report{}, errors.New("interrupted; nothing was compared")
		}
		return check.Report{}, err
	}
	now, err := check.Load(os.DirFS(o.Dir)) // as printed: figures are compared by their digits
	if err != nil {
		return check.Report{}, err
	}
	report := check.Compare(base.results, now, plan)
	report.Baseline = base.name
	return report, nil
}

// planFor plans the run. It refuses, before anything is run, a baseline that
// holds none of the cells.
func planFor(all []engine.Experiment, base baseline, o engine.Options) (check.Plan, error) {
	cells, err := o.Selection.Plan(all, o.Scale)
	if err != nil {
		return nil, &engine.UsageError{Err: err}
	}
	plan := make(check.Plan, len(cells))
	for _, c := range cells {
		plan[c.Name()] = c.Module
	}
	if !slices.ContainsFunc(base.results.Rows, func(r record.Summary) bool { _, ok := plan[r.Cell]; return ok }) {
		return nil, fmt.Errorf("%w: %s holds none of the %d cells to check", engine.ErrNotComparable, base.name, len(cells))
	}
	return plan, nil
}

// write prints the report. In the github format it appends a page to the job
// summary as well, where the forge names a file for it.
func (f checkFlags) write(w io.Writer, jobSummary string, r check.Report) error {
	switch f.format {
	case "json":
		return r.WriteJSON(w)
	case "junit":
		return r.WriteJUnit(w)
	case "github":
		if err := r.WriteAnnotations(w); err != nil {
			return err
		}
		return toJobSummary(jobSummary, r.WriteMarkdown)
	default:
		return r.WriteText(w, f.verbose)
	}
}

// toJobSummary appends a page to the job summary. The forge names the file; where
// there is none, there is no summary.
func toJobSummary(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("the job summary: %w", err)
	}
	return errors.Join(write(file), file.Close())
}
