package cuckoo

import "slices"

// Semi-sorted buckets (Fan et al. 2014, section 5.2). The order of the four
// tags in a bucket means nothing, so they are kept in ascending order, and their
// high four bits, four ascending numbers below 16, are one of 3876 multisets: 12
// bits for 16. Then follow the f-4 low bits of each, in the same order. An empty
// slot is tag 0 and comes first. The same multiset of tags is the same bits.
const (
	sortedSlots = 4
	highBits    = 4
	rankBits    = 12
	multisets   = 3876 // C(16+3, 4)
)

// rankOf[s][v] is what the number v in place s adds to the rank of a multiset:
// C(v+s, s+1), the combinatorial number system.
var rankOf = func() (r [sortedSlots][1 << highBits]uint64) {
	for v := range uint64(1 << highBits) {
		binomial := uint64(1)
		for s := range uint64(sortedSlots) {
			binomial = binomial * (v + s) / (s + 1)
			r[s][v] = binomial
		}
	}
	return r
}()

// highsOf is the multiset of each rank, the smallest in the lowest four bits.
var highsOf = func() (m [1 << rankBits]uint16) {
	for d := range 1 << highBits {
		for c := range d + 1 {
			for b := range c + 1 {
				for a := range b + 1 {
					m[rankOf[0][a]+rankOf[1][b]+rankOf[2][c]+rankOf[3][d]] = uint16(a | b<<4 | c<<8 | d<<12)
				}
			}
		}
	}
	return m
}()

// tags are the four tags of a semi-sorted bucket, ascending.
type tags [sortedSlots]uint64

// unsort reads bucket i.
func (t *table) unsort(i uint64) tags {
	at := i * t.width
	low := uint64(t.f-highBits) & 31
	mask := uint64(1)<<low - 1
	high := uint64(highsOf[t.window(at)&(1<<rankBits-1)])
	a := t.window(at + rankBits)
	b := t.window(at + rankBits + 2*low)
	return tags{
		high&15<<low | a&mask,
		high>>4&15<<low | a>>low&mask,
		high>>8&15<<low | b&mask,
		high>>12<<low | b>>low&mask,
	}
}

// sort writes bucket i. It orders the tags first.
func (t *table) sort(i uint64, v tags) {
	v[0], v[1] = min(v[0], v[1]), max(v[0], v[1])
	v[2], v[3] = min(v[2], v[3]), max(v[2], v[3])
	v[0], v[2] = min(v[0], v[2]), max(v[0], v[2])
	v[1], v[3] = min(v[1], v[3]), max(v[1], v[3])
	v[1], v[2] = min(v[1], v[2]), max(v[1], v[2])
	at := i * t.width
	low := uint64(t.f-highBits) & 31
	mask := uint64(1)<<low - 1
	rank := rankOf[0][v[0]>>low&15] + rankOf[1][v[1]>>low&15] + rankOf[2][v[2]>>low&15] + rankOf[3][v[3]>>low&15]
	t.write(at, 1<<rankBits-1, rank)
	both := mask<<low | mask
	t.write(at+rankBits, both, v[0]&mask|v[1]&mask<<low)
	t.write(at+rankBits+2*low, both, v[2]&mask|v[3]&mask<<low)
}

// holdsSorted is 1 when bucket i holds tag, else 0: unsort and a comparison,
// without the tags in between. A difference that is zero borrows when one is
// taken off; no other does, tags being short.
func (t *table) holdsSorted(i, tag uint64) uint64 {
	at := i * t.width
	low := uint64(t.f-highBits) & 31
	mask := uint64(1)<<low - 1
	high := uint64(highsOf[t.window(at)&(1<<rankBits-1)]) ^ tag>>low*0x1111
	tag &= mask
	both := tag<<low | tag
	a := t.window(at+rankBits) ^ both
	b := t.window(at+rankBits+2*low) ^ both
	return (((high&15 | a&mask) - 1) | ((high>>4&15 | a>>low&mask) - 1) |
		((high>>8&15 | b&mask) - 1) | ((high>>12 | b>>low&mask) - 1)) >> 63
}

// takeSorted puts tag into an empty slot of bucket i, if there is one.
func (t *table) takeSorted(i, tag uint64) bool {
	v := t.unsort(i)
	if v[0] != 0 {
		return false
	}
	v[0] = tag
	t.sort(i, v)
	return true
}

// exchange replaces a tag that bucket i holds by another: 0 for none.
func (t *table) exchange(i, from, to uint64) bool {
	v := t.unsort(i)
	s := slices.Index(v[:], from)
	if s < 0 {
		return false
	}
	v[s] = to
	t.sort(i, v)
	return true
}
