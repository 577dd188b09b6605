package splitblock

import "github.com/sketchproof/sketchproof/impl/internal/batch"

const (
	// fetchFrom is the size of a filter from which the batches fetch blocks ahead
	// of time: what the second cache of common machines holds. Below it fetching
	// costs a tenth and gains nothing.
	fetchFrom = 1 << 20
	// fetchAhead is how many hashes ahead. At 10^7 keys 32 takes three quarters of the
	// time of 16, and that four fifths of the time of 8.
	fetchAhead = 32
)

func (f *Filter) ahead() int {
	if f.SizeBytes() < fetchFrom {
		return 0
	}
	return fetchAhead
}

// AddBatch is Add for each of the keys. It always adds all of them.
func (f *Filter) AddBatch(keys []uint64) (int, error) { return batch.Add(f, f.hash, keys) }

// AddBytesBatch is AddBytes for each of the keys. It always adds all of them.
func (f *Filter) AddBytesBatch(keys [][]byte) (int, error) { return batch.AddBytes(f, f.hash, keys) }

// AddHashBatch is AddHash for each of the hashes. It always adds all of them.
func (f *Filter) AddHashBatch(hashes []uint64) (int, error) {
	if useAVX2 && len(hashes) > 0 {
		addBatchAVX2(f, &hashes[0], len(hashes), f.ahead())
		return len(hashes), nil
	}
	for _, hash := range hashes {
		f.addPortable(hash)
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
	if useAVX2 && len(hashes) > 0 {
		containsBatchAVX2(f, &hashes[0], len(hashes), f.ahead(), &found[0])
		return
	}
	for i, hash := range hashes {
		found[i] = f.containsPortable(hash)
	}
}

// CountBatch is the number of keys that Contains finds.
func (f *Filter) CountBatch(keys []uint64) int { return batch.Count(f, f.hash, keys) }

// CountBytesBatch is the number of keys that ContainsBytes finds.
func (f *Filter) CountBytesBatch(keys [][]byte) int { return batch.CountBytes(f, f.hash, keys) }

// CountHashBatch is the number of hashes that ContainsHash finds.
func (f *Filter) CountHashBatch(hashes []uint64) int {
	if useAVX2 && len(hashes) > 0 {
		return countBatchAVX2(f, &hashes[0], len(hashes), f.ahead())
	}
	count := 0
	for _, hash := range hashes {
		if f.containsPortable(hash) {
			count++
		}
	}
	return count
}
