package record

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// A Trial is one reading of one trial: a line of trials.csv.
type Trial struct {
	Experiment, Cell, Subject, Module string
	Labels                            Labels
	Metric, Unit                      string
	Trial                             int    // its number within the cell, from 0
	Seed                              uint64 // everything in the trial follows from it
	Num, Den                          int64  // the reading is Num/Den
	Law                               string // "" when the reading is not judged
	AllowedLo, AllowedHi              float64
	Err                               string // the fault that ended the trial, if any
}

// TrialHeader is the header of a trials.csv whose cells have the label keys.
func TrialHeader(keys []string) []string {
	h := []string{"experiment", "cell", "subject", "module"}
	h = append(h, keys...)
	return append(h, "metric", "unit", "trial", "seed", "num", "den", "law", "allowed_lo", "allowed_hi", "err")
}

// Strings is the CSV line, with one column for each of the label keys.
func (t Trial) Strings(keys []string) []string {
	row := []string{t.Experiment, t.Cell, t.Subject, t.Module}
	for _, k := range keys {
		row = append(row, t.Labels.Value(k))
	}
	return append(row, t.Metric, t.Unit, strconv.Itoa(t.Trial), strconv.FormatUint(t.Seed, 10),
		strconv.FormatInt(t.Num, 10), strconv.FormatInt(t.Den, 10), t.Law,
		Float(t.AllowedLo), Float(t.AllowedHi), t.Err)
}

// Float prints a number of a row: ten significant digits, "" for an infinite
// or missing one. Seventeen would differ between processors.
func Float(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 10, 64)
}

// ParseFloat reads what Float wrote; "" is the given infinity.
func ParseFloat(s string, missing float64) (float64, error) {
	if s == "" {
		return missing, nil
	}
	return strconv.ParseFloat(s, 64)
}

// ReadRaw reads a CSV file of rows as text: header first. It checks that every
// line has the header's width.
func ReadRaw(r io.Reader) (header []string, rows [][]string, err error) {
	all, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, nil, err
	}
	if len(all) == 0 {
		return nil, nil, io.ErrUnexpectedEOF
	}
	return all[0], all[1:], nil
}

// WriteRaw writes header and rows as CSV.
func WriteRaw(w io.Writer, header []string, rows [][]string) error {
	c := csv.NewWriter(w)
	if err := c.Write(header); err != nil {
		return err
	}
	return c.WriteAll(rows) // flushes
}

// Column finds a named column of a header.
func Column(header []string, name string) (int, error) {
	i := slices.Index(header, name)
	if i < 0 {
		return 0, fmt.Errorf("record: no column %q among %q", name, header)
	}
	return i, nil
}
