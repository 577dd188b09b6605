// Package check compares the results of a run with those of an earlier one.
//
// A judgement is a line of summary.csv: a cell, a metric and the law that
// speaks about it. Where seed, versions, Go and processor are the same, its
// figures must be the same to the last printed digit. Else only its verdict and
// its interval are compared. A law that was broken before is known: it is listed
// and fails nothing, because a library's fault must not keep everyone's build
// red.
//
// The package reads rows and writes text. It runs nothing.
package check
