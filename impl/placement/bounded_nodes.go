package placement

import (
	"errors"
	"slices"
)

// ErrLast is returned when the last node is removed from a Bounded that holds
// keys.
var ErrLast = errors.New("placement: the last node holds keys; release them first")

// Add adds a node. It takes over the keys whose next node it is now, in the order
// of nodes and keys, as long as it has room; then nodes above the bound, which has
// fallen, pass on what they took in last. So keys may move between old nodes too.
// It returns ErrDuplicate, and changes nothing, when the node is there.
func (b *Bounded) Add(node string) error {
	if err := b.ring.Add(node); err != nil {
		return err
	}
	added := uint32(b.ring.Len() - 1)
	b.held = append(b.held, nil)
	most := b.Capacity()
	for old := range b.held[:added] {
		kept := b.held[old][:0]
		for _, hash := range b.held[old] {
			if len(b.held[added]) < most && b.meets(hash, added, uint32(old)) {
				b.put(hash, added)
				continue
			}
			b.spots[hash] = spot{uint32(old), uint32(len(kept))}
			kept = append(kept, hash)
		}
		b.held[old] = kept
	}
	b.shed()
	return nil
}

// meets reports whether one who goes from a place around the circle comes to a node
// before another one.
func (b *Bounded) meets(hash uint64, node, other uint32) bool {
	points := b.ring.points
	for i := b.ring.index.after(points, hash); ; i++ {
		if i == len(points) {
			i = 0
		}
		if owner := points[i].owner; owner == node || owner == other {
			return owner == node
		}
	}
}

// Remove removes a node: its keys go on to the next ones with room, and no other
// key moves. It returns ErrUnknown when the node is not there, and ErrLast when it
// is the last and holds keys, and then changes nothing.
func (b *Bounded) Remove(node string) error {
	id, ok := b.ring.ids[node]
	if !ok {
		return unknown(node)
	}
	if len(b.held) == 1 && len(b.spots) > 0 {
		return ErrLast
	}
	if err := b.ring.Remove(node); err != nil {
		return err
	}
	homeless, last := b.held[id], len(b.held)-1
	b.held[id] = b.held[last] // as the ring gives the last one's number to it
	b.held = slices.Delete(b.held, last, last+1)
	if int(id) < last {
		for at, hash := range b.held[id] {
			b.spots[hash] = spot{id, uint32(at)}
		}
	}
	for _, hash := range homeless {
		b.put(hash, b.room(hash, b.Capacity()))
	}
	return nil
}
