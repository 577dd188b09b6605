//go:build !amd64 || purego

package blocked

const canFetch = false

// fetchBlocks is never called.
func fetchBlocks(*uint64, uint64, int, *uint64, int) {}
