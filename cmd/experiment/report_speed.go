package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"github.com/sketchproof/sketchproof/experiments/speed"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/report"
)

// speedFolder is where timings are, below a folder of results.
const speedFolder = "speed"

// speedTables makes the report's tables from the timings in a folder of
// results: none if there are none.
func speedTables(folder fs.FS) ([]report.Table, error) {
	p, err := readProvenance(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	timings, err := readColumns(folder, speedFolder, speed.TimingsName, "kind", "subject", "eps", "n", "op", "sec/op", "lo", "hi", "err")
	if err != nil {
		return nil, err
	}
	races, err := readColumns(folder, speedFolder, speed.RacesName,
		"subject", "eps", "op", "peer", "peer-op", "n", "ratio", "lo", "hi", "target", "false-positives/absent", "peer-false-positives/absent", "err")
	if err != nil {
		return nil, err
	}
	weights, err := readColumns(folder, speedFolder, speed.WeightsName, "kind", "subject", "eps", "n", "told-bits/key", "heap-bits/key", "stored-bits/key", "err")
	if err != nil {
		return nil, err
	}
	machine := fmt.Sprintf("%s, %d cores, L1 %s, L2 %s, L3 %s, %s %s/%s, %s.", p.CPU, p.Cores, p.L1D, p.L2, p.L3, p.Go, p.OS, p.Arch, p.Taken)
	tables := []report.Table{{
		Title: "Speed beside peers", Command: p.Command,
		Header: []string{"subject", "rate asked", "operation", "peer", "its operation", "keys", "times as fast", "95 % interval", "set out for", "rate", "peer's rate"},
		Rows:   raceRows(races),
		Note: "The peer's time over the subject's, taken in the same round: the median over rounds, and its distribution-free interval. " +
			"Rates are as measured: a filter that errs more has less to do. " + machine,
	}}
	tables = append(tables, timingTables(timings, p.Command, machine)...)
	return append(tables, report.Table{
		Title: "Memory per key", Command: p.Command,
		Header: []string{"kind", "subject", "rate asked", "keys", "told bits/key", "heap bits/key", "serialized bits/key"}, Rows: weightRows(weights),
		Note: "Told is the structure's own account, heap what the runtime holds more after it was built. " +
			"Sketches have one size whatever they count. " + machine,
	}), nil
}

// timingTables makes one table of each kind, with a column for each operation.
func timingTables(raw [][]string, command, machine string) []report.Table {
	var tables []report.Table
	for _, kind := range distinct(raw, func(r []string) string { return r[0] }) {
		ofKind := slices.DeleteFunc(slices.Clone(raw), func(r []string) bool { return r[0] != kind })
		ops := distinct(ofKind, func(r []string) string { return r[4] })
		tables = append(tables, report.Table{
			Title: "Time per operation: " + kind, Command: command,
			Header: append([]string{"subject", "rate asked", "keys"}, ops...), Rows: timingRows(ofKind, ops),
			Note: "Nanoseconds: the median over interleaved rounds, and its 95 % distribution-free interval; read ratios, not figures. " +
				"Every call goes through an interface: harness-overhead is what that costs. " +
				"Absent keys (miss) are never asked twice. A static filter is added to by building it, per key. A key is a number, 16 bytes or a hash; " +
				"a batch has 1024. " + machine,
		})
	}
	return tables
}

// distinct lists the values of a column in the order in which they first occur.
func distinct(rows [][]string, column func([]string) string) []string {
	var values []string
	for _, r := range rows {
		if v := column(r); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// timingRows makes one row of a subject at a size, with a cell for each of ops.
func timingRows(raw [][]string, ops []string) [][]string {
	var rows [][]string
	for _, r := range raw {
		subject := r[1:4]
		if len(rows) == 0 || !slices.Equal(rows[len(rows)-1][:3], subject) {
			rows = append(rows, append(slices.Clone(subject), make([]string, len(ops))...))
		}
		cell := &rows[len(rows)-1][3+slices.Index(ops, r[4])]
		if *cell = r[8]; *cell == "" {
			*cell = nanoseconds(r[5]) + " (" + nanoseconds(r[6]) + " to " + nanoseconds(r[7]) + ")"
		}
	}
	return rows
}

func raceRows(raw [][]string) [][]string {
	var rows [][]string
	for _, r := range raw {
		interval := three(r[7]) + " to " + three(r[8])
		if r[12] != "" {
			interval = r[12]
		}
		rows = append(rows, []string{r[0], r[1], r[2], r[3], r[4], r[5], three(r[6]), interval, three(r[9]), r[10], r[11]})
	}
	return rows
}

func weightRows(raw [][]string) [][]string {
	var rows [][]string
	for _, r := range raw {
		if r[7] != "" {
			rows = append(rows, []string{r[0], r[1], r[2], r[3], r[7], "", ""})
		} else if r[4] != "" { // the harness's own overhead weighs nothing
			rows = append(rows, r[:7])
		}
	}
	return rows
}

// three prints a number with three digits.
func three(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// nanoseconds prints a time in seconds as nanoseconds with three digits.
func nanoseconds(text string) string {
	sec, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(sec*1e9, 'g', 3, 64)
}

func readProvenance(folder fs.FS) (speed.Provenance, error) {
	var p speed.Provenance
	name := path.Join(speedFolder, speed.ProvenanceName)
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// readColumns reads the named columns of a CSV file.
func readColumns(folder fs.FS, dir, file string, names ...string) ([][]string, error) {
	name := path.Join(dir, file)
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	header, raw, err := record.ReadRaw(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	rows := make([][]string, len(raw))
	for _, column := range names {
		i, err := record.Column(header, column)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for j, line := range raw {
			rows[j] = append(rows[j], line[i])
		}
	}
	return rows, nil
}
