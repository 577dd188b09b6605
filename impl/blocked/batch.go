package blocked

import "github.com/sketchproof/sketchproof/impl/internal/batch"

// A look-up waits for one cache line and branches on nothing, so the processor has
// many under way at once without being told: the batches are loops.

// AddBatch is Add for each of the keys. It always adds all of them.
func (f *Filter) AddBatch(keys []uint64) (int, error) { return batch.Add(f, f.hash, keys) }

// AddBytesBatch is AddBytes for each of the keys. It always adds all of them.
func (f *Filter) AddBytesBatch(keys [][]byte) (int, error) { return batch.AddBytes(f, f.hash, keys) }

// AddHashBatch is AddHash for each of the hashes. It always adds all of them.
func (f *Filter) AddHashBatch(hashes []uint64) (int, error) {
	for _, hash := range hashes {
		_ = f.AddHash(hash)
	}
	return len(hashes), nil
}

// ContainsBatch sets found[i] to Contains(keys[i]).
func (f *Filter) ContainsBatch(keys []uint64, found []bool) { batch.Contains(f, f.hash, keys, found) }

// ContainsBytesBatch sets found[i] to ContainsBytes(keys[i]).
func (f *Filter) ContainsBytesBatch(keys [][]byte, found []bool) {
	batch.ContainsBytes(f, f.hash, keys, found)
}

// ContainsHashBatch sets found[i] to ContainsHash(hashes[i]).
func (f *Filter) ContainsHashBatch(hashes []uint64, found []bool) {
	found = found[:len(hashes)]
	switch f.kind {
	case Word:
		for i, hash := range hashes {
			found[i] = f.foundWord(hash) == 1
		}
	case Sectors:
		for i, hash := range hashes {
			found[i] = f.foundSectors(hash) == 1
		}
	default:
		for i, hash := range hashes {
			found[i] = f.foundLine(hash) == 1
		}
	}
}

// CountBatch is the number of keys that Contains finds.
func (f *Filter) CountBatch(keys []uint64) int { return batch.Count(f, f.hash, keys) }

// CountBytesBatch is the number of keys that ContainsBytes finds.
func (f *Filter) CountBytesBatch(keys [][]byte) int { return batch.CountBytes(f, f.hash, keys) }

// CountHashBatch is the number of hashes that ContainsHash finds.
func (f *Filter) CountHashBatch(hashes []uint64) int {
	var count uint64
	switch f.kind {
	case Word:
		for _, hash := range hashes {
			count += f.foundWord(hash)
		}
	case Sectors:
		for _, hash := range hashes {
			count += f.foundSectors(hash)
		}
	default:
		for _, hash := range hashes {
			count += f.foundLine(hash)
		}
	}
	return int(count)
}
