package placement

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var _ sketchproof.Placer = (*Ring)(nil)

const (
	// MaxVirtualNodes is the largest number of points of one node.
	MaxVirtualNodes = 1 << 20
	// MaxPoints is the largest number of points of all nodes. A ring is read back
	// from few bytes; this bounds the memory that it takes then.
	MaxPoints = 1 << 22
)

// RingParams says how to build a Ring.
type RingParams struct {
	// VirtualNodes is v, the number of points of each node, from 1 to
	// MaxVirtualNodes.
	VirtualNodes int
	// Hash places points and keys; its zero value is refused.
	Hash hashing.Hasher
}

func (p RingParams) check() error {
	if p.VirtualNodes < 1 || p.VirtualNodes > MaxVirtualNodes {
		return fmt.Errorf("placement: %d virtual nodes, must be from 1 to %d", p.VirtualNodes, MaxVirtualNodes)
	}
	return checkHash(p.Hash)
}

// A Ring is a circle of 2^64 places. Each node has v points on it, its virtual
// nodes, and a key belongs to the node whose point comes next after the key's own
// place. It depends on the set of its nodes alone, not on the order in which
// they came and went. When a node joins, a key moves only if a new point comes
// between it and its old owner's point: to the new node, none between old ones.
//
// Make one with NewRing. Methods that change nothing may run at the same time as
// each other, but not while another method changes the ring.
type Ring struct {
	params RingParams
	place  func(text []byte) uint64 // Hash.Bytes; tests make points collide
	ids    map[string]uint32
	nodes  []ringNode // by number
	points []point    // by place, then by name
	index  index
}

type ringNode struct {
	name   string
	weight int
}

// A point is one virtual node.
type point struct {
	place uint64
	owner uint32
}

// A Point is one virtual node.
type Point struct {
	Place uint64 // on the circle
	Node  string
}

// NewRing returns a ring without nodes. It refuses parameters out of range.
func NewRing(p RingParams) (*Ring, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return &Ring{params: p, place: p.Hash.Bytes, ids: map[string]uint32{}}, nil
}

// Add adds a node, whose points are the hashes of "node#0" to "node#v-1". It
// returns ErrDuplicate, and changes nothing, when the node is there. It takes
// time proportional to the number of points on the ring; to add many nodes, use
// AddAll.
func (r *Ring) Add(node string) error { return r.add([]ringNode{{node, 1}}) }

// AddAll adds nodes in one step. It returns ErrDuplicate, and changes nothing, when
// one is there or is named twice.
func (r *Ring) AddAll(nodes ...string) error {
	all := make([]ringNode, len(nodes))
	for i, node := range nodes {
		all[i] = ringNode{node, 1}
	}
	return r.add(all)
}

// AddWeighted is Add for a node of weight times v points, which takes weight
// times the share of a node of weight 1. Its points are those of the same node
// with a lower weight, and more. It refuses a weight below 1, and one with which
// the node had more than MaxVirtualNodes points or the ring more than MaxPoints.
func (r *Ring) AddWeighted(node string, weight int) error {
	return r.add([]ringNode{{node, weight}})
}

func (r *Ring) add(nodes []ringNode) error {
	points, err := r.check(nodes)
	if err != nil {
		return err
	}
	added := make([]point, 0, points)
	for _, n := range nodes {
		id := uint32(len(r.nodes))
		r.ids[n.name] = id
		r.nodes = append(r.nodes, n)
		text := append([]byte(n.name), '#')
		for v := range n.weight * r.params.VirtualNodes {
			added = append(added, point{r.place(strconv.AppendInt(text, int64(v), 10)), id})
		}
	}
	slices.SortFunc(added, r.order)
	r.points = r.merge(r.points, added)
	r.index = newIndex(r.points)
	return nil
}

// check returns the number of points of nodes that may be added.
func (r *Ring) check(nodes []ringNode) (points int, err error) {
	seen := make(map[string]struct{}, len(nodes))
	for _, n := range nodes {
		if err := checkName(n.name); err != nil {
			return 0, err
		}
		_, there := r.ids[n.name]
		if _, twice := seen[n.name]; there || twice {
			return 0, duplicate(n.name)
		}
		seen[n.name] = struct{}{}
		if most := MaxVirtualNodes / r.params.VirtualNodes; n.weight < 1 || n.weight > most {
			return 0, fmt.Errorf("placement: weight %d, must be from 1 to %d", n.weight, most)
		}
		if points += n.weight * r.params.VirtualNodes; len(r.points)+points > MaxPoints {
			return 0, fmt.Errorf("placement: more than %d points in all", MaxPoints)
		}
	}
	return points, nil
}

// order sorts points by place; points that collide, by the name of the node.
func (r *Ring) order(p, q point) int {
	return cmp.Or(cmp.Compare(p.place, q.place), cmp.Compare(r.nodes[p.owner].name, r.nodes[q.owner].name))
}

// merge joins two sorted lists of points.
func (r *Ring) merge(a, b []point) []point {
	joined := make([]point, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].place < b[0].place || a[0].place == b[0].place && r.order(a[0], b[0]) <= 0 {
			joined, a = append(joined, a[0]), a[1:]
		} else {
			joined, b = append(joined, b[0]), b[1:]
		}
	}
	return append(append(joined, a...), b...)
}

// Remove removes a node: its keys go to the owners of the points that follow,
// all other keys stay. It returns ErrUnknown, and changes nothing, when the
// node is not there.
func (r *Ring) Remove(node string) error {
	id, ok := r.ids[node]
	if !ok {
		return unknown(node)
	}
	last := uint32(len(r.nodes) - 1) // takes the number that becomes free
	kept := make([]point, 0, len(r.points)-r.nodes[id].weight*r.params.VirtualNodes)
	for _, p := range r.points {
		if p.owner == id {
			continue
		}
		if p.owner == last {
			p.owner = id
		}
		kept = append(kept, p)
	}
	r.nodes[id] = r.nodes[last]
	r.ids[r.nodes[id].name] = id
	r.nodes = slices.Delete(r.nodes, int(last), len(r.nodes))
	delete(r.ids, node)
	r.points, r.index = kept, newIndex(kept)
	return nil
}

// Owner is the node that a key belongs to: that of the first point strictly
// after the key's hash, or of the first point of all when there is none. Of
// points that collide the first by node name counts. It returns ErrEmpty when
// the ring has no nodes.
func (r *Ring) Owner(key uint64) (string, error) { return r.OwnerHash(r.params.Hash.Uint64(key)) }

// OwnerBytes is Owner for a byte string, which it does not keep.
func (r *Ring) OwnerBytes(key []byte) (string, error) { return r.OwnerHash(r.place(key)) }

// OwnerHash is Owner for a key's place on the circle.
func (r *Ring) OwnerHash(hash uint64) (string, error) {
	if len(r.points) == 0 {
		return "", ErrEmpty
	}
	return r.nodes[r.points[r.index.after(r.points, hash)].owner].name, nil
}

// Len is the number of nodes, S.
func (r *Ring) Len() int { return len(r.nodes) }

// Nodes returns the names of the nodes, sorted.
func (r *Ring) Nodes() []string { return slices.Sorted(maps.Keys(r.ids)) }

// Weight is the weight of a node, 0 if it is not there.
func (r *Ring) Weight(node string) int {
	if id, ok := r.ids[node]; ok {
		return r.nodes[id].weight
	}
	return 0
}

// VirtualNodes is the number of points of each node of weight 1, v.
func (r *Ring) VirtualNodes() int { return r.params.VirtualNodes }

// Hash is the hash function of the ring.
func (r *Ring) Hash() hashing.Hasher { return r.params.Hash }

// Params are what NewRing was given.
func (r *Ring) Params() RingParams { return r.params }

// Points returns a copy of the points, sorted by place and then by name.
func (r *Ring) Points() []Point {
	all := make([]Point, len(r.points))
	for i, p := range r.points {
		all[i] = Point{p.place, r.nodes[p.owner].name}
	}
	return all
}

// SizeBytes is the memory of points and index, without the names.
func (r *Ring) SizeBytes() int { return 16*len(r.points) + 4*len(r.index.first) }

// Clone returns a copy that shares nothing with r that changes.
func (r *Ring) Clone() *Ring {
	c := *r
	c.ids, c.nodes = maps.Clone(r.ids), slices.Clone(r.nodes)
	return &c // points and index are replaced, never written to
}

// Reset removes all nodes.
func (r *Ring) Reset() {
	clear(r.ids)
	r.nodes, r.points, r.index = nil, nil, index{}
}

// Equal reports whether both place every key alike: the same points a node, hash
// function, nodes and weights.
func (r *Ring) Equal(s *Ring) bool {
	if r.params != s.params || len(r.nodes) != len(s.nodes) {
		return false
	}
	for _, n := range r.nodes {
		if s.Weight(n.name) != n.weight {
			return false
		}
	}
	return true
}
