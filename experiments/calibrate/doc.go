// Package calibrate times every subject on the machine it runs on, over sizes
// from the first cache to memory, so that a choice between them can be made for
// any workload without measuring it first. A calibration is kept in a folder of
// the machine's own, and is used again while processor, system, compiler,
// libraries and this very program are the same.
package calibrate
