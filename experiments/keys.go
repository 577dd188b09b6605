package experiments

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// keys is an endless stream of distinct random keys: splitmix64 from a state.
// The keys of one trial are all of one stream, so those never added are known
// to be absent.
type keys uint64

// at is key number i, from 0.
func (k keys) at(i int) uint64 { return hashing.Mix(uint64(k) + uint64(i+1)*hashing.Gamma) }

// slice is the keys number from to to-1.
func (k keys) slice(from, to int) []uint64 {
	s := make([]uint64, to-from)
	for i := range s {
		s[i] = k.at(from + i)
	}
	return s
}

// keyBlock is how many keys are made before a batch takes them.
const keyBlock = 512

// blocks hands out the keys number from to to-1 in their order, a block at a time,
// until take fails. What it hands out is overwritten by the next.
func (k keys) blocks(from, to int, take func([]uint64) error) error {
	var room [keyBlock]uint64
	for from < to {
		block := room[:min(to-from, keyBlock)]
		for i := range block {
			block[i] = k.at(from + i)
		}
		if err := take(block); err != nil {
			return err
		}
		from += len(block)
	}
	return nil
}

// addTo adds the keys number from to to-1, in batches where that is possible: it is
// the same structure.
func (k keys) addTo(f sketchproof.Adder, from, to int) error {
	if b, ok := f.(sketchproof.BatchAdder); ok {
		return k.blocks(from, to, func(block []uint64) error {
			_, err := b.AddBatch(block)
			return err
		})
	}
	for i := from; i < to; i++ {
		if err := f.Add(k.at(i)); err != nil {
			return err
		}
	}
	return nil
}

// foundIn counts the keys number from to to-1 that the filter finds, in batches
// where that is possible: it is the same number.
func (k keys) foundIn(f sketchproof.Filter, from, to int) int64 {
	var found int64
	if b, ok := f.(sketchproof.BatchFilter); ok {
		_ = k.blocks(from, to, func(block []uint64) error {
			found += int64(b.CountBatch(block))
			return nil
		})
		return found
	}
	for i := from; i < to; i++ {
		if f.Contains(k.at(i)) {
			found++
		}
	}
	return found
}

// parts splits a trial's seed into independent seeds: one for the keys, one
// for the structure, and so on.
func parts(seed uint64, i int) uint64 { return hashing.Mix(seed ^ hashing.Mix(uint64(i))) }
