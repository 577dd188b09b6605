package placement

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var _ sketchproof.Placer = (*Jump)(nil)

// ErrNotLast is returned when a node is removed from a Jump that is not the last.
var ErrNotLast = errors.New("placement: jump consistent hash removes the last node alone")

// A Jump places keys by jump consistent hash (Lamping and Veach 2014). It knows
// nodes by their numbers, which are the order in which they came: that order
// matters, and only the last node can be removed. Where any node may fail, take
// another placement, or give the name of the failed node to the one that takes
// over. Nodes have no weights: one that is twice as large may join twice, under two
// names.
//
// Make one with NewJump. Methods that change nothing may run at the same time as
// each other, but not while another method changes the placement.
type Jump struct {
	hash  hashing.Hasher
	nodes []string
	known map[string]struct{}
}

// MaxJump is the largest number of nodes.
const MaxJump = math.MaxInt32

// NewJump returns a placement without nodes. It refuses the zero hash function.
func NewJump(hash hashing.Hasher) (*Jump, error) {
	if err := checkHash(hash); err != nil {
		return nil, err
	}
	return &Jump{hash: hash, known: map[string]struct{}{}}, nil
}

// Add adds a node at the end. It returns ErrDuplicate, and changes nothing, when
// the node is there.
func (j *Jump) Add(node string) error {
	if err := checkName(node); err != nil {
		return err
	}
	if _, ok := j.known[node]; ok {
		return duplicate(node)
	}
	if len(j.nodes) == MaxJump {
		return fmt.Errorf("placement: %d nodes are the most that jump consistent hash tells apart", MaxJump)
	}
	j.known[node] = struct{}{}
	j.nodes = append(j.nodes, node)
	return nil
}

// Remove removes the last node: its keys go to all others evenly, and no other
// key moves. It returns ErrUnknown when the node is not there and ErrNotLast when it
// is not the last, and then changes nothing.
func (j *Jump) Remove(node string) error {
	if _, ok := j.known[node]; !ok {
		return unknown(node)
	}
	last := len(j.nodes) - 1
	if j.nodes[last] != node {
		return fmt.Errorf("%w: that is %q, not %q", ErrNotLast, j.nodes[last], node)
	}
	j.nodes = slices.Delete(j.nodes, last, last+1)
	delete(j.known, node)
	return nil
}

// Owner is the node that a key belongs to. It returns ErrEmpty when there are no
// nodes.
func (j *Jump) Owner(key uint64) (string, error) { return j.OwnerHash(j.hash.Uint64(key)) }

// OwnerBytes is Owner for a byte string, which it does not keep.
func (j *Jump) OwnerBytes(key []byte) (string, error) { return j.OwnerHash(j.hash.Bytes(key)) }

// OwnerHash is Owner for a key's hash.
func (j *Jump) OwnerHash(hash uint64) (string, error) {
	if len(j.nodes) == 0 {
		return "", ErrEmpty
	}
	return j.nodes[JumpHash(hash, len(j.nodes))], nil
}

// JumpHash is the published function: the number of the node, from 0 to n-1, that
// a hash belongs to among n nodes. With one node more, 1/(n+1) of the hashes move,
// all to the new one. n is from 1 to MaxJump; what it returns for others has no
// meaning.
func JumpHash(hash uint64, n int) int {
	// Floating point holds all the numbers exactly, so flooring them there is the
	// published truncation, without the way to the integers and back. It is half of
	// the chain that each step waits for.
	var node float64
	for next, end := 0.0, float64(n); next < end; {
		node = next
		hash = hash*2862933555777941757 + 1 // a linear congruential generator: the jumps' dice
		next = math.Floor((node + 1) * ((1 << 31) / float64(int64(hash>>33)+1)))
	}
	return int(node)
}

// Len is the number of nodes, S.
func (j *Jump) Len() int { return len(j.nodes) }

// Nodes returns the names of the nodes, in their order.
func (j *Jump) Nodes() []string { return slices.Clone(j.nodes) }

// Hash is the hash function of the keys.
func (j *Jump) Hash() hashing.Hasher { return j.hash }

// SizeBytes is the memory beside the names: none.
func (j *Jump) SizeBytes() int { return 0 }

// Clone returns a copy that shares nothing with j that changes.
func (j *Jump) Clone() *Jump {
	c := &Jump{hash: j.hash, nodes: slices.Clone(j.nodes), known: make(map[string]struct{}, len(j.nodes))}
	for _, node := range j.nodes {
		c.known[node] = struct{}{}
	}
	return c
}

// Reset removes all nodes.
func (j *Jump) Reset() {
	clear(j.known)
	j.nodes = nil
}

// Equal reports whether both place every key alike: the same hash function and the
// same nodes in the same order.
func (j *Jump) Equal(k *Jump) bool { return j.hash == k.hash && slices.Equal(j.nodes, k.nodes) }
