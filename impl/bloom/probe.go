package bloom

import "math/bits"

// Add sets the key's bits. It always succeeds, also when the filter is long
// past the load it was sized for: the error is always nil.
func (f *Filter) Add(key uint64) error {
	if f.scheme == Independent {
		for i := range f.k {
			f.set(f.hash.At(i).Uint64(key) % f.m)
		}
		return nil
	}
	return f.AddHash(f.hash.Uint64(key))
}

// AddBytes is Add for a byte string. A number and its eight bytes are one key
// where the hash family says so (all but SHA256); do not rely on it.
func (f *Filter) AddBytes(key []byte) error {
	if f.scheme == Independent {
		for i := range f.k {
			f.set(f.hash.At(i).Bytes(key) % f.m)
		}
		return nil
	}
	return f.AddHash(f.hash.Bytes(key))
}

// AddHash is Add for a good 64-bit hash in place of a key. For every scheme but
// Independent it does what Add does for a key of that hash. Independent needs k
// hashes of the key itself: there a hash is probed as Derived probes it, and
// is no longer the key that Add knows.
func (f *Filter) AddHash(hash uint64) error {
	switch f.scheme {
	case Derived, Independent:
		words, m := f.words, f.m
		for range f.k {
			hash *= multiplier
			p, _ := bits.Mul64(hash, m)
			words[p>>6] |= 1 << (p & 63)
		}
	case Partitioned:
		words, reach := f.words, f.reach
		var slice uint64
		for range f.k {
			hash *= multiplier
			p, _ := bits.Mul64(hash, reach)
			p += slice
			words[p>>6] |= 1 << (p & 63)
			slice += reach
		}
	default:
		w := startWalk(hash, f.m, f.scheme)
		for range f.k {
			f.set(w.next())
		}
	}
	return nil
}

// Contains reports whether all of the key's bits are set: false is certain.
func (f *Filter) Contains(key uint64) bool {
	if f.scheme == Independent {
		for i := range f.k {
			if !f.isSet(f.hash.At(i).Uint64(key) % f.m) {
				return false
			}
		}
		return true
	}
	return f.ContainsHash(f.hash.Uint64(key))
}

// ContainsBytes is Contains for a byte string.
func (f *Filter) ContainsBytes(key []byte) bool {
	if f.scheme == Independent {
		for i := range f.k {
			if !f.isSet(f.hash.At(i).Bytes(key) % f.m) {
				return false
			}
		}
		return true
	}
	return f.ContainsHash(f.hash.Bytes(key))
}

// ContainsHash is Contains for a hash that AddHash would take.
func (f *Filter) ContainsHash(hash uint64) bool {
	switch f.scheme {
	case Derived, Independent:
		return f.containsDerived(hash)
	case Partitioned:
		return f.containsPartitioned(hash)
	default:
		w := startWalk(hash, f.m, f.scheme)
		for range f.k {
			if !f.isSet(w.next()) {
				return false
			}
		}
		return true
	}
}

// containsDerived looks at three bits before it branches. At half fill a branch
// after every bit is mispredicted once an absent key; after three bits, seven
// absent keys in eight leave at the same, well predicted place, and the three
// loads overlap. Measured at 10^6 keys: 10 ns in place of 22 for absent keys.
func (f *Filter) containsDerived(hash uint64) bool {
	words, m := f.words, f.m
	k := f.k
	for ; k >= 3; k -= 3 {
		h1 := hash * multiplier
		h2 := h1 * multiplier
		hash = h2 * multiplier
		p1, _ := bits.Mul64(h1, m)
		p2, _ := bits.Mul64(h2, m)
		p3, _ := bits.Mul64(hash, m)
		if words[p1>>6]>>(p1&63)&(words[p2>>6]>>(p2&63))&(words[p3>>6]>>(p3&63))&1 == 0 {
			return false
		}
	}
	for ; k > 0; k-- {
		hash *= multiplier
		p, _ := bits.Mul64(hash, m)
		if words[p>>6]>>(p&63)&1 == 0 {
			return false
		}
	}
	return true
}

// containsPartitioned looks at three bits before it branches, as
// containsDerived does.
func (f *Filter) containsPartitioned(hash uint64) bool {
	words, reach := f.words, f.reach
	var slice uint64
	k := f.k
	for ; k >= 3; k -= 3 {
		h1 := hash * multiplier
		h2 := h1 * multiplier
		hash = h2 * multiplier
		p1, _ := bits.Mul64(h1, reach)
		p2, _ := bits.Mul64(h2, reach)
		p3, _ := bits.Mul64(hash, reach)
		p1 += slice
		p2 += slice + reach
		p3 += slice + 2*reach
		if words[p1>>6]>>(p1&63)&(words[p2>>6]>>(p2&63))&(words[p3>>6]>>(p3&63))&1 == 0 {
			return false
		}
		slice += 3 * reach
	}
	for ; k > 0; k-- {
		hash *= multiplier
		p, _ := bits.Mul64(hash, reach)
		p += slice
		if words[p>>6]>>(p&63)&1 == 0 {
			return false
		}
		slice += reach
	}
	return true
}

func (f *Filter) set(p uint64) { f.words[p>>6] |= 1 << (p & 63) }

func (f *Filter) isSet(p uint64) bool { return f.words[p>>6]>>(p&63)&1 == 1 }

// Positions returns the K bits that Add sets for the key, in the order of its
// probes, repeats included.
func (f *Filter) Positions(key uint64) []uint64 {
	if f.scheme == Independent {
		out := make([]uint64, f.k)
		for i := range f.k {
			out[i] = f.hash.At(i).Uint64(key) % f.m
		}
		return out
	}
	return f.PositionsHash(f.hash.Uint64(key))
}

// PositionsBytes is Positions for a byte string.
func (f *Filter) PositionsBytes(key []byte) []uint64 {
	if f.scheme == Independent {
		out := make([]uint64, f.k)
		for i := range f.k {
			out[i] = f.hash.At(i).Bytes(key) % f.m
		}
		return out
	}
	return f.PositionsHash(f.hash.Bytes(key))
}

// PositionsHash is Positions for a hash that AddHash would take.
func (f *Filter) PositionsHash(hash uint64) []uint64 {
	out := make([]uint64, f.k)
	switch f.scheme {
	case Derived, Independent:
		for i := range out {
			hash *= multiplier
			out[i], _ = bits.Mul64(hash, f.m)
		}
	case Partitioned:
		for i := range out {
			hash *= multiplier
			p, _ := bits.Mul64(hash, f.reach)
			out[i] = uint64(i)*f.reach + p
		}
	default:
		w := startWalk(hash, f.m, f.scheme)
		for i := range out {
			out[i] = w.next()
		}
	}
	return out
}
