// Package mutants holds no code but a test: it breaks structures on purpose,
// one line at a time, and demands that the check command sees each of them and
// names a law. A harness that does not see a broken structure proves nothing by
// not complaining.
//
// It builds the command several times, so it runs only when asked, by make
// mutants.
package mutants
