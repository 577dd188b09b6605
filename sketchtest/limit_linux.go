package sketchtest

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// limitMemory lets the process map only so many bytes more, until the returned
// function is called. Who asks for more ends the process with a fatal error at
// once, and always at the same size: what a machine would grant differs.
func limitMemory(more uint64) (lift func()) {
	nothing := func() {}
	var old syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &old) != nil {
		return nothing
	}
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return nothing
	}
	pages, err := strconv.ParseUint(string(bytes.Fields(statm)[0]), 10, 64)
	if err != nil {
		return nothing
	}
	limit := old
	limit.Cur = min(old.Max, pages*uint64(os.Getpagesize())+more)
	if syscall.Setrlimit(syscall.RLIMIT_AS, &limit) != nil {
		return nothing
	}
	return func() { _ = syscall.Setrlimit(syscall.RLIMIT_AS, &old) }
}
