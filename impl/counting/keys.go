package counting

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A hashKey applies a hash function to one key.
type hashKey func(hashing.Hasher) uint64

func number(key uint64) hashKey {
	return func(h hashing.Hasher) uint64 { return h.Uint64(key) }
}

func text(key []byte) hashKey {
	return func(h hashing.Hasher) uint64 { return h.Bytes(key) }
}

// ready is a key whose hash the caller holds. Independent positions need k
// functions, so the hash is then a numeric key.
func (f *Filter) ready(hash uint64) hashKey {
	if f.scheme == Independent {
		return number(hash)
	}
	return func(hashing.Hasher) uint64 { return hash }
}

// Add adds a numeric key. The error is always nil: a filter is never full.
func (f *Filter) Add(key uint64) error { f.add(number(key)); return nil }

// AddBytes adds a byte string, which it does not keep. Ask with ContainsBytes
// for what AddBytes added: a number and a byte string are the same key only if
// the hash function says so (see hashing.Hasher.Uint64). The error is always nil.
func (f *Filter) AddBytes(key []byte) error { f.add(text(key)); return nil }

// AddHash adds the key behind a well-mixed 64-bit hash, which takes the place
// of the filter's own. Under Independent, AddHash(h) is Add(h). The error is
// always nil.
func (f *Filter) AddHash(hash uint64) error { f.add(f.ready(hash)); return nil }

// Contains reports whether a numeric key may be present; false is certain as
// long as only present keys were removed.
func (f *Filter) Contains(key uint64) bool { return f.contains(number(key)) }

// ContainsBytes is Contains for a byte string.
func (f *Filter) ContainsBytes(key []byte) bool { return f.contains(text(key)) }

// ContainsHash is Contains for a key that was added by AddHash.
func (f *Filter) ContainsHash(hash uint64) bool { return f.contains(f.ready(hash)) }

// Remove takes back one Add of a numeric key. It returns
// sketchproof.ErrNotFound, and changes nothing, when the key is certainly
// absent. An absent key that looks present is removed, at the expense of others.
func (f *Filter) Remove(key uint64) error { return f.remove(number(key)) }

// RemoveBytes is Remove for a byte string.
func (f *Filter) RemoveBytes(key []byte) error { return f.remove(text(key)) }

// RemoveHash is Remove for a key that was added by AddHash.
func (f *Filter) RemoveHash(hash uint64) error { return f.remove(f.ready(hash)) }

// RemoveUnguarded lowers the cells of a numeric key without looking whether it
// is present. For a key that was never added it damages the filter: other keys
// may be missed afterwards. Cells that are 0 stay 0. Use Remove, unless this
// damage is what you measure.
func (f *Filter) RemoveUnguarded(key uint64) { f.lower(number(key)) }

// RemoveUnguardedBytes is RemoveUnguarded for a byte string.
func (f *Filter) RemoveUnguardedBytes(key []byte) { f.lower(text(key)) }

func (f *Filter) add(key hashKey) {
	hash := f.baseHash(key)
	top := f.cells.top()
	for i := range f.k {
		p := f.position(i, hash, key)
		if c := f.cells.at(p); c < top {
			f.cells.set(p, c+1)
		} else {
			f.lose(1)
		}
	}
}

func (f *Filter) contains(key hashKey) bool {
	hash := f.baseHash(key)
	for i := range f.k {
		if f.cells.at(f.position(i, hash, key)) == 0 {
			return false
		}
	}
	return true
}

func (f *Filter) remove(key hashKey) error {
	if !f.contains(key) {
		return sketchproof.ErrNotFound
	}
	f.lower(key)
	return nil
}

// lower leaves cells at their maximum alone: they no longer know their count.
func (f *Filter) lower(key hashKey) {
	hash := f.baseHash(key)
	top := f.cells.top()
	for i := range f.k {
		p := f.position(i, hash, key)
		if c := f.cells.at(p); c > 0 && c < top {
			f.cells.set(p, c-1)
		}
	}
}

// baseHash is the one hash of a derived scheme; the other scheme needs none.
func (f *Filter) baseHash(key hashKey) uint64 {
	if f.scheme == Independent {
		return 0
	}
	return key(f.hash)
}

func (f *Filter) position(i, hash uint64, key hashKey) uint64 {
	if f.scheme == Independent {
		return key(f.hash.At(i)) % f.cells.m
	}
	return hashing.Reduce(hashing.Mix(hash+(i+1)*hashing.Gamma), f.cells.m)
}
