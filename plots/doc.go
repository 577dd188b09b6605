// Package plots draws the figures. A figure is data: which rows of which
// experiment, what is x, what makes a series, what makes a panel. The package
// reads rows of summary.csv alone; it runs nothing and knows no structure.
//
// A figure tells no lies: measured points carry their intervals, laws are lines
// through what they predict, verdicts are marked, nothing is smoothed, and what
// could not be drawn is counted in the caption. The same rows give the same
// bytes on the same kind of processor.
//
// To add a figure, declare it in the file of its question and name it in All.
package plots
