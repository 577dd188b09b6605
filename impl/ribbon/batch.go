package ribbon

import "github.com/sketchproof/sketchproof/impl/internal/batch"

// A look-up branches once for every four columns and waits for two neighbouring
// lines, so the processor overlaps the look-ups of a loop by itself.

// ContainsBatch sets found[i] to Contains(keys[i]).
func (f *Filter) ContainsBatch(keys []uint64, found []bool) {
	batch.Contains(f, f.hash, keys, found)
}

// ContainsBytesBatch sets found[i] to ContainsBytes(keys[i]).
func (f *Filter) ContainsBytesBatch(keys [][]byte, found []bool) {
	batch.ContainsBytes(f, f.hash, keys, found)
}

// ContainsHashBatch sets found[i] to ContainsHash(hashes[i]).
func (f *Filter) ContainsHashBatch(hashes []uint64, found []bool) {
	found = found[:len(hashes)]
	for i, hash := range hashes {
		found[i] = f.ContainsHash(hash)
	}
}

// CountBatch is the number of keys that Contains finds.
func (f *Filter) CountBatch(keys []uint64) int { return batch.Count(f, f.hash, keys) }

// CountBytesBatch is the number of keys that ContainsBytes finds.
func (f *Filter) CountBytesBatch(keys [][]byte) int { return batch.CountBytes(f, f.hash, keys) }

// CountHashBatch is the number of hashes that ContainsHash finds.
func (f *Filter) CountHashBatch(hashes []uint64) int {
	count := 0
	for _, hash := range hashes {
		if f.ContainsHash(hash) {
			count++
		}
	}
	return count
}

// ContainsBatch sets found[i] to Contains(keys[i]).
func (f *Bumped) ContainsBatch(keys []uint64, found []bool) {
	batch.Contains(f, f.last.hash, keys, found)
}

// ContainsBytesBatch sets found[i] to ContainsBytes(keys[i]).
func (f *Bumped) ContainsBytesBatch(keys [][]byte, found []bool) {
	batch.ContainsBytes(f, f.last.hash, keys, found)
}

// ContainsHashBatch sets found[i] to ContainsHash(hashes[i]).
func (f *Bumped) ContainsHashBatch(hashes []uint64, found []bool) {
	found = found[:len(hashes)]
	for i, hash := range hashes {
		found[i] = f.ContainsHash(hash)
	}
}

// CountBatch is the number of keys that Contains finds.
func (f *Bumped) CountBatch(keys []uint64) int { return batch.Count(f, f.last.hash, keys) }

// CountBytesBatch is the number of keys that ContainsBytes finds.
func (f *Bumped) CountBytesBatch(keys [][]byte) int { return batch.CountBytes(f, f.last.hash, keys) }

// CountHashBatch is the number of hashes that ContainsHash finds.
func (f *Bumped) CountHashBatch(hashes []uint64) int {
	count := 0
	for _, hash := range hashes {
		if f.ContainsHash(hash) {
			count++
		}
	}
	return count
}
