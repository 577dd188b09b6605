package topk

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A summary is the stream summary of Metwally, Agrawal and El Abbadi 2005:
// counters with the same count are in one bucket, buckets in a list by count.
// Numbers of counters and buckets are places in slices. Bucket 0 is the ends of
// the list: its next is the least, its prev the greatest, and as a child or
// parent it is none.
type summary struct {
	index
	counters []counter
	buckets  []bucket
	// What was given back, as lists over next; 0 is the end, -1 none for counters.
	freeCounter, freeBucket int32
	held                    int // counters in use
	root                    int32
	made                    uint64 // buckets so far: the tree's coin
}

type counter struct {
	key uint64
	// extra is the structure's own: a bound on the error, or a weight.
	extra      uint64
	bucket     int32
	prev, next int32 // a ring, in the order in which they came to the bucket
}

type bucket struct {
	count               uint64
	first               int32 // the oldest of its ring
	prev, next          int32
	left, right, parent int32 // in the tree
	rank                uint32
}

func newSummary(hash hashing.Hasher) summary {
	return summary{index: newIndex(hash), buckets: make([]bucket, 1), freeCounter: -1}
}

func (s *summary) clone() summary {
	c := *s
	c.index = s.index.clone()
	c.counters, c.buckets = slices.Clone(s.counters), slices.Clone(s.buckets)
	return c
}

// sizeBytes is the memory of the three slices.
func (s *summary) sizeBytes() int {
	return 32*cap(s.counters) + 40*cap(s.buckets) + s.index.sizeBytes()
}

// least is the smallest count, 0 without counters.
func (s *summary) least() uint64 { return s.buckets[s.buckets[0].next].count }

// insert gives a new key a counter.
func (s *summary) insert(key, count, extra uint64) {
	c := s.freeCounter
	if c >= 0 {
		s.freeCounter = s.counters[c].next
	} else {
		c = int32(len(s.counters))
		s.counters = append(s.counters, counter{})
	}
	s.held++
	s.counters[c] = counter{key: key, extra: extra}
	s.index.insert(key, c)
	b := int32(0)
	if lowest := s.buckets[0].next; lowest != 0 && s.buckets[lowest].count <= count {
		b = s.floor(count)
	}
	if b == 0 || s.buckets[b].count != count {
		b = s.bucketAfter(b, count)
	}
	s.attach(c, b)
}

// replace gives the counter of a smallest count to another key: of the counters
// with that count, the one that has had it longest.
func (s *summary) replace(key, count, extra uint64) {
	c := s.buckets[s.buckets[0].next].first
	s.index.remove(s.counters[c].key)
	s.index.insert(key, c)
	s.counters[c].key, s.counters[c].extra = key, extra
	s.raise(c, count)
}

// raise moves a counter up to a count, not below the one it has.
func (s *summary) raise(c int32, count uint64) {
	from := s.counters[c].bucket
	below := from
	if count == s.buckets[from].count {
		return
	}
	if next := s.buckets[from].next; next != 0 && s.buckets[next].count <= count {
		below = next
		if s.buckets[next].count != count {
			below = s.floor(count)
		}
	} else if s.counters[c].next == c { // alone, and stays between its neighbours
		s.buckets[from].count = count
		return
	}
	if s.buckets[below].count != count {
		below = s.bucketAfter(below, count)
	}
	s.detach(c)
	s.attach(c, below)
}

// dropLeast takes all counters of the smallest count out.
func (s *summary) dropLeast() {
	b := s.buckets[0].next
	for b != 0 && b == s.buckets[0].next {
		c := s.buckets[b].first
		s.index.remove(s.counters[c].key)
		s.detach(c)
		s.counters[c].next, s.freeCounter = s.freeCounter, c
		s.held--
	}
}

func (s *summary) attach(c, b int32) {
	s.counters[c].bucket = b
	first := s.buckets[b].first
	if first < 0 {
		s.buckets[b].first = c
		s.counters[c].prev, s.counters[c].next = c, c
		return
	}
	last := s.counters[first].prev
	s.counters[c].prev, s.counters[c].next = last, first
	s.counters[last].next, s.counters[first].prev = c, c
}

// detach takes a counter out of its bucket, and an empty bucket out of the list.
func (s *summary) detach(c int32) {
	at := &s.counters[c]
	if at.next == c {
		s.freeOf(at.bucket)
		return
	}
	s.counters[at.prev].next, s.counters[at.next].prev = at.next, at.prev
	if b := &s.buckets[at.bucket]; b.first == c {
		b.first = at.next
	}
}

// bucketAfter makes an empty bucket that follows b in the list, 0 for the first.
func (s *summary) bucketAfter(b int32, count uint64) int32 {
	n := s.freeBucket
	if n != 0 {
		s.freeBucket = s.buckets[n].next
	} else {
		n = int32(len(s.buckets))
		s.buckets = append(s.buckets, bucket{})
	}
	s.made++
	next := s.buckets[b].next
	s.buckets[n] = bucket{count: count, first: -1, prev: b, next: next, rank: uint32(hashing.Mix(s.made))}
	s.buckets[b].next, s.buckets[next].prev = n, n
	s.plant(n, b, next)
	return n
}

func (s *summary) freeOf(b int32) {
	at := s.buckets[b]
	s.buckets[at.prev].next, s.buckets[at.next].prev = at.next, at.prev
	s.uproot(b)
	s.buckets[b].next, s.freeBucket = s.freeBucket, b
}

// A held counter, as it is listed and written.
type entry struct{ key, count, extra uint64 }

// entries are all counters, the smallest first; of equal ones, that which would
// be replaced first.
func (s *summary) entries() []entry {
	if s.held == 0 { // also where nothing was made
		return nil
	}
	list := make([]entry, 0, s.held)
	for b := s.buckets[0].next; b != 0; b = s.buckets[b].next {
		list = s.appendBucket(list, b)
	}
	return list
}

func (s *summary) appendBucket(list []entry, b int32) []entry {
	first := s.buckets[b].first
	for c := first; ; {
		list = append(list, entry{s.counters[c].key, s.buckets[b].count, s.counters[c].extra})
		if c = s.counters[c].next; c == first {
			return list
		}
	}
}

// heaviest are the n greatest, of equal ones the smaller key.
func (s *summary) heaviest(n int) []entry {
	list := make([]entry, 0, min(max(n, 0), s.held))
	for b := s.buckets[0].prev; b != 0 && len(list) < n; b = s.buckets[b].prev {
		from := len(list)
		list = s.appendBucket(list, b)
		slices.SortFunc(list[from:], func(x, y entry) int { return cmp.Compare(x.key, y.key) })
	}
	return list[:min(max(n, 0), len(list))]
}

// fill makes the summary that of a list as entries returns it.
func (s *summary) fill(list []entry) {
	*s = newSummary(s.hash)
	s.index.reserve(len(list))
	s.counters = make([]counter, 0, len(list))
	for _, e := range list {
		c := int32(len(s.counters))
		s.counters = append(s.counters, counter{key: e.key, extra: e.extra})
		s.index.insert(e.key, c)
		b := s.buckets[0].prev
		if b == 0 || s.buckets[b].count != e.count {
			b = s.bucketAfter(b, e.count)
		}
		s.attach(c, b)
		s.held++
	}
}

// byCount puts entries in the order of fill; equal counts by key, the greater
// first, so that what is merged does not depend on the order of merging two.
func byCount(list []entry) {
	slices.SortFunc(list, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.count, y.count), cmp.Compare(y.key, x.key))
	})
}

func heavyOf(list []entry, over func(entry) uint64) []sketchproof.Heavy {
	heavy := make([]sketchproof.Heavy, len(list))
	for i, e := range list {
		heavy[i] = sketchproof.Heavy{Key: e.key, Count: e.count, Over: over(e)}
	}
	return heavy
}

func addSaturating(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return sum
}
