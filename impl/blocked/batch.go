package blocked

import "github.com/sketchproof/sketchproof/impl/internal/batch"

const (
	// fetchFrom is the size of a filter from which the batches have blocks fetched
	// before they look at them: what the second cache of common machines holds.
	fetchFrom = 1 << 20
	// fetchLength is how many at a time: enough to overlap, few enough to stay in the
	// first cache until their turn.
	fetchLength = 64
)

// ready returns how many of the hashes, which are some, may have their turn, and
// has their blocks fetched if the filter is large: drawing a key's bits takes so
// many instructions that the processor by itself has no more than a few look-ups under
// way (at 10^7 keys, fetching makes batches three times as fast).
func (f *Filter) ready(hashes []uint64) int {
	if !canFetch || f.SizeBytes() < fetchFrom {
		return len(hashes)
	}
	shift := 3
	if f.kind != Word {
		shift = 6
	}
	n := min(len(hashes), fetchLength)
	fetchBlocks(&f.words[0], f.blocks, shift, &hashes[0], n)
	return n
}

// AddBatch is Add for each of the keys. It always adds all of them.
func (f *Filter) AddBatch(keys []uint64) (int, error) { return batch.Add(f, f.hash, keys) }

// AddBytesBatch is AddBytes for each of the keys. It always adds all of them.
func (f *Filter) AddBytesBatch(keys [][]byte) (int, error) { return batch.AddBytes(f, f.hash, keys) }

// AddHashBatch is AddHash for each of the hashes. It always adds all of them.
func (f *Filter) AddHashBatch(hashes []uint64) (int, error) {
	for rest := hashes; len(rest) > 0; {
		n := f.ready(rest)
		for _, hash := range rest[:n] {
			_ = f.AddHash(hash)
		}
		rest = rest[n:]
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
	for len(hashes) > 0 {
		n := f.ready(hashes)
		switch some := found[:n]; f.kind {
		case Word:
			for i, hash := range hashes[:n] {
				some[i] = f.foundWord(hash) == 1
			}
		case Sectors:
			for i, hash := range hashes[:n] {
				some[i] = f.foundSectors(hash) == 1
			}
		default:
			for i, hash := range hashes[:n] {
				some[i] = f.foundLine(hash) == 1
			}
		}
		hashes, found = hashes[n:], found[n:]
	}
}

// CountBatch is the number of keys that Contains finds.
func (f *Filter) CountBatch(keys []uint64) int { return batch.Count(f, f.hash, keys) }

// CountBytesBatch is the number of keys that ContainsBytes finds.
func (f *Filter) CountBytesBatch(keys [][]byte) int { return batch.CountBytes(f, f.hash, keys) }

// CountHashBatch is the number of hashes that ContainsHash finds.
func (f *Filter) CountHashBatch(hashes []uint64) int {
	var count uint64
	for len(hashes) > 0 {
		n := f.ready(hashes)
		switch f.kind {
		case Word:
			for _, hash := range hashes[:n] {
				count += f.foundWord(hash)
			}
		case Sectors:
			for _, hash := range hashes[:n] {
				count += f.foundSectors(hash)
			}
		default:
			for _, hash := range hashes[:n] {
				count += f.foundLine(hash)
			}
		}
		hashes = hashes[n:]
	}
	return int(count)
}
