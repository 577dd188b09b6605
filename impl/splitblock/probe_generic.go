//go:build !amd64 || purego

package splitblock

const useAVX2 = false

// What follows is never called.

func addAVX2(*Filter, uint64) {}

func containsAVX2(*Filter, uint64) bool { return false }

func addBatchAVX2(*Filter, *uint64, int, int) {}

func containsBatchAVX2(*Filter, *uint64, int, int, *bool) {}

func countBatchAVX2(*Filter, *uint64, int, int) int { return 0 }
