package speed

import (
	"errors"
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
)

// What is timed of a sketch beside add: of a number of distinct keys, by hashes,
// in sketches of a chunk of keys each, the estimate of all, and a merge.
const (
	opAddHash  = "add-hash"
	opAddBatch = "add-hash-batch"
	opAddFew   = "add-few"
	opEstimate = "estimate"
	opMerge    = "merge"
	opCountOne = "count" // of one key
)

// fewSketches is how many sketches, each of a chunk of keys, are filled for one
// reading.
const fewSketches = 100

func cardinalityContender(s adapters.Cardinality) contender {
	c := contender{subject: s.Name, module: s.Module, kind: "cardinality", ops: []string{opAdd}}
	r := cardinalityRound{subject: s}
	if d, err := r.build(0); err == nil {
		if _, ok := d.(sketchproof.HashCardinality); ok {
			c.ops = append(c.ops, opAddHash)
		}
		if _, ok := d.(sketchproof.HashBatchAdder); ok {
			c.ops = append(c.ops, opAddBatch)
		}
		c.ops = append(c.ops, opAddFew, opEstimate)
		if s.Merge != nil {
			c.ops = append(c.ops, opMerge)
		}
	}
	c.round = func(n int, seed uint64) (reading, error) {
		r := r
		r.keys = keys(seed)
		for _, op := range c.ops {
			sec, err := r.time(op, n, seed)
			if err != nil {
				return reading{}, err
			}
			r.seconds = append(r.seconds, sec)
		}
		return reading{seconds: r.seconds}, nil
	}
	c.weigh = func(n int, seed uint64) (weight, error) {
		r := r
		r.keys = keys(seed)
		return weigh(s.Encode, func() (sketchproof.Cardinality, error) { d, _, err := r.add(n, seed); return d, err })
	}
	return c
}

// A cardinalityRound times one subject. held is the sketch of all keys, once they
// were added.
type cardinalityRound struct {
	subject adapters.Cardinality
	keys    keys
	held    sketchproof.Cardinality
	seconds []float64
}

func (r *cardinalityRound) build(seed uint64) (sketchproof.Cardinality, error) {
	return r.subject.Build(sketchproof.CardinalitySpec{Precision: 14, Seed: seed})
}

func (r *cardinalityRound) add(n int, seed uint64) (sketchproof.Cardinality, float64, error) {
	d, err := r.build(seed)
	if err != nil {
		return nil, 0, err
	}
	return d, r.keys.each(n, func(some []uint64) {
		for _, key := range some {
			d.Add(key)
		}
	}), nil
}

func (r *cardinalityRound) time(op string, n int, seed uint64) (sec float64, err error) {
	switch op {
	case opAdd:
		r.held, sec, err = r.add(n, seed)
		return sec, err
	case opAddHash:
		return r.addHashes(n, seed, func(d sketchproof.Cardinality, hashes []uint64) error {
			h := d.(sketchproof.HashCardinality)
			for _, hash := range hashes {
				h.AddHash(hash)
			}
			return nil
		})
	case opAddBatch:
		return r.addHashes(n, seed, func(d sketchproof.Cardinality, hashes []uint64) error {
			_, err := d.(sketchproof.HashBatchAdder).AddHashBatch(hashes)
			return err
		})
	case opAddFew:
		return r.addFew(n, seed)
	case opMerge:
		return r.merge(seed)
	default:
		return r.estimate(n)
	}
}

// addHashes times a way to add hashes to one sketch.
func (r *cardinalityRound) addHashes(n int, seed uint64, add func(d sketchproof.Cardinality, hashes []uint64) error) (sec float64, err error) {
	d, err := r.build(seed)
	if err != nil {
		return 0, err
	}
	sec = r.keys.each(n, func(some []uint64) { err = errors.Join(err, add(d, some)) })
	return sec, err
}

// addFew times sketches of a chunk of keys each, with their building.
func (r *cardinalityRound) addFew(n int, seed uint64) (sec float64, err error) {
	sec = r.keys.each(min(n, fewSketches*chunk), func(some []uint64) {
		d, e := r.build(seed)
		if e != nil {
			err = e
			return
		}
		for _, key := range some {
			d.Add(key)
		}
	})
	return sec, err
}

func (r *cardinalityRound) merge(seed uint64) (sec float64, err error) {
	other, err := r.build(seed)
	if err != nil {
		return 0, err
	}
	const merges = 20
	sec = per(merges, func() {
		for range merges {
			if e := r.subject.Merge(other, r.held); e != nil {
				err = e
			}
		}
	})
	return sec, err
}

func (r *cardinalityRound) estimate(n int) (float64, error) {
	const estimates = 200 // some take no longer than reading the clock
	var sum float64
	sec := per(estimates, func() {
		for range estimates {
			sum += r.held.Estimate()
		}
	})
	if mean := sum / estimates; mean < float64(n)/2 || mean > 2*float64(n) {
		return 0, fmt.Errorf("%s counts %.0f of %d keys", r.subject.Name, mean, n)
	}
	return sec, nil
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
