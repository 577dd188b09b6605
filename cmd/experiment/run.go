package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/experiments"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/experiments/speed"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

type runFlags struct {
	plan    planFlags
	with    withFlags
	seed    uint64
	workers int
	out     string
	fresh   bool
	format  string
	speed   string
	trace   string
}

// The values of --speed.
const (
	speedAuto  = "auto" // after a run that leaves nothing out
	speedOnly  = "only" // and no accuracy
	speedNever = "never"
)

func newRun() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run experiments and write their rows and figures",
		Long: "run carries out the cells of a scale and writes trials.csv, summary.csv and figures for every\n" +
			"experiment, then manifest.json. A run that was killed goes on where it stopped. It exits 0 when it\n" +
			"is complete, whatever the verdicts.",
		Example: "  experiment run\n" +
			"  experiment run --only 'bloom/*' --with github.com/bits-and-blooms/bloom/v3@v3.7.0 --out /tmp/results\n" +
			"  experiment run --scale smoke --out /tmp/results --format csv\n" +
			"  experiment run --only 'hll/*' --seed 7 --out /tmp/results\n" +
			"  experiment run --scale full --shard 3/16 --out part3\n" +
			"  experiment run --trace requests.gz --only '*/trace=*' --out /tmp/results",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.plan.register(cmd)
	f.plan.registerShard(cmd)
	cmd.Flags().Uint64Var(&f.seed, "seed", experiments.RootSeed, "root `SEED`: every trial's own seed follows from it")
	cmd.Flags().IntVar(&f.workers, "workers", runtime.NumCPU(), "`N` worker processes")
	cmd.Flags().StringVar(&f.out, "out", "results", "`DIR` to write to")
	registerTrace(cmd, &f.trace)
	cmd.Flags().BoolVar(&f.fresh, "fresh", false, "begin anew instead of resuming a run that was killed")
	cmd.Flags().StringVar(&f.format, "format", "text", "`FORMAT` of the judgements on standard output: text, csv or json")
	f.with.register(cmd)
	completeFormats(cmd, rowFormats)
	cmd.Flags().StringVar(&f.speed, "speed", speedAuto, "`WHEN` to time and weigh every subject: auto (after a run that leaves nothing out), only, never")
	return cmd
}

func (f runFlags) run(cmd *cobra.Command) error {
	scale, selection, err := f.plan.parse()
	if err != nil {
		return err
	}
	if f.workers < 1 {
		return usagef("%d workers; there must be at least one", f.workers)
	}
	if !slices.Contains(rowFormats, f.format) {
		return unknownFormat(f.format, rowFormats)
	}
	if f.speed != speedAuto && f.speed != speedOnly && f.speed != speedNever {
		return usagef("unknown value %q of --speed; known: auto, only, never", f.speed)
	}
	if len(f.with.with) > 0 {
		return f.with.again(cmd)
	}
	if f.speed == speedOnly {
		if !selection.Whole() {
			return usagef("--speed only times every subject; it takes no --only, --cell or --shard")
		}
		return f.measureSpeed(cmd, scale)
	}
	given, err := giveTrace(f.trace)
	if err != nil {
		return err
	}
	if !selection.Whole() && !cmd.Flags().Changed("out") {
		fmt.Fprintf(cmd.ErrOrStderr(), "a part of the plan replaces what %s held of it, and its manifest; --out DIR keeps them apart\n", f.out)
	}
	show, end := progressTo(cmd.ErrOrStderr())
	outcome, err := engine.Run(cmd.Context(), given.experiments, engine.Options{
		Scale: scale, Root: f.seed, Selection: selection, Dir: f.out, Workers: f.workers, Fresh: f.fresh,
		Worker: given.worker, Trace: given.about, Progress: show,
	})
	end()
	if err != nil {
		return err
	}
	if selection.Shard.Count == 0 {
		if err := drawFigures(f.out); err != nil {
			return err
		}
	}
	if err := writeJudgements(cmd.OutOrStdout(), outcome.Rows, f.format); err != nil {
		return err
	}
	if f.speed != speedAuto || !selection.Whole() {
		return nil
	}
	if err := f.measureSpeed(cmd, scale); err != nil {
		// Not wrapped: an interrupt here is none that the same command resumes.
		return fmt.Errorf("the results are complete, the timings are not; run --speed only takes them: %v", err)
	}
	return nil
}

// measureSpeed times and weighs every subject, alone on the machine as far as
// this program can see to it.
func (f runFlags) measureSpeed(cmd *cobra.Command, scale engine.Scale) error {
	stderr := cmd.ErrOrStderr()
	result, err := speed.Run(cmd.Context(), scale, func(next string) { fmt.Fprintln(stderr, next) })
	if err != nil {
		return err
	}
	return result.Write(filepath.Join(f.out, "speed"), speed.Here(fmt.Sprintf("experiment run --speed only --scale %v", scale)))
}

func writeJudgements(w io.Writer, rows []record.Summary, format string) error {
	switch format {
	case "csv":
		return record.WriteSummaries(w, rows)
	case "json":
		return writeJSON(w, rows)
	default:
		return writeTable(w, rows)
	}
}

func writeJSON(w io.Writer, rows []record.Summary) error {
	objects := make([]map[string]string, len(rows))
	for i, r := range rows {
		objects[i] = map[string]string{}
		for j, v := range r.Strings() {
			objects[i][record.SummaryHeader[j]] = v
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(objects)
}

// writeTable shows everything that does not hold, and counts the rest.
func writeTable(w io.Writer, rows []record.Summary) error {
	counts := map[stats.Verdict]int{}
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{"verdict", "cell", "metric", "law", "measured", "interval", "allowed"})
	for _, r := range rows {
		if !r.Judged() {
			continue
		}
		counts[r.Verdict]++
		if r.Verdict != stats.Holds {
			t.AppendRow(table.Row{
				r.Verdict, r.Cell, r.Metric, r.Law, fmt.Sprintf("%.5g", r.Estimate),
				fmt.Sprintf("%.5g to %.5g", r.Lo, r.Hi), fmt.Sprintf("%.5g to %.5g", r.AllowedLo, r.AllowedHi),
			})
		}
	}
	if counts[stats.Broken]+counts[stats.Undecided] > 0 {
		t.Render()
	}
	_, err := fmt.Fprintf(w, "%d judgements: %d hold, %d broken, %d undecided\n",
		counts[stats.Holds]+counts[stats.Broken]+counts[stats.Undecided], counts[stats.Holds], counts[stats.Broken], counts[stats.Undecided])
	return err
}
