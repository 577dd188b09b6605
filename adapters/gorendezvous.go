package adapters

import (
	"errors"
	"fmt"

	"github.com/dgryski/go-rendezvous"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var goRendezvous = Placer{
	Name:   "go-rendezvous",
	Module: "github.com/dgryski/go-rendezvous",
	Build: func(spec sketchproof.PlacerSpec) (sketchproof.Placer, error) {
		hash := hashing.XX(spec.Seed)
		r := rendezvous.New(nil, func(s string) uint64 { return hash.Bytes([]byte(s)) })
		return with(&GoRendezvous{r, map[string]bool{}}, nil, spec.Nodes)
	},
	Laws: []placerLaw{evenLaw, movedLaw},
}

// GoRendezvous is the table of github.com/dgryski/go-rendezvous, with XXH64 under
// the seed. The library's documentation promises nothing.
type GoRendezvous struct {
	r     *rendezvous.Rendezvous
	nodes map[string]bool
}

// Add adds a node, which the library does without a word when it is there.
func (g *GoRendezvous) Add(node string) error {
	if g.nodes[node] {
		return fmt.Errorf("adapters: go-rendezvous: node %q is there already", node)
	}
	g.nodes[node] = true
	g.r.Add(node)
	return nil
}

// Remove removes a node. The library takes another when it is not there.
func (g *GoRendezvous) Remove(node string) error {
	if !g.nodes[node] {
		return fmt.Errorf("adapters: go-rendezvous: no node %q", node)
	}
	g.r.Remove(node)
	delete(g.nodes, node)
	return nil
}

// Owner asks for the key's eight bytes as a string, which is what the library takes.
func (g *GoRendezvous) Owner(key uint64) (string, error) {
	if len(g.nodes) == 0 {
		return "", errors.New("adapters: go-rendezvous: no nodes")
	}
	return g.r.Lookup(string(keyBytes(key))), nil
}
