package adapters

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/serialx/hashring"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/placement"
)

// hashringPoints is the weight of a node, which is the number of its points.
const hashringPoints = 100

var serialxHashring = Placer{
	Name:   "serialx-hashring",
	Module: "github.com/serialx/hashring",
	Build: func(spec sketchproof.PlacerSpec) (sketchproof.Placer, error) {
		weights := map[string]int{}
		suffix := "@" + strconv.FormatUint(spec.Seed, 10)
		for _, node := range spec.Nodes {
			if _, ok := weights[node+suffix]; ok {
				return nil, fmt.Errorf("adapters: serialx-hashring: node %q is there already", node)
			}
			weights[node+suffix] = hashringPoints
		}
		return &SerialxHashring{hashring.NewWithWeights(weights), weights, suffix}, nil
	},
	Laws: []placerLaw{
		loadLaw("ring.sampled-cv", "derived: Beta(v, v(S-1)) shares (David and Nagaraja 2003, section 6.4), counted on n keys",
			func(s, n int) float64 { return placement.SampledShareCV(s, hashringPoints, n) }),
		movedLaw,
	},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Fairness, Text: "consistent hashing that can be used when the number of server nodes can increase or decrease", Where: "README"},
		{Of: sketchproof.Concurrency, Text: "GetNodes is thread safe if the hash which was used to configure the hash ring is thread safe.", Where: "func (*HashRing) GetNodes"},
	},
}

// SerialxHashring is the ring of github.com/serialx/hashring: MD5, 100 points a
// node, no seed. The names that it knows end in the seed instead.
type SerialxHashring struct {
	ring    *hashring.HashRing
	weights map[string]int
	suffix  string
}

// Add adds a node, which the library does without a word when it is there.
func (s *SerialxHashring) Add(node string) error {
	if _, ok := s.weights[node+s.suffix]; ok {
		return fmt.Errorf("adapters: serialx-hashring: node %q is there already", node)
	}
	s.weights = maps.Clone(s.weights)
	s.weights[node+s.suffix] = hashringPoints
	s.ring = s.ring.AddWeightedNode(node+s.suffix, hashringPoints)
	return nil
}

// Remove removes a node.
func (s *SerialxHashring) Remove(node string) error {
	if _, ok := s.weights[node+s.suffix]; !ok {
		return fmt.Errorf("adapters: serialx-hashring: no node %q", node)
	}
	s.weights = maps.Clone(s.weights)
	delete(s.weights, node+s.suffix)
	s.ring = s.ring.RemoveNode(node + s.suffix)
	return nil
}

// Owner asks for the key's eight bytes as a string, which is what the library takes.
func (s *SerialxHashring) Owner(key uint64) (string, error) {
	node, ok := s.ring.GetNode(string(keyBytes(key)))
	if !ok {
		return "", fmt.Errorf("adapters: serialx-hashring: no nodes")
	}
	return strings.TrimSuffix(node, s.suffix), nil
}
