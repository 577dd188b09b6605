package bloom

import (
	"math/bits"

	"github.com/sketchproof/sketchproof/impl/internal/batch"
)

// The batches of the scheme Independent hash each key k times, so they are the
// single calls in a loop; those of the others hash a key once. Containment of
// the schemes that probe by a chain of multiplications goes through sieve.

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
	if f.scheme == Derived || f.scheme == Independent {
		words, m, k := f.words, f.m, f.k
		for _, hash := range hashes {
			for range k {
				hash *= multiplier
				p, _ := bits.Mul64(hash, m)
				words[p>>6] |= 1 << (p & 63)
			}
		}
		return len(hashes), nil
	}
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
	if !f.chained() {
		for i, hash := range hashes {
			found[i] = f.ContainsHash(hash)
		}
		return
	}
	var left survivors
	for len(hashes) > 0 {
		n := min(len(hashes), len(left.at))
		answers := found[:n]
		clear(answers)
		for _, i := range left.at[:f.sieve(hashes[:n], &left)] {
			answers[i] = true
		}
		hashes, found = hashes[n:], found[n:]
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
	if !f.chained() {
		for _, hash := range hashes {
			if f.ContainsHash(hash) {
				count++
			}
		}
		return count
	}
	var left survivors
	for len(hashes) > 0 {
		n := min(len(hashes), len(left.at))
		count += f.sieve(hashes[:n], &left)
		hashes = hashes[n:]
	}
	return count
}

// chained reports whether a hash is probed by the chain of multiplications.
func (f *Filter) chained() bool { return f.scheme <= Independent || f.scheme == Partitioned }

// survivors are the hashes of a block whose bits were all set so far.
type survivors struct {
	at   [64]uint8  // their places in the block
	hash [64]uint64 // as far as the chain has come
}

// sieve returns how many of the hashes, at most a block, are found, and leaves
// their places in left.at. It looks at three bits of every hash, then at three
// more of those that are left, and so on. Nothing branches on what a bit was:
// survivors are written always and counted when they are. So no branch is
// mispredicted, and the memory accesses of many keys overlap. Measured at k = 7
// against single calls (BenchmarkBatch): absent keys 1.3 times as fast at 10^6
// keys and 1.4 to 2.4 times at 10^7, present keys 0.8 times and up to 1.4 times.
func (f *Filter) sieve(hashes []uint64, left *survivors) int {
	const each = uint64(len(left.at))
	words, reach := f.words, f.reach
	var step uint64 // from one probe's slice to the next
	if f.scheme == Partitioned {
		step = reach
	}
	n := copy(left.hash[:], hashes)
	for i := range n {
		left.at[i] = uint8(i)
	}
	var slice uint64
	k := f.k
	for ; k >= 3 && n > 0; k -= 3 {
		kept := uint64(0)
		for i, hash := range left.hash[:n] {
			h1 := hash * multiplier
			h2 := h1 * multiplier
			h3 := h2 * multiplier
			p1, _ := bits.Mul64(h1, reach)
			p2, _ := bits.Mul64(h2, reach)
			p3, _ := bits.Mul64(h3, reach)
			p1 += slice
			p2 += slice + step
			p3 += slice + 2*step
			left.hash[kept%each], left.at[kept%each] = h3, left.at[i]
			kept += words[p1>>6] >> (p1 & 63) & (words[p2>>6] >> (p2 & 63)) & (words[p3>>6] >> (p3 & 63)) & 1
		}
		slice += 3 * step
		n = int(kept)
	}
	for ; k > 0 && n > 0; k-- {
		kept := uint64(0)
		for i, hash := range left.hash[:n] {
			h := hash * multiplier
			p, _ := bits.Mul64(h, reach)
			p += slice
			left.hash[kept%each], left.at[kept%each] = h, left.at[i]
			kept += words[p>>6] >> (p & 63) & 1
		}
		slice += step
		n = int(kept)
	}
	return n
}
