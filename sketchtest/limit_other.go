//go:build !linux

package sketchtest

// limitMemory limits nothing here: see its Linux twin.
func limitMemory(uint64) (lift func()) { return func() {} }
