package ring

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

var (
	// ErrEmpty is returned when a ring without nodes is asked for an owner.
	ErrEmpty = errors.New("ring: no nodes")
	// ErrDuplicate is returned when a node is added that is there.
	ErrDuplicate = errors.New("ring: node is there already")
	// ErrUnknown is returned when a node is removed that is not there.
	ErrUnknown = errors.New("ring: no such node")
)

// MaxVirtualNodes is the largest number of points of one node.
const MaxVirtualNodes = 1 << 20

// Params says how to build a Ring.
type Params struct {
	// VirtualNodes is v, the number of points of each node, from 1 to
	// MaxVirtualNodes.
	VirtualNodes int
	// Hash places points and keys; its zero value is refused.
	Hash hashing.Hasher
}

// A Ring is a consistent hash ring. It depends on the set of its nodes alone,
// not on the order in which they came and went. Make one with New. Methods that
// change nothing may run at the same time as each other, but not while another
// method changes the ring.
type Ring struct {
	virtual int
	hash    hashing.Hasher
	place   func(text []byte) uint64 // hash.Bytes; tests make points collide
	nodes   map[string]struct{}
	points  []Point
}

// A Point is one virtual node.
type Point struct {
	Place uint64 // on the circle
	Node  string
}

// order sorts points by place; points that collide, by the name of the node.
func (p Point) order(q Point) int {
	return cmp.Or(cmp.Compare(p.Place, q.Place), cmp.Compare(p.Node, q.Node))
}

// New returns a ring without nodes. It refuses parameters out of range.
func New(p Params) (*Ring, error) {
	if p.VirtualNodes < 1 || p.VirtualNodes > MaxVirtualNodes {
		return nil, fmt.Errorf("ring: %d virtual nodes, must be from 1 to %d", p.VirtualNodes, MaxVirtualNodes)
	}
	if !p.Hash.Family().Valid() {
		return nil, fmt.Errorf("ring: %w: %d", hashing.ErrFamily, p.Hash.Family())
	}
	return &Ring{
		virtual: p.VirtualNodes, hash: p.Hash, place: p.Hash.Bytes,
		nodes: map[string]struct{}{},
	}, nil
}

// Add adds a node, whose points are the hashes of "node#0" to "node#v-1". It
// returns ErrDuplicate, and changes nothing, when the node is there. It takes
// time proportional to the number of points.
func (r *Ring) Add(node string) error {
	if _, ok := r.nodes[node]; ok {
		return fmt.Errorf("%w: %q", ErrDuplicate, node)
	}
	r.nodes[node] = struct{}{}
	added := make([]Point, r.virtual)
	text := append([]byte(node), '#')
	for v := range added {
		added[v] = Point{r.place(strconv.AppendInt(text, int64(v), 10)), node}
	}
	slices.SortFunc(added, Point.order)
	r.points = merge(r.points, added)
	return nil
}

// merge joins two sorted lists of points.
func merge(a, b []Point) []Point {
	joined := make([]Point, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].order(b[0]) <= 0 {
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
	if _, ok := r.nodes[node]; !ok {
		return fmt.Errorf("%w: %q", ErrUnknown, node)
	}
	delete(r.nodes, node)
	r.points = slices.DeleteFunc(r.points, func(p Point) bool { return p.Node == node })
	return nil
}

// Owner is the node that a key belongs to: that of the first point strictly
// after the key's hash, or of the first point of all when there is none. Of
// points that collide the first by node name counts. It returns ErrEmpty when
// the ring has no nodes.
func (r *Ring) Owner(key string) (string, error) { return r.owner(r.place([]byte(key))) }

// OwnerBytes is Owner for a byte string, which it does not keep.
func (r *Ring) OwnerBytes(key []byte) (string, error) { return r.owner(r.place(key)) }

// OwnerUint64 is Owner for a numeric key.
func (r *Ring) OwnerUint64(key uint64) (string, error) { return r.owner(r.hash.Uint64(key)) }

func (r *Ring) owner(place uint64) (string, error) {
	if len(r.points) == 0 {
		return "", ErrEmpty
	}
	i, _ := slices.BinarySearchFunc(r.points, place, func(p Point, place uint64) int {
		if p.Place > place {
			return 1
		}
		return -1
	})
	if i == len(r.points) {
		i = 0
	}
	return r.points[i].Node, nil
}

// Len is the number of nodes, S.
func (r *Ring) Len() int { return len(r.nodes) }

// VirtualNodes is the number of points of each node, v.
func (r *Ring) VirtualNodes() int { return r.virtual }

// Hash is the hash function of the ring.
func (r *Ring) Hash() hashing.Hasher { return r.hash }

// Points returns a copy of the points, S v of them, sorted by place and then
// by name.
func (r *Ring) Points() []Point { return slices.Clone(r.points) }
