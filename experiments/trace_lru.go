package experiments

import (
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/tinylfu"
)

// An admission says which keys a cache takes in. Keys are indexes into a trace's.
type admission interface {
	// asked is told of every request, before it is looked up.
	asked(key uint32)
	// admits is asked about a key that the cache does not hold, and of the key
	// that it would cost: -1 while there is room.
	admits(key uint32, victim int32) bool
}

// A cacheRun is what a cache did after the first tenth of the requests.
type cacheRun struct{ hits, writes, counted int64 }

// cached plays the requests through an LRU cache of so many places.
func (r *Requests) cached(places int, a admission) (run cacheRun) {
	cache := newLRU(places, len(r.Keys))
	for i, key := range r.Order {
		a.asked(key)
		hit, wrote := cache.holds(key), false
		switch {
		case hit:
			cache.drop(int32(key))
			cache.take(int32(key))
		case a.admits(key, cache.victim()):
			if victim := cache.victim(); victim >= 0 {
				cache.drop(victim)
			}
			cache.take(int32(key))
			wrote = true
		}
		if i >= len(r.Order)/10 {
			run.counted++
			run.hits += one(hit)
			run.writes += one(wrote)
		}
	}
	return run
}

// An lru is the order of the keys that a cache holds: a ring of links by key, whose
// last node is before the latest and after the oldest. A key that is not held has
// next -1.
type lru struct {
	next, previous []int32
	end            int32
	room           int
}

func newLRU(places, keys int) *lru {
	c := &lru{make([]int32, keys+1), make([]int32, keys+1), int32(keys), places}
	for i := range c.next {
		c.next[i] = -1
	}
	c.next[c.end], c.previous[c.end] = c.end, c.end
	return c
}

func (c *lru) holds(key uint32) bool { return c.next[key] >= 0 }

// victim is the key that has not been asked for the longest, -1 while there is room.
func (c *lru) victim() int32 {
	if c.room > 0 {
		return -1
	}
	return c.previous[c.end]
}

// take puts a key that is not held before all others.
func (c *lru) take(key int32) {
	first := c.next[c.end]
	c.next[key], c.previous[key] = first, c.end
	c.next[c.end], c.previous[first] = key, key
	c.room--
}

// drop forgets a key that is held.
func (c *lru) drop(key int32) {
	next, previous := c.next[key], c.previous[key]
	c.next[previous], c.previous[next] = next, previous
	c.next[key] = -1
	c.room++
}

// all admits every key.
type all struct{}

func (all) asked(uint32)              {}
func (all) admits(uint32, int32) bool { return true }

// lfuCounts admit by TinyLFU.
type lfuCounts struct {
	sketch *tinylfu.Sketch
	keys   []uint64
}

func (l lfuCounts) asked(key uint32) { l.sketch.Add(l.keys[key]) }
func (l lfuCounts) admits(key uint32, victim int32) bool {
	return victim < 0 || l.sketch.Admit(l.keys[key], l.keys[victim])
}

// exactCounts admit as TinyLFU would with a counter for every key.
type exactCounts struct {
	counts         []uint32
	events, sample int
}

func newExactCounts(keys, places int) *exactCounts {
	return &exactCounts{counts: make([]uint32, keys), sample: lfuSample * places}
}

func (e *exactCounts) asked(key uint32) {
	e.counts[key]++
	if e.events++; e.events == e.sample {
		for i := range e.counts {
			e.counts[i] /= 2
		}
		e.events /= 2
	}
}

func (e *exactCounts) admits(key uint32, victim int32) bool {
	return victim < 0 || e.counts[key] > e.counts[victim]
}

// seenBefore admits a key that a Bloom filter has seen before, and counts those
// that come once and get in.
type seenBefore struct {
	filter   *bloom.Filter
	requests *Requests
	once     int64
}

func (*seenBefore) asked(uint32) {}
func (s *seenBefore) admits(key uint32, _ int32) bool {
	k := s.requests.Keys[key]
	if !s.filter.Contains(k) {
		_ = s.filter.Add(k) // never fails
		return false
	}
	s.once += one(s.requests.counts()[key] == 1)
	return true
}
