package plots

import (
	"errors"
	"fmt"
	"io"

	"github.com/sketchproof/sketchproof/record"
)

// ErrNoRows says that no row is what the figure draws.
var ErrNoRows = errors.New("plots: no row to draw")

// A Kind is the form of a figure.
type Kind int

const (
	// Points: x is a number, what was measured is y.
	Points Kind = iota
	// Dots: x is a category, one line of the page for each value, and what was
	// measured runs along it from left to right.
	Dots
)

// A Figure says which rows to draw and how. The zero value of a field that is
// not explained as required is a sensible default.
type Figure struct {
	Kind Kind
	// Name is the file's name without extension, unlike that of any other
	// figure. Required.
	Name string
	// Experiment is the one whose summary.csv is read. Required.
	Experiment string
	// Title is what a reader should see, in one short line.
	Title string
	// Metric selects the rows. Required.
	Metric string
	// Law selects the rows further: points and verdicts are of its judgements,
	// and a line runs through what it predicts. "" takes the first row of every
	// cell, whatever judges it, if anything does.
	Law string
	// Laws are further laws of the same metric, drawn as broken lines.
	Laws []string
	// X is what was chosen, Y what was measured. X.Key is required.
	X, Y Axis
	// Series are the label keys whose values tell series apart. Cells that
	// differ in no label of Series, Panels and X are drawn one over the other:
	// keep one of them with Where.
	Series []string
	// Panels is the label key with a panel for each value; "" is one panel.
	Panels string
	// PanelTitle has one %s for the value of a panel; "" is "key = value".
	PanelTitle string
	// Where keeps the cells whose label has one of the values, for each key.
	Where map[string][]string
	// Names are what a reader reads in place of the name of a law or the value
	// of a label.
	Names map[string]string
	// Relative draws everything, the further laws too, as a multiple of what Law
	// predicts for the same cell.
	Relative bool
	// Free gives each panel its own axis of Y.
	Free bool
	// Band fills what the law allows.
	Band bool
	// Sorted puts the largest category first, where there are categories.
	Sorted bool
}

// An Axis is one direction of a figure.
type Axis struct {
	// Key is the label key whose value is the position. Only X has one.
	Key string
	// Title names the quantity and its unit.
	Title string
	// Log is a logarithmic axis. What is not positive lies on its edge.
	Log bool
	// Percent prints fractions as percentages.
	Percent bool
	// Zero makes the axis start at 0, if it is not logarithmic.
	Zero bool
	// Min and Max fix the ends; 0 leaves them to the data.
	Min, Max float64
}

// Path is the figure's file below the folder of results, with slashes.
func (f Figure) Path() string { return f.Experiment + "/" + f.Name + ".png" }

// Draw writes the figure as PNG. Rows of other experiments and metrics may be
// among the rows. The error wraps ErrNoRows if nothing is left to draw; other
// errors are a label of X that is no number, and those of w.
func (f Figure) Draw(rows []record.Summary, w io.Writer) error {
	c, err := f.chart(rows)
	if err != nil {
		return fmt.Errorf("plots: figure %s: %w", f.Path(), err)
	}
	return c.write(w)
}

// name is what a reader reads for a name of the data.
func (f Figure) name(s string) string {
	if n, ok := f.Names[s]; ok {
		return n
	}
	return s
}
