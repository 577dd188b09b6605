package speed

import (
	"encoding/binary"
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
)

// What is timed of a filter. Look-ups are of keys that were added (hit) or
// never seen before (miss), a key being a number, 16 bytes, or a hash; a batch
// is 1024 hashes, answered one by one or counted.
const (
	opAdd       = "add"
	opHit       = "hit"
	opMiss      = "miss"
	opMissBytes = "miss-bytes"
	opMissHash  = "miss-hash"
	opMissBatch = "miss-hash-batch"
	opCount     = "count-hash-batch"
)

const (
	// rate is the false-positive rate that filters are built for.
	rate = 0.01
	// eightBits is the rate at which our cuckoo filter takes tags of eight bits,
	// 2b/2^8, as the one library has them.
	eightBits = 8. / 256
)

// The number of look-ups under one reading: at least so many, and not more than
// tell something new of a large filter.
const leastOps, mostOps = 200_000, 500_000

// Overhead is the subject that stands for the harness itself: a filter that does
// nothing, called through the same interfaces in the same loops.
const Overhead = "harness-overhead"

type overhead struct{}

func (overhead) Add(uint64) error              { return nil }
func (overhead) Contains(key uint64) bool      { return key&1 == 1 }
func (overhead) ContainsBytes(key []byte) bool { return key[0]&1 == 1 }
func (overhead) ContainsHash(hash uint64) bool { return hash&1 == 1 }
func (overhead) SizeBytes() int                { return 0 }

func buildOverhead(sketchproof.FilterSpec) (sketchproof.Filter, error) { return overhead{}, nil }

func filterContender(s adapters.Filter, eps float64) contender {
	c := contender{subject: s.Name, module: s.Module, kind: "filter", eps: eps, ops: []string{opAdd}}
	if f, err := s.Build(sketchproof.FilterSpec{Capacity: 1, Epsilon: eps}); err == nil {
		c.ops = filterOps(f)
	}
	c.round = func(n int, seed uint64) (reading, error) {
		f, add, err := buildFilter(s, eps, n, seed)
		if err != nil {
			return reading{}, err
		}
		r := filterRound{f: f, probes: probes{keys: keys(seed), held: n}, ops: min(max(n, leastOps), mostOps), seconds: []float64{add}}
		return r.run(c.ops[1:])
	}
	c.weigh = func(n int, seed uint64) (weight, error) {
		return weigh(s.Encode, func() (sketchproof.Filter, error) { f, _, err := buildFilter(s, eps, n, seed); return f, err })
	}
	return c
}

// filterOps are the operations that a filter has.
func filterOps(f sketchproof.Filter) []string {
	ops := []string{opAdd, opHit, opMiss}
	if _, ok := f.(sketchproof.BytesFilter); ok {
		ops = append(ops, opMissBytes)
	}
	if _, ok := f.(sketchproof.HashFilter); ok {
		ops = append(ops, opMissHash)
	}
	if _, ok := f.(sketchproof.HashBatchFilter); ok {
		ops = append(ops, opMissBatch, opCount)
	}
	return ops
}

// buildFilter makes a filter of n keys and times the additions, or the whole
// build of a static one, per key.
func buildFilter(s adapters.Filter, eps float64, n int, seed uint64) (sketchproof.Filter, float64, error) {
	k := keys(seed)
	spec := sketchproof.FilterSpec{Capacity: n, Epsilon: eps, Seed: seed}
	f, err := s.Build(spec)
	if err != nil {
		return nil, 0, err
	}
	if adder, ok := f.(sketchproof.Adder); ok {
		sec := k.each(n, func(some []uint64) {
			for _, key := range some {
				if e := adder.Add(key); e != nil {
					err = e
				}
			}
		})
		return f, sec, err
	}
	spec.Keys = make([]uint64, n)
	for i := range spec.Keys {
		spec.Keys[i] = k.at(i)
	}
	sec := per(n, func() { f, err = s.Build(spec) })
	return f, sec, err
}

// A filterRound times the look-ups of one filter.
type filterRound struct {
	f       sketchproof.Filter
	probes  probes
	ops     int
	seconds []float64
	rate    float64
}

func (r *filterRound) run(ops []string) (reading, error) {
	for _, op := range ops {
		found := 0
		switch op {
		case opHit:
			found = r.numbers(r.probes.present)
		case opMiss:
			found = r.numbers(r.probes.absent)
			r.rate = float64(found) / float64(r.ops)
		case opMissBytes:
			found = r.bytes()
		case opMissHash:
			found = r.hashes()
		case opMissBatch:
			found = r.batches()
		case opCount:
			found = r.counts()
		}
		if _, free := r.f.(overhead); free {
			continue
		}
		if op == opHit && found != r.ops {
			return reading{}, fmt.Errorf("%d of %d keys found that are held", found, r.ops)
		}
		if op != opHit && found == r.ops {
			return reading{}, fmt.Errorf("all %d absent keys found by %s", found, op)
		}
	}
	return reading{r.seconds, r.rate}, nil
}

// numbers times single look-ups.
func (r *filterRound) numbers(ready func(dst []uint64, from int)) (found int) {
	var some [chunk]uint64
	r.seconds = append(r.seconds, perChunk(r.ops, func(from, n int) { ready(some[:n], from) }, func(n int) {
		for _, key := range some[:n] {
			if r.f.Contains(key) {
				found++
			}
		}
	}))
	return found
}

func (r *filterRound) hashes() (found int) {
	f := r.f.(sketchproof.HashFilter)
	var some [chunk]uint64
	r.seconds = append(r.seconds, perChunk(r.ops, func(from, n int) { r.probes.absent(some[:n], from) }, func(n int) {
		for _, hash := range some[:n] {
			if f.ContainsHash(hash) {
				found++
			}
		}
	}))
	return found
}

// bytes times look-ups of 16 bytes each.
func (r *filterRound) bytes() (found int) {
	const length = 16
	f := r.f.(sketchproof.BytesFilter)
	var some [chunk]uint64
	var texts [chunk][]byte
	room := make([]byte, chunk*length)
	for i := range texts {
		texts[i] = room[i*length : (i+1)*length : (i+1)*length]
	}
	r.seconds = append(r.seconds, perChunk(r.ops, func(from, n int) {
		r.probes.absent(some[:n], from)
		for i, key := range some[:n] {
			binary.LittleEndian.PutUint64(texts[i], key)
			binary.LittleEndian.PutUint64(texts[i][8:], key)
		}
	}, func(n int) {
		for _, text := range texts[:n] {
			if f.ContainsBytes(text) {
				found++
			}
		}
	}))
	return found
}

func (r *filterRound) batches() (found int) {
	f := r.f.(sketchproof.HashBatchFilter)
	var some [chunk]uint64
	var answers [chunk]bool
	count := func() { // what the chunk before found
		for i, answer := range answers {
			if answer {
				found++
			}
			answers[i] = false
		}
	}
	r.seconds = append(r.seconds, perChunk(r.ops, func(from, n int) {
		count()
		r.probes.absent(some[:n], from)
	}, func(n int) { f.ContainsHashBatch(some[:n], answers[:n]) }))
	count()
	return found
}

func (r *filterRound) counts() (found int) {
	f := r.f.(sketchproof.HashBatchFilter)
	var some [chunk]uint64
	r.seconds = append(r.seconds, perChunk(r.ops, func(from, n int) { r.probes.absent(some[:n], from) },
		func(n int) { found += f.CountHashBatch(some[:n]) }))
	return found
}
