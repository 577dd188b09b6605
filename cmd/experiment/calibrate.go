package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/experiments/calibrate"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
)

func newCalibrate() *cobra.Command {
	maxKeys := calibrate.MaxKeys
	var fresh bool
	var folder string
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Time every subject on this machine, for choose",
		Long: "calibrate times every subject of the catalogue from sizes that fit the first cache to sizes that fit none:\n" +
			"additions and builds, look-ups of keys that are held, that are not, and of both by turns, one at a time and in batches,\n" +
			"by numbers, byte strings and hashes; and the memory itself. What it finds is kept below the user's cache folder and used\n" +
			"again while processor, libraries, compiler and this program are the same. One that was interrupted goes on where it stopped.",
		Example: "  experiment calibrate\n  experiment calibrate --max-keys 100M",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if maxKeys < calibrate.LeastKeys {
				return usagef("--max-keys %d: at least %d tell anything", maxKeys, calibrate.LeastKeys)
			}
			c, folder, err := calibrated(cmd.Context(), cmd.ErrOrStderr(), folder, maxKeys, fresh)
			if err != nil {
				return err
			}
			return writeCalibration(cmd.OutOrStdout(), c, folder)
		},
	}
	flags := cmd.Flags()
	flags.Var(valueOf(&maxKeys, choose.ParseCount, "N"), "max-keys", "structures of up to `N` keys: 10M, 1e8")
	flags.BoolVar(&fresh, "fresh", false, "measure again, whatever is kept")
	flags.StringVar(&folder, "out", "", "`DIR` to keep it in, instead of the user's cache folder")
	return cmd
}

// calibrated is the calibration of this machine that is kept in a folder, "" for
// that of the user, up to so many keys; it is taken if there is none that holds.
func calibrated(ctx context.Context, stderr io.Writer, folder string, maxKeys int, fresh bool) (record.Calibrated, string, error) {
	if folder == "" {
		var err error
		if folder, err = calibrate.Folder(); err != nil {
			return record.Calibrated{}, "", err
		}
	}
	c, err := calibrate.LoadCurrent(folder, maxKeys)
	if err == nil && !fresh {
		return c, folder, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(stderr, "the calibration that is kept is made anew: %v\n", err)
	}
	began, last := time.Now(), time.Time{}
	start := -1. // what an earlier run has done
	fmt.Fprintf(stderr, "calibrating this machine up to %s keys: leave it alone meanwhile\n", choose.Count(maxKeys))
	c, err = calibrate.Run(ctx, calibrate.Options{
		Folder: folder, MaxKeys: maxKeys, Worker: gaugeCommand,
		Progress: func(now string, done, total float64) {
			if start < 0 {
				start = done
			}
			if time.Since(last) > 5*time.Second {
				last = time.Now()
				fmt.Fprintf(stderr, "%3.0f %%, %s left: %s\n", 100*done/total,
					left(engine.Progress{Done: done - start, Total: total - start}, time.Since(began)), now)
			}
		},
	})
	if at, ok := errors.AsType[*fs.PathError](err); ok && (strings.HasPrefix(at.Path, folder) || strings.HasPrefix(folder, at.Path)) {
		err = fmt.Errorf("the calibration cannot be kept (calibrate --out DIR keeps it elsewhere, and choose --calibration DIR reads it there): %w", at)
	}
	return c, folder, err
}

// newGauge is the process that measures for calibrate and regret.
func newGauge(stdin io.Reader) *cobra.Command {
	return &cobra.Command{
		Use:    "gauge",
		Short:  "Time subjects for another process of this program",
		Hidden: true,
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			// A library that prints would garble the replies.
			os.Stdout = os.Stderr
			return calibrate.Serve(stdin, out)
		},
	}
}

func gaugeCommand() *exec.Cmd {
	return &exec.Cmd{Path: engine.Program(), Args: []string{os.Args[0], "gauge"}}
}

// leading is how many subjects the table of a calibration shows.
const leading = 12

// writeCalibration shows what an absent key costs the leading filters at each
// level of the memory, and where the whole is.
func writeCalibration(w io.Writer, c record.Calibrated, folder string) error {
	levels := memoryLevels(c.Machine)
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	header := table.Row{"ns per absent key"}
	for _, l := range levels {
		header = append(header, l.name, l.name+" batch")
	}
	t.AppendHeader(header)
	for _, s := range leadingSubjects(c, levels) {
		row := table.Row{s}
		for i := range levels {
			for _, op := range []string{"miss", "miss-batch"} {
				cell := ""
				if r, ok := atLevel(c, s, op, levels, i); ok {
					cell = strconv.FormatFloat(r.Seconds*1e9, 'f', 1, 64)
				}
				row = append(row, cell)
			}
		}
		t.AppendRow(row)
	}
	t.Render()
	failed := 0
	for _, r := range c.Rows {
		if r.Err != "" {
			failed++
			fmt.Fprintf(w, "not timed: %s at %d keys: %s\n", r.Subject, r.Keys, r.Err)
		}
	}
	_, err := fmt.Fprintf(w, "%d times of filters built for a rate of 1/32 and 1/4096 and of sketches, up to %s keys, on %s: %s\n",
		len(c.Rows)-failed, choose.Count(c.Machine.MaxKeys), c.Machine.CPU, filepath.Join(folder, record.CalibrationName))
	return err
}

// A memoryLevel holds structures of up to so many bytes.
type memoryLevel struct {
	name  string
	bytes int64
}

func memoryLevels(m record.Machine) []memoryLevel {
	var levels []memoryLevel
	for _, l := range []memoryLevel{{"L1", int64(m.L1D)}, {"L2", int64(m.L2)}, {"L3", int64(m.L3)}} {
		if l.bytes > 0 {
			levels = append(levels, l)
		}
	}
	return append(levels, memoryLevel{"beyond", 1 << 62})
}

// atLevel is the row of the largest structure that fits a level and not the one
// before. Beyond all of them it is that of the most keys, as sizes there differ so
// much that times of others do not compare.
func atLevel(c record.Calibrated, subject, op string, levels []memoryLevel, i int) (best record.Calibration, ok bool) {
	for _, r := range c.Rows {
		fits := r.Bytes <= levels[i].bytes && (i == 0 || r.Bytes > levels[i-1].bytes)
		fits = fits && (i < len(levels)-1 || r.Keys == c.Machine.MaxKeys)
		if r.Kind == "filter" && r.Subject == subject && r.Op == op && r.Epsilon == 1./32 && fits && r.Bytes > best.Bytes {
			best, ok = r, true
		}
	}
	return best, ok
}

// leadingSubjects are the filters that answer fastest for absent keys, one at a
// time, at the last level that was reached.
func leadingSubjects(c record.Calibrated, levels []memoryLevel) []string {
	for i := len(levels) - 1; i >= 0; i-- {
		var names []string
		seconds := map[string]float64{}
		for _, r := range c.Rows {
			if _, seen := seconds[r.Subject]; seen || r.Kind != "filter" {
				continue
			}
			if at, ok := atLevel(c, r.Subject, "miss", levels, i); ok {
				seconds[r.Subject] = at.Seconds
				names = append(names, r.Subject)
			}
		}
		if len(names) >= leading || i == 0 {
			slices.SortFunc(names, func(a, b string) int { return cmp.Compare(seconds[a], seconds[b]) })
			return names[:min(leading, len(names))]
		}
	}
	return nil
}
