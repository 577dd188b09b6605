//go:build !purego

package splitblock

import "golang.org/x/sys/cpu"

// useAVX2 is a variable for the tests, which compare the two.
var useAVX2 = cpu.X86.HasAVX2

// The functions below want a filter of at least one block and hashes from the n at
// the pointer. In the batches, ahead is how many hashes before its turn a block is
// fetched into the cache, 0 for never.

//go:noescape
func addAVX2(f *Filter, hash uint64)

// containsHash and containsBytes are assembly that goes on to the portable code
// where that is wanted, so that a look-up is one call and no more.
//
//go:noescape
func containsHash(f *Filter, hash uint64) bool

//go:noescape
func containsBytes(f *Filter, key *byte, n int) bool

//go:noescape
func addBatchAVX2(f *Filter, hashes *uint64, n, ahead int)

//go:noescape
func containsBatchAVX2(f *Filter, hashes *uint64, n, ahead int, found *bool)

//go:noescape
func countBatchAVX2(f *Filter, hashes *uint64, n, ahead int) int
