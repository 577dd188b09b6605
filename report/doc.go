// Package report writes REPORT.md from rows: what is broken, every claim with
// its verdict, one section for each experiment, timings, the method, and how
// the results may mislead. The same rows give the same bytes; nothing in the
// report is written by hand, and no clock is read.
//
// It draws no figure and reads no file. The command passes in what there is.
package report
