package placement

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var _ sketchproof.Placer = (*Rendezvous)(nil)

// A Rendezvous places a key on the node with the highest of all scores that key
// and node draw together (Thaler and Ravishankar 1998). A look-up takes time
// proportional to the number of nodes. It depends on the set of its nodes alone.
//
// With weights the score is -w/ln(u), u uniform, which makes a node's share its
// part of all weights (Schindler and Schomaker 2005), and only those keys move
// that must. Logarithms may differ in their last bit from one kind of processor to
// another: then so may the owner of about one key in 10^15.
//
// Make one with NewRendezvous. Methods that change nothing may run at the same
// time as each other, but not while another method changes the placement.
type Rendezvous struct {
	hash   hashing.Hasher
	nodes  []rival // by name
	uneven bool    // weights differ
}

type rival struct {
	name   string
	hash   uint64
	weight float64
}

// NewRendezvous returns a placement without nodes. It refuses the zero hash
// function.
func NewRendezvous(hash hashing.Hasher) (*Rendezvous, error) {
	if err := checkHash(hash); err != nil {
		return nil, err
	}
	return &Rendezvous{hash: hash}, nil
}

// Add adds a node of weight 1. It returns ErrDuplicate, and changes nothing, when
// the node is there.
func (r *Rendezvous) Add(node string) error { return r.AddWeighted(node, 1) }

// The weights of nodes.
const (
	MinWeight = 1e-100
	MaxWeight = 1e100
)

// AddWeighted is Add for a node of any weight from MinWeight to MaxWeight: it
// takes its part of the sum of all weights.
func (r *Rendezvous) AddWeighted(node string, weight float64) error {
	if err := checkName(node); err != nil {
		return err
	}
	if !(weight >= MinWeight && weight <= MaxWeight) {
		return fmt.Errorf("placement: weight %v, must be from %v to %v", weight, MinWeight, MaxWeight)
	}
	i, ok := r.find(node)
	if ok {
		return duplicate(node)
	}
	// Nodes are hashed by another function than keys: a key of a node's name is a
	// key like any other.
	n := rival{node, r.hash.At(1).Bytes([]byte(node)), weight}
	r.set(slices.Insert(slices.Clip(r.nodes), i, n))
	return nil
}

func (r *Rendezvous) set(nodes []rival) {
	r.nodes = nodes
	r.uneven = slices.ContainsFunc(nodes, func(n rival) bool { return n.weight != nodes[0].weight })
}

func (r *Rendezvous) find(node string) (int, bool) {
	return slices.BinarySearchFunc(r.nodes, node, func(n rival, node string) int { return strings.Compare(n.name, node) })
}

// Remove removes a node: its keys go to all others by their weights, and no other
// key moves. It returns ErrUnknown, and changes nothing, when the node is not there.
func (r *Rendezvous) Remove(node string) error {
	i, ok := r.find(node)
	if !ok {
		return unknown(node)
	}
	r.set(slices.Delete(r.nodes, i, i+1))
	return nil
}

// Owner is the node that a key belongs to: the one with the highest score, of
// equal ones the first by name. It returns ErrEmpty when there are no nodes.
func (r *Rendezvous) Owner(key uint64) (string, error) { return r.OwnerHash(r.hash.Uint64(key)) }

// OwnerBytes is Owner for a byte string, which it does not keep.
func (r *Rendezvous) OwnerBytes(key []byte) (string, error) { return r.OwnerHash(r.hash.Bytes(key)) }

// OwnerHash is Owner for a key's hash.
func (r *Rendezvous) OwnerHash(hash uint64) (string, error) {
	if len(r.nodes) == 0 {
		return "", ErrEmpty
	}
	best, high := 0, hashing.Mix(hash^r.nodes[0].hash)
	if !r.uneven { // -w/ln(u) rises with u
		for i := 1; i < len(r.nodes); i++ {
			if score := hashing.Mix(hash ^ r.nodes[i].hash); score > high {
				best, high = i, score
			}
		}
		return r.nodes[best].name, nil
	}
	top := r.nodes[0].score(high)
	for i := 1; i < len(r.nodes); i++ {
		n := &r.nodes[i]
		draw := hashing.Mix(hash ^ n.hash)
		// Of equal weights the draws decide, as they do where all are equal.
		score, higher := n.score(draw), draw > high
		if n.weight != r.nodes[best].weight {
			higher = score > top
		}
		if higher {
			best, high, top = i, draw, score
		}
	}
	return r.nodes[best].name, nil
}

// score is -w/ln(u), where u is a draw between 0 and 1, both excluded.
func (n *rival) score(draw uint64) float64 {
	return -n.weight / math.Log((float64(draw>>12)+0.5)*0x1p-52)
}

// Len is the number of nodes, S.
func (r *Rendezvous) Len() int { return len(r.nodes) }

// Nodes returns the names of the nodes, sorted.
func (r *Rendezvous) Nodes() []string {
	names := make([]string, len(r.nodes))
	for i, n := range r.nodes {
		names[i] = n.name
	}
	return names
}

// Weight is the weight of a node, 0 if it is not there.
func (r *Rendezvous) Weight(node string) float64 {
	if i, ok := r.find(node); ok {
		return r.nodes[i].weight
	}
	return 0
}

// Hash is the hash function of the placement.
func (r *Rendezvous) Hash() hashing.Hasher { return r.hash }

// SizeBytes is the memory of hashes and weights, without the names.
func (r *Rendezvous) SizeBytes() int { return 16 * len(r.nodes) }

// Clone returns a copy that shares nothing with r that changes.
func (r *Rendezvous) Clone() *Rendezvous {
	c := *r
	c.nodes = slices.Clone(r.nodes)
	return &c
}

// Reset removes all nodes.
func (r *Rendezvous) Reset() { r.nodes, r.uneven = nil, false }

// Equal reports whether both place every key alike: the same hash function, nodes
// and weights.
func (r *Rendezvous) Equal(s *Rendezvous) bool {
	return r.hash == s.hash && slices.EqualFunc(r.nodes, s.nodes, func(a, b rival) bool {
		return a.name == b.name && a.weight == b.weight
	})
}
