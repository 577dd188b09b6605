package record

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// An Input is a line of inputs.csv: the smallest input found that shows what a
// cell's trials say of a law. A cell that shows nothing has a line with its name
// alone.
type Input struct {
	Cell, Metric, Law string
	Trial             int    // that found it
	Seed              uint64 // of that trial
	Input             string // in words that suffice to make it again
}

// InputHeader is the header of every inputs.csv.
var InputHeader = []string{"cell", "metric", "law", "trial", "seed", "input"}

// WriteInputs writes an inputs.csv.
func WriteInputs(w io.Writer, inputs []Input) error {
	raw := make([][]string, len(inputs))
	for i, in := range inputs {
		raw[i] = []string{in.Cell, in.Metric, in.Law, "", "", in.Input}
		if in.Input != "" {
			raw[i][3], raw[i][4] = strconv.Itoa(in.Trial), strconv.FormatUint(in.Seed, 10)
		}
	}
	return WriteRaw(w, InputHeader, raw)
}

// ReadInputs reads an inputs.csv. An error names the line.
func ReadInputs(r io.Reader) ([]Input, error) {
	header, raw, err := ReadRaw(r)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(header, InputHeader) {
		return nil, fmt.Errorf("record: the header is %q, want %q", header, InputHeader)
	}
	inputs := make([]Input, len(raw))
	for i, f := range raw {
		inputs[i] = Input{Cell: f[0], Metric: f[1], Law: f[2], Input: f[5]}
		if f[5] == "" {
			continue
		}
		if inputs[i].Trial, err = strconv.Atoi(f[3]); err == nil {
			inputs[i].Seed, err = strconv.ParseUint(f[4], 10, 64)
		}
		if err != nil {
			return nil, fmt.Errorf("record: line %d: %w", i+2, err)
		}
	}
	return inputs, nil
}
