//go:build !purego

package blocked

const canFetch = true

// fetchBlocks has the blocks of n hashes, at least one, brought into the cache: the
// high word of hash times blocks, shifted to bytes.
//
//go:noescape
func fetchBlocks(words *uint64, blocks uint64, shift int, hashes *uint64, n int)
