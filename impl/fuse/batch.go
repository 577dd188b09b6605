package fuse

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

// ContainsHashBatch sets found[i] to ContainsHash(hashes[i]).
func (f *Filter[F]) ContainsHashBatch(hashes []uint64, found []bool) {
	found = found[:len(hashes)]
	g, t, seed := f.graph, f.table, f.seed
	switch {
	case len(t) == 0:
		clear(found)
	case f.arity == 4:
		for i, hash := range hashes {
			h := peel.Mix(hash, seed)
			p0, p1, p2, p3 := g.four(h)
			found[i] = t[p0]^t[p1]^t[p2]^t[p3] == fingerprint[F](h)
		}
	default:
		for i, hash := range hashes {
			h := peel.Mix(hash, seed)
			p0, p1, p2 := g.three(h)
			found[i] = t[p0]^t[p1]^t[p2] == fingerprint[F](h)
		}
	}
}

// CountHashBatch is the number of hashes that ContainsHash finds.
func (f *Filter[F]) CountHashBatch(hashes []uint64) int {
	g, t, seed := f.graph, f.table, f.seed
	count := 0
	switch {
	case len(t) == 0:
	case f.arity == 4:
		for _, hash := range hashes {
			h := peel.Mix(hash, seed)
			p0, p1, p2, p3 := g.four(h)
			if t[p0]^t[p1]^t[p2]^t[p3] == fingerprint[F](h) {
				count++
			}
		}
	default:
		for _, hash := range hashes {
			h := peel.Mix(hash, seed)
			p0, p1, p2 := g.three(h)
			if t[p0]^t[p1]^t[p2] == fingerprint[F](h) {
				count++
			}
		}
	}
	return count
}
