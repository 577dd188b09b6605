package fuse

import (
	"github.com/sketchproof/sketchproof/impl/internal/peel"
)

// build finds the table of a set: attempt after attempt, until the graph peels.
// The table follows from the set alone. Peeling looks at slots, never at the
// order in which keys were given; and a key that was given twice, which no graph
// peels, is found after the first failure, whereupon the build starts again
// with the distinct keys.
func build[F Fingerprint](s peel.Source, p Params) (*Filter[F], error) {
	f := &Filter[F]{arity: p.Arity, hash: p.Hash}
	n := s.Len()
	if n == 0 {
		return f, nil
	}
	order := make([]uint64, n)
	var slots []uint64
	distinct := false
	for attempt := 1; attempt <= peel.MaxAttempts; attempt++ {
		g := newGraph(p.Arity, n, attempt)
		size := g.slots(p.Arity)
		if uint64(cap(slots)) < size {
			slots = nil
			slots = make([]uint64, size)
		}
		slots = slots[:size]
		seed := peel.Seed(attempt)
		if g.peel(p.Arity, order[:n], slots, s, seed) {
			f.graph, f.seed, f.keys, f.attempts = g, seed, n, attempt
			slots = nil // 8 bytes a slot, before the table is allocated
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

// cached is the number of slots that the second cache holds: 512 KiB.
const cached = 1 << 16

// peel takes the keys from the graph one by one, each from a slot that has no
// other, and reports whether all could be taken. order are then the mixed hashes in
// that order; the lowest bits say which of its slots each was taken from.
func (g *graph) peel(arity int, order, slots []uint64, s peel.Source, seed uint64) bool {
	if len(slots) <= cached {
		peel.MixEach(order, s, seed)
	} else {
		peel.Partition(order, slots, s, seed, g.partitionBits())
	}
	clear(slots)
	if arity == 3 {
		g.fill3(order, slots)
	} else {
		g.fill4(order, slots)
	}
	if !peel.Whole(slots, arity*len(order)) {
		return false
	}
	if arity == 3 {
		return g.peel3(order, slots)
	}
	return g.peel4(order, slots)
}

// partitionBits makes parts of about a segment each.
func (g *graph) partitionBits() int {
	b := 1
	for b < peel.MaxPartitionBits && g.span>>b > g.segment {
		b++
	}
	return b
}

func (g *graph) fill3(hashes, slots []uint64) {
	for _, h := range hashes {
		p0, p1, p2 := g.three(h)
		slots[p0] = (slots[p0] ^ h) + 1
		slots[p1] = (slots[p1] ^ h) + 1
		slots[p2] = (slots[p2] ^ h) + 1
	}
}

// peel3 has no branch that depends on the graph but its loops. A slot that was
// queued may have lost its key since: it is then zero, and so is all that its
// turn changes.
func (g *graph) peel3(order, slots []uint64) bool {
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
				p0, p1, p2 := g.three(h)
				w0 := (slots[p0] ^ h) - one
				w1 := (slots[p1] ^ h) - one
				w2 := (slots[p2] ^ h) - one
				slots[p0], slots[p1], slots[p2] = w0, w1, w2
				if taken == len(order) {
					// Every key is taken: what is left in the queue is empty.
					return true
				}
				which := uint64(0)
				if p == p1 {
					which = 1
				}
				if p == p2 {
					which = 2
				}
				order[taken] = h | which
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

func (g *graph) fill4(hashes, slots []uint64) {
	for _, h := range hashes {
		p0, p1, p2, p3 := g.four(h)
		slots[p0] = (slots[p0] ^ h) + 1
		slots[p1] = (slots[p1] ^ h) + 1
		slots[p2] = (slots[p2] ^ h) + 1
		slots[p3] = (slots[p3] ^ h) + 1
	}
}

func (g *graph) peel4(order, slots []uint64) bool {
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
				if tail-head > peel.QueueSize-4 {
					tail, again = head+peel.QueueSize/2, true
				}
				p := uint(queue[head&mask])
				head++
				w := slots[p]
				one := w & 1
				h := w &^ peel.CountMask
				p0, p1, p2, p3 := g.four(h)
				w0 := (slots[p0] ^ h) - one
				w1 := (slots[p1] ^ h) - one
				w2 := (slots[p2] ^ h) - one
				w3 := (slots[p3] ^ h) - one
				slots[p0], slots[p1], slots[p2], slots[p3] = w0, w1, w2, w3
				if taken == len(order) {
					return true
				}
				which := uint64(0)
				if p == p1 {
					which = 1
				}
				if p == p2 {
					which = 2
				}
				if p == p3 {
					which = 3
				}
				order[taken] = h | which
				taken += int(one)
				queue[tail&mask] = uint32(p0)
				tail += peel.Single(w0, one)
				queue[tail&mask] = uint32(p1)
				tail += peel.Single(w1, one)
				queue[tail&mask] = uint32(p2)
				tail += peel.Single(w2, one)
				queue[tail&mask] = uint32(p3)
				tail += peel.Single(w3, one)
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
		which := order[i] & peel.CountMask
		h := order[i] &^ peel.CountMask
		if f.arity == 3 {
			p0, p1, p2 := f.three(h)
			x := fingerprint[F](h) ^ t[p0] ^ t[p1] ^ t[p2]
			if which == 1 {
				p0 = p1
			}
			if which == 2 {
				p0 = p2
			}
			t[p0] = x
			continue
		}
		p0, p1, p2, p3 := f.four(h)
		x := fingerprint[F](h) ^ t[p0] ^ t[p1] ^ t[p2] ^ t[p3]
		if which == 1 {
			p0 = p1
		}
		if which == 2 {
			p0 = p2
		}
		if which == 3 {
			p0 = p3
		}
		t[p0] = x
	}
}
