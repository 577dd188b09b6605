package placement

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var _ sketchproof.Placer = (*Bounded)(nil)

// BoundedParams says how to build a Bounded.
type BoundedParams struct {
	// Epsilon is by how much the fullest node may exceed the mean, above 0 and up to
	// MaxEpsilon. It counts to 2^-32, rounded down.
	Epsilon float64
	// VirtualNodes is the number of points of each node on the ring, from 1 to
	// MaxVirtualNodes.
	VirtualNodes int
	// Hash places points and keys; its zero value is refused.
	Hash hashing.Hasher
}

// MaxEpsilon is the largest Epsilon.
const MaxEpsilon = 1024

func (p BoundedParams) check() error {
	if !(p.Epsilon >= 0x1p-32 && p.Epsilon <= MaxEpsilon) {
		return fmt.Errorf("placement: epsilon %v, must be from 2^-32 to %d", p.Epsilon, MaxEpsilon)
	}
	return p.ring().check()
}

func (p BoundedParams) ring() RingParams { return RingParams{p.VirtualNodes, p.Hash} }

// A Bounded is a ring with bounded loads (Mirrokni, Thorup and Zadimoghaddam
// 2018). It knows the keys that it was given: of m keys on n nodes none ever holds
// more than ⌈(1+ε)m/n⌉. A key goes to the first node after its place that has room.
// So where a key is depends on the keys that came before, and on the order of all
// changes; one who does not share that history must ask.
//
// When the bound falls, for a key was released or a node has joined, nodes above
// it pass on the keys that they took in last. A key is known by its hash, which is
// all that is stored of it: of two keys with one hash the second is the first.
//
// Make one with NewBounded. Methods that change nothing may run at the same time
// as each other, but not while another method changes the placement.
type Bounded struct {
	params BoundedParams
	factor uint64 // 1+ε in units of 2^-32, rounded down
	ring   *Ring
	held   [][]uint64 // hashes by the ring's number of their node, in the order in which they came
	spots  map[uint64]spot
}

// A spot is where a key is: number of its node, and place in the node's list.
type spot struct{ node, at uint32 }

// MaxKeys is the largest number of keys of a Bounded.
const MaxKeys = math.MaxInt32

// NewBounded returns a placement without nodes and keys. It refuses parameters out
// of range.
func NewBounded(p BoundedParams) (*Bounded, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	ring, err := NewRing(p.ring())
	if err != nil {
		return nil, err
	}
	return &Bounded{params: p, factor: uint64((1 + p.Epsilon) * (1 << 32)), ring: ring, spots: map[uint64]spot{}}, nil
}

// capacity is ⌈(1+ε)m/n⌉. It is at least m/n, so that there is room for all keys.
func (b *Bounded) capacity(m, n int) int {
	hi, lo := bits.Mul64(b.factor, uint64(m)) // factor < 2^43, m < 2^31
	lo, carry := bits.Add64(lo, uint64(n)<<32-1, 0)
	most, _ := bits.Div64(hi+carry, lo, uint64(n)<<32)
	return int(min(most, math.MaxInt)) // which no node holds
}

// Capacity is the most keys that a node may hold now.
func (b *Bounded) Capacity() int {
	if b.ring.Len() == 0 {
		return 0
	}
	return b.capacity(len(b.spots), b.ring.Len())
}

// Owner is the node that holds a key, and for one that was not placed the node
// that Place would give it to now. It returns ErrEmpty when there are no nodes.
func (b *Bounded) Owner(key uint64) (string, error) { return b.OwnerHash(b.params.Hash.Uint64(key)) }

// OwnerBytes is Owner for a byte string.
func (b *Bounded) OwnerBytes(key []byte) (string, error) { return b.OwnerHash(b.ring.place(key)) }

// OwnerHash is Owner for a key's hash.
func (b *Bounded) OwnerHash(hash uint64) (string, error) {
	if b.ring.Len() == 0 {
		return "", ErrEmpty
	}
	s, ok := b.spots[hash]
	if !ok {
		s.node = b.room(hash, b.capacity(len(b.spots)+1, b.ring.Len()))
	}
	return b.ring.nodes[s.node].name, nil
}

// room is the first node after a place that holds less than most.
func (b *Bounded) room(hash uint64, most int) uint32 {
	points := b.ring.points
	for i := b.ring.index.after(points, hash); ; i++ {
		if i == len(points) {
			i = 0
		}
		if node := points[i].owner; len(b.held[node]) < most {
			return node
		}
	}
}

// Place gives a key to a node, and returns the node. A key that was placed stays
// where it is. It returns ErrEmpty, and changes nothing, when there are no nodes.
func (b *Bounded) Place(key uint64) (string, error) { return b.PlaceHash(b.params.Hash.Uint64(key)) }

// PlaceBytes is Place for a byte string, which it does not keep.
func (b *Bounded) PlaceBytes(key []byte) (string, error) { return b.PlaceHash(b.ring.place(key)) }

// PlaceHash is Place for a key's hash.
func (b *Bounded) PlaceHash(hash uint64) (string, error) {
	if b.ring.Len() == 0 {
		return "", ErrEmpty
	}
	s, ok := b.spots[hash]
	if !ok {
		if len(b.spots) == MaxKeys {
			return "", fmt.Errorf("placement: %w: %d keys", sketchproof.ErrFull, MaxKeys)
		}
		s.node = b.room(hash, b.capacity(len(b.spots)+1, b.ring.Len()))
		b.put(hash, s.node)
	}
	return b.ring.nodes[s.node].name, nil
}

func (b *Bounded) put(hash uint64, node uint32) {
	b.spots[hash] = spot{node, uint32(len(b.held[node]))}
	b.held[node] = append(b.held[node], hash)
}

// Release takes a key away. It returns ErrUnknown, and changes nothing, when the
// key was not placed.
func (b *Bounded) Release(key uint64) error { return b.ReleaseHash(b.params.Hash.Uint64(key)) }

// ReleaseBytes is Release for a byte string.
func (b *Bounded) ReleaseBytes(key []byte) error { return b.ReleaseHash(b.ring.place(key)) }

// ReleaseHash is Release for a key's hash.
func (b *Bounded) ReleaseHash(hash uint64) error {
	s, ok := b.spots[hash]
	if !ok {
		return fmt.Errorf("%w: key of hash %#x", ErrUnknown, hash)
	}
	before := b.Capacity()
	list := b.held[s.node]
	last := list[len(list)-1] // takes the spot that becomes free
	list[s.at] = last
	b.spots[last] = s
	b.held[s.node] = list[:len(list)-1]
	delete(b.spots, hash)
	if b.Capacity() < before {
		b.shed()
	}
	return nil
}

// shed makes the nodes above the bound pass on what they took in last.
func (b *Bounded) shed() {
	most := b.Capacity()
	for node := range b.held {
		for len(b.held[node]) > most {
			last := len(b.held[node]) - 1
			hash := b.held[node][last]
			b.held[node] = b.held[node][:last]
			b.put(hash, b.room(hash, most))
		}
	}
}

// Len is the number of nodes.
func (b *Bounded) Len() int { return b.ring.Len() }

// Nodes returns the names of the nodes, sorted.
func (b *Bounded) Nodes() []string { return b.ring.Nodes() }

// Keys is the number of keys placed.
func (b *Bounded) Keys() int { return len(b.spots) }

// Loads is the number of keys of each node, by name.
func (b *Bounded) Loads() map[string]int {
	loads := make(map[string]int, len(b.held))
	for i, list := range b.held {
		loads[b.ring.nodes[i].name] = len(list)
	}
	return loads
}

// Params is what the placement was built with.
func (b *Bounded) Params() BoundedParams { return b.params }

// Hash is the hash function of the placement.
func (b *Bounded) Hash() hashing.Hasher { return b.params.Hash }

// SizeBytes is the memory of ring and keys, without names: of a key about 50 bytes.
func (b *Bounded) SizeBytes() int {
	const key = 8 + 2*(8+8) // its place in a list, and a map's entry with its room to grow
	return b.ring.SizeBytes() + key*len(b.spots)
}

// Clone returns a copy that shares nothing with b that changes.
func (b *Bounded) Clone() *Bounded {
	c := *b
	c.ring, c.spots = b.ring.Clone(), maps.Clone(b.spots)
	c.held = make([][]uint64, len(b.held))
	for i, list := range b.held {
		c.held[i] = slices.Clone(list)
	}
	return &c
}

// Reset removes all nodes and keys.
func (b *Bounded) Reset() {
	b.ring.Reset()
	b.held = nil
	clear(b.spots)
}

// Equal reports whether both answer alike from now on, whatever comes: the same
// parameters, and the same nodes and keys in the same order.
func (b *Bounded) Equal(c *Bounded) bool {
	if b.ring == nil || c.ring == nil { // a zero value
		return b.ring == c.ring
	}
	return b.params == c.params && slices.Equal(b.ring.nodes, c.ring.nodes) &&
		slices.EqualFunc(b.held, c.held, slices.Equal)
}
