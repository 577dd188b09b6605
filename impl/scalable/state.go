package scalable

import (
	"math"
	"slices"
)

// A Link says how one filter of the chain was built, and how full it is.
type Link struct {
	Capacity uint64  // the keys it was sized for
	Rate     float64 // the rate it was sized for
	M, K     uint64  // bits, and probes a key
	BitsSet  uint64  // bits that are set
	BitsFull uint64  // bits at which it takes no more keys
}

// Links are the filters of the chain, the oldest first.
func (f *Filter) Links() []Link {
	all := make([]Link, len(f.links))
	for i, l := range f.links {
		all[i] = Link{Capacity: l.capacity, Rate: l.rate, M: l.m, K: l.k, BitsSet: l.set, BitsFull: l.full}
	}
	return all
}

// RateEstimate is the link's false-positive rate as its bits show it, (X/m)^k with X
// bits set.
func (l Link) RateEstimate() float64 {
	return math.Pow(float64(l.BitsSet)/float64(l.M), float64(l.K))
}

// RateEstimate is this very filter's false-positive rate as its bits show it:
// Compound of the rates of its links.
func (f *Filter) RateEstimate() float64 {
	rates := make([]float64, len(f.links))
	for i := range f.links {
		rates[i] = f.links[i].rateNow()
	}
	return Compound(rates)
}

// CountEstimate estimates the number of distinct keys held: the sum over the
// links of -(m/k) ln(1 - X/m) with X bits set (Swamidass & Baldi 2007). Keys that
// were found before they were added, by mistake too, are not in it.
func (f *Filter) CountEstimate() float64 {
	var sum float64
	for _, l := range f.links {
		sum -= float64(l.m) / float64(l.k) * math.Log1p(-float64(l.set)/float64(l.m))
	}
	return sum
}

// Clone returns a filter of its own with the same contents.
func (f *Filter) Clone() *Filter {
	c := *f
	c.links = slices.Clone(f.links)
	for i := range c.links {
		c.links[i].words = slices.Clone(c.links[i].words)
	}
	return &c
}

// Equal reports whether the two were built alike and hold the same bits.
func (f *Filter) Equal(other *Filter) bool {
	return f.params == other.params && slices.EqualFunc(f.links, other.links, func(a, b link) bool {
		return a.m == b.m && a.k == b.k && a.full == b.full && slices.Equal(a.words, b.words)
	})
}

// Reset forgets every key, and all links but the first.
func (f *Filter) Reset() {
	clear(f.links[1:]) // let go of their memory
	f.links = f.links[:1]
	clear(f.links[0].words)
	f.links[0].set = 0
}
