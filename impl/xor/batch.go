package xor

import (
	"github.com/sketchproof/sketchproof/impl/internal/batch"
	"github.com/sketchproof/sketchproof/impl/internal/peel"
)

// ContainsBatch sets found[i] to Contains(keys[i]).
func (f *Filter[F]) ContainsBatch(keys []uint64, found []bool) {
	batch.Contains(f, f.hash, keys, found)
}

// ContainsBytesBatch sets found[i] to ContainsBytes(keys[i]).
func (f *Filter[F]) ContainsBytesBatch(keys [][]byte, found []bool) {
	batch.ContainsBytes(f, f.hash, keys, found)
}

// CountBatch is the number of keys that Contains finds.
func (f *Filter[F]) CountBatch(keys []uint64) int { return batch.Count(f, f.hash, keys) }

// CountBytesBatch is the number of keys that ContainsBytes finds.
func (f *Filter[F]) CountBytesBatch(keys [][]byte) int { return batch.CountBytes(f, f.hash, keys) }

// ContainsHashBatch sets found[i] to ContainsHash(hashes[i]). It has no branch
// that depends on an answer, so the look-ups overlap as far as the machine goes.
func (f *Filter[F]) ContainsHashBatch(hashes []uint64, found []bool) {
	found = found[:len(hashes)]
	b, t, seed := f.blocks, f.table, f.seed
	if len(t) == 0 {
		clear(found)
		return
	}
	for i, hash := range hashes {
		h := peel.Mix(hash, seed)
		p0, p1, p2 := b.three(h)
		found[i] = t[p0]^t[p1]^t[p2] == fingerprint[F](h)
	}
}

// CountHashBatch is the number of hashes that ContainsHash finds.
func (f *Filter[F]) CountHashBatch(hashes []uint64) int {
	b, t, seed := f.blocks, f.table, f.seed
	if len(t) == 0 {
		return 0
	}
	count := 0
	for _, hash := range hashes {
		h := peel.Mix(hash, seed)
		p0, p1, p2 := b.three(h)
		if t[p0]^t[p1]^t[p2] == fingerprint[F](h) {
			count++
		}
	}
	return count
}
