package cuckoo

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/internal/batch"
)

var (
	_ sketchproof.BatchFilter      = (*Filter)(nil)
	_ sketchproof.BatchAdder       = (*Filter)(nil)
	_ sketchproof.BytesBatchFilter = (*Filter)(nil)
	_ sketchproof.BytesBatchAdder  = (*Filter)(nil)
	_ sketchproof.HashBatchFilter  = (*Filter)(nil)
	_ sketchproof.HashBatchAdder   = (*Filter)(nil)
)

// AddBatch is Add for each of the keys, up to the first that is refused.
func (f *Filter) AddBatch(keys []uint64) (int, error) { return batch.Add(f, f.params.Hash, keys) }

// AddBytesBatch is AddBytes for each of the keys, up to the first that is
// refused.
func (f *Filter) AddBytesBatch(keys [][]byte) (int, error) {
	return batch.AddBytes(f, f.params.Hash, keys)
}

// AddHashBatch is AddHash for each of the hashes, up to the first that is
// refused. (Loading their buckets ahead of them gains nothing.)
func (f *Filter) AddHashBatch(hashes []uint64) (int, error) {
	for i, hash := range hashes {
		if err := f.AddHash(hash); err != nil {
			return i, err
		}
	}
	return len(hashes), nil
}

// ContainsBatch sets found[i] to Contains(keys[i]).
func (f *Filter) ContainsBatch(keys []uint64, found []bool) {
	batch.Contains(f, f.params.Hash, keys, found)
}

// ContainsBytesBatch sets found[i] to ContainsBytes(keys[i]).
func (f *Filter) ContainsBytesBatch(keys [][]byte, found []bool) {
	batch.ContainsBytes(f, f.params.Hash, keys, found)
}

// ContainsHashBatch sets found[i] to ContainsHash(hashes[i]).
func (f *Filter) ContainsHashBatch(hashes []uint64, found []bool) {
	found = found[:len(hashes)]
	t, pair, buckets := &f.table, f.pair, f.params.Buckets
	switch t.form {
	case octets:
		for k, hash := range hashes {
			i, tag := split(hash, buckets, 1<<8-1)
			j := pair.partner(i, mixed[uint8(tag)])
			found[k] = t.octets(i, tag)|t.octets(j, tag) != 0
		}
	case window:
		for k, hash := range hashes {
			i, tag := split(hash, buckets, t.mask)
			j := pair.partner(i, pair.mix(tag))
			found[k] = t.match(i, tag)|t.match(j, tag) != 0
		}
	default:
		for k, hash := range hashes {
			found[k] = f.ContainsHash(hash)
		}
	}
}

// CountBatch is the number of keys that Contains finds.
func (f *Filter) CountBatch(keys []uint64) int { return batch.Count(f, f.params.Hash, keys) }

// CountBytesBatch is the number of keys that ContainsBytes finds.
func (f *Filter) CountBytesBatch(keys [][]byte) int { return batch.CountBytes(f, f.params.Hash, keys) }

// CountHashBatch is the number of hashes that ContainsHash finds.
func (f *Filter) CountHashBatch(hashes []uint64) int {
	count := 0
	t, pair, buckets := &f.table, f.pair, f.params.Buckets
	switch t.form {
	case octets:
		for _, hash := range hashes {
			i, tag := split(hash, buckets, 1<<8-1)
			j := pair.partner(i, mixed[uint8(tag)])
			if t.octets(i, tag)|t.octets(j, tag) != 0 {
				count++
			}
		}
	case window:
		for _, hash := range hashes {
			i, tag := split(hash, buckets, t.mask)
			j := pair.partner(i, pair.mix(tag))
			if t.match(i, tag)|t.match(j, tag) != 0 {
				count++
			}
		}
	default:
		for _, hash := range hashes {
			if f.ContainsHash(hash) {
				count++
			}
		}
	}
	return count
}
