package adapters

import (
	"fmt"

	jump "github.com/dgryski/go-jump"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var goJump = Placer{
	Name:   "go-jump",
	Module: "github.com/dgryski/go-jump",
	Build: func(spec sketchproof.PlacerSpec) (sketchproof.Placer, error) {
		return with(&GoJump{hash: hashing.XX(spec.Seed)}, nil, spec.Nodes)
	},
	Laws: []placerLaw{evenLaw, movedLaw, numberedLaw},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Fairness, Text: "Hash consistently chooses a hash bucket number in the range [0, numBuckets) for the given key.", Where: "func Hash"},
	},
}

// GoJump is the jump hash of github.com/dgryski/go-jump, which numbers buckets,
// over a list of nodes. The key is hashed first, since the library takes a good
// hash for a key.
type GoJump struct {
	nodes []string
	hash  hashing.Hasher
}

// Add puts a node at the end of the list.
func (g *GoJump) Add(node string) error {
	for _, n := range g.nodes {
		if n == node {
			return fmt.Errorf("adapters: go-jump: node %q is there already", node)
		}
	}
	g.nodes = append(g.nodes, node)
	return nil
}

// Remove takes the last node off the list: the library knows no other removal.
func (g *GoJump) Remove(node string) error {
	if n := len(g.nodes); n == 0 || g.nodes[n-1] != node {
		return fmt.Errorf("adapters: go-jump: node %q is not the last", node)
	}
	g.nodes = g.nodes[:len(g.nodes)-1]
	return nil
}

// Owner is the node that the library's bucket stands for.
func (g *GoJump) Owner(key uint64) (string, error) {
	if len(g.nodes) == 0 {
		return "", fmt.Errorf("adapters: go-jump: no nodes")
	}
	return g.nodes[jump.Hash(g.hash.Uint64(key), len(g.nodes))], nil
}
