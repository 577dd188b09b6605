package engine

import "github.com/sketchproof/sketchproof/impl/hashing"

// Seed is the seed of a trial: from identity, never from order.
func Seed(root uint64, cell string, trial int) uint64 {
	return hashing.Mix(hashing.XX(root).Bytes([]byte(cell)) + uint64(trial+1)*hashing.Gamma)
}

// shardOf assigns a cell to one of n shards.
func shardOf(cell string, n int) int {
	return int(hashing.Reduce(hashing.XX(0).Bytes([]byte(cell)), uint64(n)))
}
