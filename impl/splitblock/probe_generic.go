//go:build !amd64 || purego

package splitblock

const useAVX2 = false

func containsHash(f *Filter, hash uint64) bool { return containsHashPortable(f, hash) }

func containsBytes(f *Filter, key *byte, n int) bool { return containsBytesPortable(f, key, n) }

// What follows is never called.

func addAVX2(*Filter, uint64) {}

func addBatchAVX2(*Filter, *uint64, int, int) {}

func containsBatchAVX2(*Filter, *uint64, int, int, *bool) {}

func countBatchAVX2(*Filter, *uint64, int, int) int { return 0 }
