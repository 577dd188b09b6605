// Package speed measures time per operation and memory per key of every
// subject. Timings are no accuracy rows: they lie in a folder of their own, with
// the machine they were taken on, and are to be read as ratios within one run.
package speed
