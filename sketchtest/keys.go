package sketchtest

// keys is an endless stream of distinct random 64-bit keys. The keys of a trial
// are all of one stream, so that those never added are known to be absent.
type keys uint64

// at is key number i, from 0: splitmix64 (Steele, Lea, Flood 2014), which is a
// bijection of the counter.
func (k keys) at(i int) uint64 { return mix(uint64(k) + uint64(i+1)*0x9e3779b97f4a7c15) }

// slice is the keys number from to to-1.
func (k keys) slice(from, to int) []uint64 {
	s := make([]uint64, to-from)
	for i := range s {
		s[i] = k.at(from + i)
	}
	return s
}

// mix is the finalizer of splitmix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// part is one of the independent seeds that a trial's seed is split into: one for
// the keys, one for the structure, and so on.
func part(seed uint64, i int) uint64 { return mix(seed ^ mix(uint64(i))) }
