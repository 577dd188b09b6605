package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"

	"github.com/sketchproof/sketchproof/experiments/speed"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/report"
)

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
	timings, err := readColumns(folder, speed.TimingsName, "kind", "subject", "n", "op", "sec/op", "lo", "hi", "err")
	if err != nil {
		return nil, err
	}
	weights, err := readColumns(folder, speed.WeightsName, "kind", "subject", "n", "told-bits/key", "heap-bits/key", "stored-bits/key", "err")
	if err != nil {
		return nil, err
	}
	machine := fmt.Sprintf("%s, %d cores, L1 %s, L2 %s, L3 %s, %s %s/%s, %s.", p.CPU, p.Cores, p.L1D, p.L2, p.L3, p.Go, p.OS, p.Arch, p.Taken)
	return []report.Table{
		{
			Title: "Time per operation", Command: p.Command,
			Header: []string{"kind", "subject", "keys", "operation", "ns/op", "95 % interval"}, Rows: timingRows(timings),
			Note: "Median over interleaved rounds, with its distribution-free interval; read ratios, not figures. " +
				"Every call goes through an interface and every key is made on the spot: harness-overhead is what that costs. " +
				"Absent keys are never asked twice. Filters are built for a rate of 1 %; seiflotfy-cuckoo's is about 3 %. " + machine,
		},
		{
			Title: "Memory per key", Command: p.Command,
			Header: []string{"kind", "subject", "keys", "told bits/key", "heap bits/key", "serialized bits/key"}, Rows: weightRows(weights),
			Note: "Told is the structure's own account, heap what the runtime holds more after it was built. " +
				"Sketches have one size whatever they count. " + machine,
		},
	}, nil
}

func timingRows(raw [][]string) [][]string {
	var rows [][]string
	for _, r := range raw {
		if r[7] != "" {
			rows = append(rows, []string{r[0], r[1], r[2], r[3], r[7], ""})
			continue
		}
		rows = append(rows, []string{r[0], r[1], r[2], r[3], nanoseconds(r[4]), nanoseconds(r[5]) + " to " + nanoseconds(r[6])})
	}
	return rows
}

func weightRows(raw [][]string) [][]string {
	var rows [][]string
	for _, r := range raw {
		if r[6] != "" {
			rows = append(rows, []string{r[0], r[1], r[2], r[6], "", ""})
		} else if r[3] != "" { // the harness's own overhead weighs nothing
			rows = append(rows, r[:6])
		}
	}
	return rows
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
	name := path.Join("speed", speed.ProvenanceName)
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// readColumns reads the named columns of a CSV file of timings.
func readColumns(folder fs.FS, file string, names ...string) ([][]string, error) {
	name := path.Join("speed", file)
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
