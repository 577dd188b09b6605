package speed

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
)

// streamK is the size of what is kept of a stream: counters, values, items.
const streamK = 1024

// An adder takes a key with weight 1.
type adder interface{ Add(key uint64) }

// streamContender times additions to what keeps a part of a stream.
func streamContender(subject, module, kind string, build func(seed uint64) (adder, error)) contender {
	return contender{
		subject: subject, module: module, kind: kind, ops: []string{opAdd},
		round: func(n int, seed uint64) (reading, error) {
			a, err := build(seed)
			if err != nil {
				return reading{}, err
			}
			sec := keys(seed).skewed(min(n, mostOps), func(some []uint64) {
				for _, key := range some {
					a.Add(key)
				}
			})
			return reading{seconds: []float64{sec}}, nil
		},
	}
}

// A heavy is a heavy-hitter structure as an adder.
type heavy struct{ sketchproof.TopK }

func (h heavy) Add(key uint64) { h.TopK.Add(key, 1) }

// streamContenders are the heavy hitters, signatures and samplers.
func streamContenders() []contender {
	var list []contender
	for _, s := range adapters.TopKs {
		list = append(list, streamContender(s.Name, s.Module, "top-k", func(seed uint64) (adder, error) {
			t, err := s.Build(sketchproof.TopKSpec{K: streamK, Seed: seed})
			return heavy{t}, err
		}))
	}
	for _, s := range adapters.Signatures {
		list = append(list, streamContender(s.Name, s.Module, "similarity", func(seed uint64) (adder, error) {
			return s.Build(sketchproof.SignatureSpec{K: streamK, Seed: seed})
		}))
	}
	for _, s := range adapters.Samplers {
		list = append(list, streamContender(s.Name, s.Module, "sampling", func(seed uint64) (adder, error) {
			return s.Build(sketchproof.SamplerSpec{K: streamK, Seed: seed})
		}))
	}
	return list
}
