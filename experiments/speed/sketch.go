package speed

import (
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
)

// What is timed of a sketch beside add.
const (
	opEstimate = "estimate" // of all distinct keys
	opCountOne = "count"    // of one key
)

func cardinalityContender(s adapters.Cardinality) contender {
	c := contender{subject: s.Name, module: s.Module, kind: "cardinality", ops: []string{opAdd, opEstimate}}
	build := func(n int, seed uint64) (sketchproof.Cardinality, float64, error) {
		d, err := s.Build(sketchproof.CardinalitySpec{Precision: 14, Seed: seed})
		if err != nil {
			return nil, 0, err
		}
		return d, keys(seed).each(n, func(some []uint64) {
			for _, key := range some {
				d.Add(key)
			}
		}), nil
	}
	c.round = func(n int, seed uint64) (reading, error) {
		d, add, err := build(n, seed)
		if err != nil {
			return reading{}, err
		}
		const estimates = 20
		var sum float64
		estimate := per(estimates, func() {
			for range estimates {
				sum += d.Estimate()
			}
		})
		if mean := sum / estimates; mean < float64(n)/2 || mean > 2*float64(n) {
			return reading{}, fmt.Errorf("%s counts %.0f of %d keys", s.Name, mean, n)
		}
		return reading{seconds: []float64{add, estimate}}, nil
	}
	c.weigh = func(n int, seed uint64) (weight, error) {
		return weigh(s.Encode, func() (sketchproof.Cardinality, error) { d, _, err := build(n, seed); return d, err })
	}
	return c
}

func frequencyContender(s adapters.Frequency) contender {
	c := contender{subject: s.Name, module: s.Module, kind: "frequency", ops: []string{opAdd, opCountOne}}
	build := func(n int, seed uint64) (sketchproof.Frequency, float64, error) {
		// 2719 x 5 is the table for ε = 0.001 and δ = 0.01.
		f, err := s.Build(sketchproof.FrequencySpec{Width: 2719, Depth: 5, Seed: seed})
		if err != nil {
			return nil, 0, err
		}
		return f, keys(seed).each(n, func(some []uint64) {
			for _, key := range some {
				f.Add(key, 1)
			}
		}), nil
	}
	c.round = func(n int, seed uint64) (reading, error) {
		f, add, err := build(n, seed)
		if err != nil {
			return reading{}, err
		}
		under := 0
		probes := probes{keys: keys(seed), held: n}
		ops := min(max(n, leastOps), mostOps)
		var some [chunk]uint64
		count := perChunk(ops, func(from, n int) { probes.present(some[:n], from) }, func(n int) {
			for _, key := range some[:n] {
				if f.Count(key) < 1 {
					under++
				}
			}
		})
		if under > 0 {
			return reading{}, fmt.Errorf("%s counts %d keys as never seen", s.Name, under)
		}
		return reading{seconds: []float64{add, count}}, nil
	}
	c.weigh = func(n int, seed uint64) (weight, error) {
		return weigh(s.Encode, func() (sketchproof.Frequency, error) { f, _, err := build(n, seed); return f, err })
	}
	return c
}
