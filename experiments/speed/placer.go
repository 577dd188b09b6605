package speed

import (
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
)

// opOwner asks a placement for the node of a key.
const opOwner = "owner"

// placedNodes is the number of nodes.
const placedNodes = 100

func placerContender(s adapters.Placer) contender {
	c := contender{subject: s.Name, module: s.Module, kind: "placement", ops: []string{opOwner}}
	var nodes []string
	for i := range placedNodes {
		nodes = append(nodes, fmt.Sprintf("node-%d", i))
	}
	c.round = func(n int, seed uint64) (reading, error) {
		p, err := s.Build(sketchproof.PlacerSpec{Nodes: nodes, Seed: seed})
		if err != nil {
			return reading{}, err
		}
		first := 0
		sec := keys(seed).each(min(n, leastOps), func(some []uint64) {
			for _, key := range some {
				owner, e := p.Owner(key)
				if e != nil {
					err = e
				}
				if owner == nodes[0] {
					first++
				}
			}
		})
		if err == nil && first == 0 {
			err = fmt.Errorf("%s gives nothing to %s", s.Name, nodes[0])
		}
		return reading{seconds: []float64{sec}}, err
	}
	return c
}
