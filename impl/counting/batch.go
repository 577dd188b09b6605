package counting

import (
	"github.com/sketchproof/sketchproof/impl/internal/batch"
)

// The batches of the scheme Independent hash each key k times, so they are the
// single calls in a loop; those of Derived hash a key once.

// AddBatch is Add for each of the keys. It always adds all of them.
func (f *Filter) AddBatch(keys []uint64) (int, error) {
	if f.scheme == Independent {
		for _, key := range keys {
			_ = f.Add(key)
		}
		return len(keys), nil
	}
	return batch.Add(f, f.hash, keys)
}

// AddBytesBatch is AddBytes for each of the keys. It always adds all of them.
func (f *Filter) AddBytesBatch(keys [][]byte) (int, error) {
	if f.scheme == Independent {
		for _, key := range keys {
			_ = f.AddBytes(key)
		}
		return len(keys), nil
	}
	return batch.AddBytes(f, f.hash, keys)
}

// AddHashBatch is AddHash for each of the hashes. It always adds all of them.
func (f *Filter) AddHashBatch(hashes []uint64) (int, error) {
	for _, hash := range hashes {
		_ = f.AddHash(hash)
	}
	return len(hashes), nil
}

// ContainsBatch sets found[i] to Contains(keys[i]).
func (f *Filter) ContainsBatch(keys []uint64, found []bool) {
	if f.scheme == Independent {
		found = found[:len(keys)]
		for i, key := range keys {
			found[i] = f.Contains(key)
		}
		return
	}
	batch.Contains(f, f.hash, keys, found)
}

// ContainsBytesBatch sets found[i] to ContainsBytes(keys[i]).
func (f *Filter) ContainsBytesBatch(keys [][]byte, found []bool) {
	if f.scheme == Independent {
		found = found[:len(keys)]
		for i, key := range keys {
			found[i] = f.ContainsBytes(key)
		}
		return
	}
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
func (f *Filter) CountBatch(keys []uint64) int {
	if f.scheme == Independent {
		count := 0
		for _, key := range keys {
			if f.Contains(key) {
				count++
			}
		}
		return count
	}
	return batch.Count(f, f.hash, keys)
}

// CountBytesBatch is the number of keys that ContainsBytes finds.
func (f *Filter) CountBytesBatch(keys [][]byte) int {
	if f.scheme == Independent {
		count := 0
		for _, key := range keys {
			if f.ContainsBytes(key) {
				count++
			}
		}
		return count
	}
	return batch.CountBytes(f, f.hash, keys)
}

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
