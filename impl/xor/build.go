package xor

import (
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/peel"
)

// build finds the table of a set: attempt after attempt, until the graph peels.
// The table follows from the set alone. Peeling looks at slots, never at the
// order in which keys were given; and a key that was given twice, which no graph
// peels, is found after the first failure, whereupon the build starts again
// with the distinct keys.
func build[F Fingerprint](s peel.Source, hash hashing.Hasher) (*Filter[F], error) {
	f := &Filter[F]{hash: hash}
	n := s.Len()
	if n == 0 {
		return f, nil
	}
	order := make([]uint64, n)
	var slots []uint64
	distinct := false
	for attempt := 1; attempt <= peel.MaxAttempts; attempt++ {
		b := newBlocks(n, attempt)
		size := 3 * b.block
		if uint64(cap(slots)) < size {
			slots = nil // to be collected before its successor is made
			slots = make([]uint64, size)
		}
		slots = slots[:size]
		seed := peel.Seed(attempt)
		if b.peel(order[:n], slots, s, seed) {
			f.blocks, f.seed, f.keys, f.attempts = b, seed, n, attempt
			slots = nil
			f.table = make([]F, size)
			f.assign(order[:n])
			return f, nil
		}
		if !distinct {
			distinct = true
			if d := peel.Distinct(s); d.Len() < n {
				s, n, attempt = d, d.Len(), 0
			}
		}
	}
	return nil, ErrBuild
}

// peel takes the keys from the graph one by one, each from a slot that has no
// other, and reports whether all could be taken. order are then the mixed
// hashes in that order; the lowest bits say in which block each was taken.
//
// Nothing in it branches on the graph but its loops. A slot that was queued may
// have lost its key since: it is then zero, and so is all that its turn changes.
// Slots are scattered over the whole table, so what counts is how many cache
// misses overlap: the queue is first in, first out, and turns that follow one
// another have nothing to do with one another.
func (b *blocks) peel(order, slots []uint64, s peel.Source, seed uint64) bool {
	peel.MixEach(order, s, seed)
	clear(slots)
	for _, h := range order {
		p0, p1, p2 := b.three(h)
		slots[p0] = (slots[p0] ^ h) + 1
		slots[p1] = (slots[p1] ^ h) + 1
		slots[p2] = (slots[p2] ^ h) + 1
	}
	if !peel.Whole(slots, 3*len(order)) {
		return false
	}
	const mask = peel.QueueSize - 1
	var queue [peel.QueueSize]uint32
	taken := 0
	for again := true; again; {
		again = false
		for start := 0; start < len(slots); start += peel.QueueSize / 4 {
			head, tail := uint(0), uint(0)
			for i, w := range slots[start:min(start+peel.QueueSize/4, len(slots))] {
				queue[tail&mask] = uint32(start + i)
				if w&peel.CountMask == 1 {
					tail++
				}
			}
			for head != tail {
				if tail-head > peel.QueueSize-3 {
					tail, again = head+peel.QueueSize/2, true
				}
				p := uint(queue[head&mask])
				head++
				w := slots[p]
				one := w & 1
				h := w &^ peel.CountMask
				p0, p1, p2 := b.three(h)
				w0 := (slots[p0] ^ h) - one
				w1 := (slots[p1] ^ h) - one
				w2 := (slots[p2] ^ h) - one
				slots[p0], slots[p1], slots[p2] = w0, w1, w2
				if taken == len(order) {
					return true // what is left in the queue is empty
				}
				block := uint64(0)
				if p == p1 {
					block = 1
				}
				if p == p2 {
					block = 2
				}
				order[taken] = h | block
				taken += int(one)
				queue[tail&mask] = uint32(p0)
				tail += peel.Single(w0, one)
				queue[tail&mask] = uint32(p1)
				tail += peel.Single(w1, one)
				queue[tail&mask] = uint32(p2)
				tail += peel.Single(w2, one)
			}
		}
	}
	return taken == len(order)
}

// assign gives the keys their fingerprints, the last taken first: when a key's
// turn comes, the slot it was taken from belongs to no key that had its turn.
func (f *Filter[F]) assign(order []uint64) {
	t := f.table
	for i := len(order) - 1; i >= 0; i-- {
		block, h := order[i]&peel.CountMask, order[i]&^peel.CountMask
		p0, p1, p2 := f.three(h)
		x := fingerprint[F](h) ^ t[p0] ^ t[p1] ^ t[p2]
		if block == 1 {
			p0 = p1
		}
		if block == 2 {
			p0 = p2
		}
		t[p0] = x
	}
}
