// Package sketchproof is the contract between probabilistic data structures
// and the harness that puts their promises on trial.
//
// A structure is a small interface (Filter, Cardinality, Frequency); what else
// it can do (delete, merge, take bytes) is found by type assertion. A Subject
// is a named way to build one, and a Law is a promise about it: a formula with
// its source, and the band around the formula's prediction that still counts
// as keeping the promise.
//
// The structures written for this project live under impl, the third-party
// libraries behind adapters; the harness that builds, probes and judges them
// is the experiment command.
package sketchproof
