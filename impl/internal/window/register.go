package window

// A Geometry says how registers are made: 2^P of them, T bits that split a
// number of leading zeros, D bits for the values under the greatest.
type Geometry struct{ P, T, D uint }

// Bits is the size of a register: 6 + T bits for the greatest value and D.
func (g Geometry) Bits() uint { return 6 + g.T + g.D }

// Top is the greatest value that a 64-bit hash can give, less than 2^(6+T) when
// P + T is at least 2.
func (g Geometry) Top() uint64 { return uint64(65-g.P-g.T) << g.T }

// Level is j where a key gives a given register the value k > 0 with probability
// 2^-j.
func (g Geometry) Level(k uint64) uint { return min(g.T+1+uint((k-1)>>g.T), 64-g.P) }

// chance is 2^-Level in units of 2^-(64-P), which divide the chance of every
// value.
func (g Geometry) chance(k uint64) uint64 { return 1 << ((64 - g.P - g.Level(k)) & 63) }

// A register is the greatest value times 2^D, plus 2^(D-i) for each value i under
// the greatest that was given. Zero is one that was given nothing.

// Given returns register r after it was given the value k > 0.
func (g Geometry) Given(r, k uint64) uint64 {
	d := uint64(g.D)
	u := r >> d
	switch {
	case k > u:
		return k<<d | g.marks(r)>>(k-u)
	case k < u && u-k <= d:
		return r | 1<<(d-(u-k))
	default:
		return r
	}
}

// marks are D+1 bits: whether the greatest value and those under it were given.
func (g Geometry) marks(r uint64) uint64 {
	u := r >> g.D
	if u == 0 {
		return 0
	}
	return r - u<<g.D + 1<<g.D
}

// Union returns the register of all that two were given.
func (g Geometry) Union(a, b uint64) uint64 {
	u, v := a>>g.D, b>>g.D
	if u < v {
		a, b, u, v = b, a, v, u
	}
	below := g.marks(b) >> (u - v)
	if u == v {
		return a | b
	}
	return a | below
}

// Valid reports whether values can have made the register: the greatest is not
// above Top, and no mark is for a value under 1.
func (g Geometry) Valid(r uint64) bool {
	u := r >> g.D
	if u > g.Top() {
		return false
	}
	if d := uint64(g.D); u <= d {
		// Values 1 to u-1 have the u-1 highest marks.
		free := d - max(u, 1) + 1
		return r&(1<<free-1) == 0
	}
	return true
}
