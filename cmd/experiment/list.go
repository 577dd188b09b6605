package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/experiments/engine"
)

func newList() *cobra.Command {
	var plan planFlags
	var format, trace string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the cells of a scale, and the time and memory that the whole is expected to take",
		Example: "  experiment list --scale smoke\n  experiment list --only 'cuckoo/*' --format csv",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			scale, selection, err := plan.parse()
			if err != nil {
				return err
			}
			given, err := giveTrace(trace)
			if err != nil {
				return err
			}
			cells, err := selection.Plan(given.experiments, scale)
			if err != nil {
				return &engine.UsageError{Err: err}
			}
			return writeList(cmd.OutOrStdout(), cells, format)
		},
	}
	plan.register(cmd)
	plan.registerShard(cmd)
	registerTrace(cmd, &trace)
	cmd.Flags().StringVar(&format, "format", "text", "`FORMAT`: text, csv or json")
	completeFormats(cmd, rowFormats)
	return cmd
}

// A listed is a cell as list prints it.
type listed struct {
	Cell    string  `json:"cell"`
	Module  string  `json:"module,omitempty"`
	Trials  int     `json:"trials"`
	Seconds float64 `json:"seconds"` // one core
	Bytes   int64   `json:"bytes"`
}

func writeList(w io.Writer, cells []engine.Cell, format string) error {
	rows := make([]listed, len(cells))
	var seconds float64
	var bytes int64
	for i, c := range cells {
		e := c.Expected()
		rows[i] = listed{c.Name(), c.Module, c.Trials, e.Seconds, e.Bytes}
		seconds += e.Seconds
		bytes = max(bytes, e.Bytes)
	}
	switch format {
	case "json":
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(rows)
	case "csv":
		c := csv.NewWriter(w)
		_ = c.Write([]string{"cell", "module", "trials", "seconds", "bytes"}) // Flush reports it
		for _, r := range rows {
			_ = c.Write([]string{r.Cell, r.Module, strconv.Itoa(r.Trials), strconv.FormatFloat(r.Seconds, 'g', 4, 64), strconv.FormatInt(r.Bytes, 10)})
		}
		c.Flush()
		return c.Error()
	case "text":
		for _, r := range rows {
			fmt.Fprintln(w, r.Cell)
		}
		_, err := fmt.Fprintf(w, "%d cells, about %v of one core in all, at most %s for one structure\n",
			len(rows), time.Duration(seconds*float64(time.Second)).Round(time.Second), humanBytes(bytes))
		return err
	default:
		return unknownFormat(format, rowFormats)
	}
}

// humanBytes prints a number of bytes for people.
func humanBytes(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	x, u := float64(n), 0
	for x >= 1024 && u < len(units)-1 {
		x, u = x/1024, u+1
	}
	return strconv.FormatFloat(x, 'g', 3, 64) + " " + units[u]
}
