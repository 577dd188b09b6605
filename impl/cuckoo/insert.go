package cuckoo

import (
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Add inserts key. It returns sketchproof.ErrFull when MaxKicks kicks found no
// free slot; every slot is then as it was. One key fits 2*Slots times, its two
// buckets full (Slots times where both are one: see AlternateBucket): the next copy
// is refused whatever the load.
func (f *Filter) Add(key uint64) error { return f.AddHash(f.params.Hash.Uint64(key)) }

// AddBytes is Add for a byte string. The slice is not kept.
func (f *Filter) AddBytes(key []byte) error { return f.AddHash(f.params.Hash.Bytes(key)) }

// AddHash is Add for a caller who holds a good 64-bit hash of the key. It is
// used as it is.
func (f *Filter) AddHash(hash uint64) error {
	i, tag := f.place(hash)
	j := f.pair.partner(i, f.pair.mix(tag))
	switch f.table.form {
	case octets:
		base, free := 4*i, f.table.octets(i, 0)
		if free == 0 {
			base, free = 4*j, f.table.octets(j, 0)
		}
		if free == 0 {
			return f.walkOctets(i, j, tag, hash)
		}
		f.table.bytes[base+uint64(bits.TrailingZeros32(free)/8)] = byte(tag)
	case window:
		base, free := i*f.table.width, f.table.match(i, 0)
		if free == 0 {
			base, free = j*f.table.width, f.table.match(j, 0)
		}
		if free == 0 {
			return f.walk(i, j, tag, hash)
		}
		f.table.put(base+uint64(bits.TrailingZeros64(free))-uint64(f.table.f-1), tag)
	case sorted:
		if !f.table.takeSorted(i, tag) && !f.table.takeSorted(j, tag) {
			return f.walkSorted(i, j, tag, hash)
		}
	default:
		at, free := f.table.find(i, 0)
		if !free {
			at, free = f.table.find(j, 0)
		}
		if !free {
			return f.walk(i, j, tag, hash)
		}
		f.table.put(at, tag)
	}
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
	i, seed := f.start(i, j, hash)
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
	f.back(i, tag, seed)
	return sketchproof.ErrFull
}

// back takes a walk back that ended with tag homeless beside bucket i.
func (f *Filter) back(i, tag, seed uint64) {
	for k := uint64(f.params.MaxKicks); k > 0; k-- {
		i = f.pair.other(i, tag)
		tag = f.swap(i, tag, seed, k-1)
	}
}

// start is the bucket that a walk starts from, and the seed of its draws.
func (f *Filter) start(i, j, hash uint64) (bucket, seed uint64) {
	seed = hash + hashing.Mix(uint64(f.count))
	if hashing.Mix(seed)&1 != 0 {
		i = j
	}
	return i, seed
}

// draw is the slot that step k of a walk takes its victim from.
func (f *Filter) draw(seed, k uint64) uint64 {
	return hashing.Reduce(hashing.Mix(seed+(k+1)*hashing.Gamma), uint64(f.params.Slots))
}

// swap puts tag into the slot of bucket i drawn for step k and returns the tag
// that was there.
func (f *Filter) swap(i, tag, seed, k uint64) uint64 {
	at := f.table.slot(i, f.draw(seed, k))
	victim := f.table.get(at)
	f.table.put(at, tag)
	return victim
}

// walkSorted is walk through semi-sorted buckets. There a tag does not stay in
// the slot it was put into, so the tags moved are written down.
func (f *Filter) walkSorted(i, j, tag, hash uint64) error {
	i, seed := f.start(i, j, hash)
	f.path = f.path[:0]
	for k := range uint64(f.params.MaxKicks) {
		f.path = append(f.path, uint32(tag))
		v := f.table.unsort(i)
		s := f.draw(seed, k) % sortedSlots
		tag, v[s] = v[s], tag
		f.table.sort(i, v)
		f.kicks++
		i = f.pair.other(i, tag)
		if f.table.takeSorted(i, tag) {
			f.count++
			return nil
		}
	}
	for _, placed := range slices.Backward(f.path) {
		i = f.pair.other(i, tag)
		f.table.exchange(i, uint64(placed), tag)
		tag = uint64(placed)
	}
	return sketchproof.ErrFull
}

// walkOctets is walk in a table of form octets.
func (f *Filter) walkOctets(i, j, tag, hash uint64) error {
	i, seed := f.start(i, j, hash)
	table := f.table.bytes
	for k := range uint64(f.params.MaxKicks) {
		at := 4*i + f.draw(seed, k)
		victim := table[at]
		table[at] = byte(tag)
		tag = uint64(victim)
		f.kicks++
		i = f.pair.partner(i, mixed[victim])
		if free := f.table.octets(i, 0); free != 0 {
			table[4*i+uint64(bits.TrailingZeros32(free)/8)] = victim
			f.count++
			return nil
		}
	}
	f.back(i, tag, seed)
	return sketchproof.ErrFull
}
