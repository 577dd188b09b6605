package ull

import "github.com/sketchproof/sketchproof/impl/internal/batch"

// AddHashBatch is as many calls of AddHash. It returns their number and nil.
func (s *Sketch) AddHashBatch(hashes []uint64) (int, error) {
	for _, h := range hashes {
		s.AddHash(h)
	}
	return len(hashes), nil
}

// AddBatch is as many calls of Add. It returns their number and nil.
func (s *Sketch) AddBatch(keys []uint64) (int, error) { return batch.Add(s, s.params.Hash, keys) }

// AddBytesBatch is as many calls of AddBytes. It returns their number and nil.
func (s *Sketch) AddBytesBatch(keys [][]byte) (int, error) {
	return batch.AddBytes(s, s.params.Hash, keys)
}

// AddBatch is as many calls of Add. It returns their number and nil.
func (c *Martingale) AddBatch(keys []uint64) (int, error) {
	return batch.Add(c, c.sketch.params.Hash, keys)
}

// AddBytesBatch is as many calls of AddBytes. It returns their number and nil.
func (c *Martingale) AddBytesBatch(keys [][]byte) (int, error) {
	return batch.AddBytes(c, c.sketch.params.Hash, keys)
}
