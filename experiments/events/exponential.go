package events

import "math"

// exponential is an exponential number of mean 1, above 0.
func (s *Stream) exponential() float64 {
	return minusLog((float64(s.random()>>12) + 0.5) * 0x1p-52)
}

// minusLog is -ln u for u above 0 and below 1, as exact as math.Log but for the last
// bit or two, in less than half its time: a stream's walk spent a quarter on
// logarithms. u is 2^e z with z from 11/16 on, and z is close to some c of a table,
// of which the logarithm is known: that of z/c = 1 + r needs few terms.
func minusLog(u float64) float64 {
	b := math.Float64bits(u) - leastBits
	near := &nearby[b>>(52-nearbyBits)%(1<<nearbyBits)]
	z := math.Float64frombits(b&(1<<52-1) + leastBits)
	r := (z - near.c) * near.inverse
	r2 := r * r
	// |r| < 2^-8.4: the next term, r^8/8, is below 2^-59 r.
	tail := r2 * (r*(1./3) - 1./2 + r2*(r*(1./5)-1./4+r2*(r*(1./7)-1./6)))
	return -(float64(int64(b)>>52)*math.Ln2 + near.log) - (r + tail)
}

const (
	leastBits  = 0x3fe6000000000000 // of 11/16
	nearbyBits = 7
)

// nearby holds for every range of z a number near all of it: its middle, but 1 itself
// for the range that ends there, where the logarithm is to have all its digits.
var nearby = func() (t [1 << nearbyBits]struct{ c, inverse, log float64 }) {
	for i := range t {
		from := uint64(leastBits) + uint64(i)<<(52-nearbyBits)
		c := math.Float64frombits(from + 1<<(51-nearbyBits))
		if math.Float64frombits(from+1<<(52-nearbyBits)) == 1 {
			c = 1
		}
		t[i].c, t[i].inverse, t[i].log = c, 1/c, math.Log(c)
	}
	return t
}()
