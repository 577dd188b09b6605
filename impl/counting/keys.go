package counting

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/internal/probe"
)

// Add adds a numeric key. The error is always nil: a filter is never full.
func (f *Filter) Add(key uint64) error {
	if f.scheme == Independent {
		f.raiseAll(f.cellsOf(key))
		return nil
	}
	return f.AddHash(f.hash.Uint64(key))
}

// AddBytes adds a byte string, which it does not keep. Ask with ContainsBytes
// for what AddBytes added: a number and a byte string are the same key only if
// the hash function says so (see hashing.Hasher.Uint64). The error is always nil.
func (f *Filter) AddBytes(key []byte) error {
	if f.scheme == Independent {
		f.raiseAll(f.cellsOfBytes(key))
		return nil
	}
	return f.AddHash(f.hash.Bytes(key))
}

// AddHash adds the key behind a well-mixed 64-bit hash, which takes the place
// of the filter's own. Under Independent, which needs k functions of the key,
// AddHash(h) is Add(h). The error is always nil.
func (f *Filter) AddHash(hash uint64) error {
	if f.scheme == Independent {
		return f.Add(hash)
	}
	var at uint64
	for range f.k {
		if hash, at = probe.Next(hash, f.cells.m); !f.cells.raise(at) {
			f.lose(1)
		}
	}
	return nil
}

// Contains reports whether a numeric key may be present; false is certain as
// long as only present keys were removed.
func (f *Filter) Contains(key uint64) bool {
	if f.scheme == Independent {
		return f.allTaken(f.cellsOf(key))
	}
	return f.taken(f.hash.Uint64(key))
}

// ContainsBytes is Contains for a byte string.
func (f *Filter) ContainsBytes(key []byte) bool {
	if f.scheme == Independent {
		return f.allTaken(f.cellsOfBytes(key))
	}
	return f.taken(f.hash.Bytes(key))
}

// ContainsHash is Contains for a key that was added by AddHash.
func (f *Filter) ContainsHash(hash uint64) bool {
	if f.scheme == Independent {
		return f.Contains(hash)
	}
	return f.taken(hash)
}

// Remove takes back one Add of a numeric key. It returns
// sketchproof.ErrNotFound, and changes nothing, when the key is certainly
// absent. An absent key that looks present is removed, at the expense of others.
func (f *Filter) Remove(key uint64) error {
	if f.scheme == Independent {
		return f.lowerTaken(f.cellsOf(key))
	}
	return f.RemoveHash(f.hash.Uint64(key))
}

// RemoveBytes is Remove for a byte string.
func (f *Filter) RemoveBytes(key []byte) error {
	if f.scheme == Independent {
		return f.lowerTaken(f.cellsOfBytes(key))
	}
	return f.RemoveHash(f.hash.Bytes(key))
}

// RemoveHash is Remove for a key that was added by AddHash.
func (f *Filter) RemoveHash(hash uint64) error {
	switch {
	case f.scheme == Independent:
		return f.Remove(hash)
	case !f.taken(hash):
		return sketchproof.ErrNotFound
	}
	f.lower(hash)
	return nil
}

// RemoveUnguarded lowers the cells of a numeric key without looking whether it
// is present. For a key that was never added it damages the filter: other keys
// may be missed afterwards. Cells that are 0 stay 0. Use Remove, unless this
// damage is what you measure.
func (f *Filter) RemoveUnguarded(key uint64) {
	if f.scheme == Independent {
		f.lowerAll(f.cellsOf(key))
		return
	}
	f.lower(f.hash.Uint64(key))
}

// RemoveUnguardedBytes is RemoveUnguarded for a byte string.
func (f *Filter) RemoveUnguardedBytes(key []byte) {
	if f.scheme == Independent {
		f.lowerAll(f.cellsOfBytes(key))
		return
	}
	f.lower(f.hash.Bytes(key))
}

// taken reports whether no cell of a hash is 0, under the scheme Derived. Cells
// of 4 bits have a loop of their own, which looks at three before it branches:
// see impl/bloom for why. Measured at 10^6 keys and 1 %: 17 ns in place of 33
// for absent keys.
func (f *Filter) taken(hash uint64) bool {
	if f.cells.width == 4 {
		return f.taken4(hash)
	}
	var at uint64
	for range f.k {
		if hash, at = probe.Next(hash, f.cells.m); f.cells.at(at) == 0 {
			return false
		}
	}
	return true
}

func (f *Filter) taken4(hash uint64) bool {
	words, m := f.cells.words, f.cells.m
	k := f.k
	for ; k >= 3; k -= 3 {
		h, p1 := probe.Next(hash, m)
		h, p2 := probe.Next(h, m)
		h, p3 := probe.Next(h, m)
		hash = h
		c1 := words[p1/16] >> (p1 % 16 * 4) & 15
		c2 := words[p2/16] >> (p2 % 16 * 4) & 15
		c3 := words[p3/16] >> (p3 % 16 * 4) & 15
		if ((c1-1)|(c2-1)|(c3-1))>>63 != 0 { // 0 - 1 is negative
			return false
		}
	}
	for ; k > 0; k-- {
		var at uint64
		hash, at = probe.Next(hash, m)
		if words[at/16]>>(at%16*4)&15 == 0 {
			return false
		}
	}
	return true
}

func (f *Filter) lower(hash uint64) {
	var at uint64
	for range f.k {
		hash, at = probe.Next(hash, f.cells.m)
		f.cells.lower(at)
	}
}

// cellsOf is the key's cells under the scheme Independent.
func (f *Filter) cellsOf(key uint64) []uint64 {
	at := make([]uint64, f.k)
	for i := range at {
		at[i] = f.hash.At(uint64(i)).Uint64(key) % f.cells.m
	}
	return at
}

func (f *Filter) cellsOfBytes(key []byte) []uint64 {
	at := make([]uint64, f.k)
	for i := range at {
		at[i] = f.hash.At(uint64(i)).Bytes(key) % f.cells.m
	}
	return at
}

func (f *Filter) raiseAll(at []uint64) {
	for _, i := range at {
		if !f.cells.raise(i) {
			f.lose(1)
		}
	}
}

func (f *Filter) allTaken(at []uint64) bool {
	for _, i := range at {
		if f.cells.at(i) == 0 {
			return false
		}
	}
	return true
}

func (f *Filter) lowerTaken(at []uint64) error {
	if !f.allTaken(at) {
		return sketchproof.ErrNotFound
	}
	f.lowerAll(at)
	return nil
}

func (f *Filter) lowerAll(at []uint64) {
	for _, i := range at {
		f.cells.lower(i)
	}
}
