// Command experiment runs the experiments, checks them against the committed
// results, and writes the report. `experiment help` says how.
package main
