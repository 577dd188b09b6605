package cuckoo

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Add inserts key. It returns sketchproof.ErrFull when MaxKicks kicks found no
// free slot; every slot is then as it was. One key fits 2*Slots times, its two
// buckets full: the next copy is refused whatever the load.
func (f *Filter) Add(key uint64) error { return f.AddHash(f.params.Hash.Uint64(key)) }

// AddBytes is Add for a byte string. The slice is not kept.
func (f *Filter) AddBytes(key []byte) error { return f.AddHash(f.params.Hash.Bytes(key)) }

// AddHash is Add for a caller who holds a good 64-bit hash of the key. It is
// used as it is.
func (f *Filter) AddHash(hash uint64) error {
	i, tag := f.place(hash)
	at, free := f.table.find(i, 0)
	if !free {
		j := f.pair.other(i, tag)
		if at, free = f.table.find(j, 0); !free {
			return f.walk(i, j, tag, hash)
		}
	}
	f.table.put(at, tag)
	f.count++
	return nil
}

// walk makes room by moving tags to their other buckets, from bucket i or j on.
//
// The victims are drawn from a counter-based generator whose seed is the key's
// hash and the number of keys held. So they are random, yet a function of what
// was done to the filter: the same insertions give the same bytes, also when
// they go on after a save and load. And the walk can be taken back without a
// record of it: the slots are drawn again in reverse, the buckets follow from
// the pairing being its own inverse.
func (f *Filter) walk(i, j, tag, hash uint64) error {
	seed := hash + hashing.Mix(uint64(f.count))
	if hashing.Mix(seed)&1 != 0 {
		i = j
	}
	for k := range uint64(f.params.MaxKicks) {
		tag = f.swap(i, tag, seed, k)
		f.kicks++
		i = f.pair.other(i, tag)
		if at, free := f.table.find(i, 0); free {
			f.table.put(at, tag)
			f.count++
			return nil
		}
	}
	for k := uint64(f.params.MaxKicks); k > 0; k-- {
		i = f.pair.other(i, tag)
		tag = f.swap(i, tag, seed, k-1)
	}
	return sketchproof.ErrFull
}

// swap puts tag into the slot of bucket i drawn for step k and returns the tag
// that was there.
func (f *Filter) swap(i, tag, seed, k uint64) uint64 {
	at := f.table.slot(i, hashing.Reduce(hashing.Mix(seed+(k+1)*hashing.Gamma), uint64(f.params.Slots)))
	victim := f.table.get(at)
	f.table.put(at, tag)
	return victim
}
