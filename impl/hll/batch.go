package hll

import "github.com/sketchproof/sketchproof/impl/internal/batch"

// AddBatch is Add for each of the keys. It always adds all of them.
func (s *Sketch) AddBatch(keys []uint64) (int, error) {
	return batch.Add(s, s.params.Hash, keys)
}

// AddBytesBatch is AddBytes for each of the keys. It always adds all of them.
func (s *Sketch) AddBytesBatch(keys [][]byte) (int, error) {
	return batch.AddBytes(s, s.params.Hash, keys)
}

// AddHashBatch is AddHash for each of the hashes. It always adds all of them.
func (s *Sketch) AddHashBatch(hashes []uint64) (int, error) {
	if s.codes != nil {
		for _, hash := range hashes {
			s.AddHash(hash)
		}
		return len(hashes), nil
	}
	// What AddHash reads anew for each hash stays in machine registers.
	regs, p := s.regs, uint(s.params.Precision)
	scale, up := uint64(1)<<(p&63), -p&63
	if s.params.Registers == Packed6 {
		for _, hash := range hashes {
			if hash*scale <= ceiling[packedAt(regs, hash>>up)] {
				s.take(hash)
			}
		}
		return len(hashes), nil
	}
	for _, hash := range hashes {
		if hash*scale <= ceiling[regs[hash>>up]] {
			s.take(hash)
		}
	}
	return len(hashes), nil
}
