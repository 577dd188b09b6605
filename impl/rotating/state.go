package rotating

// RateEstimate is this very filter's false-positive rate as its bits show it,
// 1 - (1-p)(1-q) with (X/m)^k for each of the two.
func (f *Filter) RateEstimate() float64 {
	p := f.pair.Load()
	return either(p.current.rate(f.params.M, f.params.K), p.previous.rate(f.params.M, f.params.K))
}

// Fill is the share of the current filter's bits that are set.
func (f *Filter) Fill() float64 {
	return float64(f.pair.Load().current.set.Load()) / float64(f.params.M)
}

// Reset forgets every key.
func (f *Filter) Reset() {
	f.rotation.Lock()
	defer f.rotation.Unlock()
	f.adopt(newHalf(f.params.M).words, nil)
}

// Clone returns a filter of its own with the same contents. The first period of
// it, by age, begins with its first Tick.
func (f *Filter) Clone() *Filter {
	c := new(Filter)
	c.params, c.limit = f.params, f.limit
	p := f.pair.Load()
	c.adopt(p.current.bits(), p.previous.bits())
	return c
}

// Equal reports whether the two were built alike and hold the same bits, in the
// current filter and in the previous one.
func (f *Filter) Equal(other *Filter) bool {
	p, q := f.pair.Load(), other.pair.Load()
	if p == nil || q == nil { // a zero value
		return p == q
	}
	return f.params == other.params && p.current.equal(q.current) && p.previous.equal(q.previous)
}
