package sketchproof

// A BatchFilter answers for many keys at once, which lets it overlap what single
// look-ups wait for. The answers are those of Contains.
type BatchFilter interface {
	// ContainsBatch sets found[i] to the answer for keys[i]. It panics when found
	// is shorter than keys, and leaves what is beyond them as it was.
	ContainsBatch(keys []uint64, found []bool)
	// CountBatch is the number of keys that ContainsBatch would find.
	CountBatch(keys []uint64) int
}

// A BatchAdder adds many keys at once, in their order. AddBatch returns how many
// were added: all, or those before the first that was refused with the error.
// The structure is then what as many calls of Add make it.
type BatchAdder interface {
	AddBatch(keys []uint64) (added int, err error)
}

// A HashBatchFilter is a BatchFilter for hashes.
type HashBatchFilter interface {
	ContainsHashBatch(hashes []uint64, found []bool)
	CountHashBatch(hashes []uint64) int
}

// A HashBatchAdder is a BatchAdder of hashes.
type HashBatchAdder interface {
	AddHashBatch(hashes []uint64) (added int, err error)
}

// A BytesBatchFilter is a BatchFilter for byte strings.
type BytesBatchFilter interface {
	ContainsBytesBatch(keys [][]byte, found []bool)
	CountBytesBatch(keys [][]byte) int
}

// A BytesBatchAdder is a BatchAdder of byte strings.
type BytesBatchAdder interface {
	AddBytesBatch(keys [][]byte) (added int, err error)
}
