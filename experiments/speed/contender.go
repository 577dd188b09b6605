package speed

import (
	"fmt"
	"runtime"
	"time"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// The operations that are timed, in the order of the tables.
const (
	opAdd      = "add"
	opHit      = "hit"      // look-up of a key that was added
	opMiss     = "miss"     // look-up of a key never seen before
	opEstimate = "estimate" // of all distinct keys
	opCount    = "count"    // of one key
)

// rate is the false-positive rate that filters are built for.
const rate = 0.01

// leastOps is the least number of operations under one reading of the clock.
const leastOps = 200_000

// keys are distinct random keys, made as they are needed: a table of them would
// compete for the caches.
type keys uint64

func (k keys) at(i int) uint64 { return hashing.Mix(uint64(k) + uint64(i+1)*hashing.Gamma) }

// A contender is a subject with what is timed and weighed of it.
type contender struct {
	subject, module, kind string
	ops                   []string
	// round builds a structure of n keys and returns the time of each of ops,
	// in seconds per operation.
	round func(n int, seed uint64) ([]float64, error)
	// weigh builds one and returns its size by its own account, on the heap, and
	// serialized (0 where it has no such form), in bytes.
	weigh func(n int, seed uint64) (weight, error)
}

type weight struct{ told, heap, stored int }

// overhead is what the harness itself costs: a filter that does nothing, called
// through the same interface in the same loops.
type overhead struct{}

func (overhead) Add(uint64) error         { return nil }
func (overhead) Contains(key uint64) bool { return key&1 == 1 }
func (overhead) SizeBytes() int           { return 0 }

func contenders() []contender {
	list := []contender{filterContender(adapters.Filter{
		Name:  "harness-overhead",
		Build: func(sketchproof.FilterSpec) (sketchproof.Filter, error) { return overhead{}, nil },
	})}
	for _, s := range adapters.Filters {
		list = append(list, filterContender(s))
	}
	for _, s := range adapters.Cardinalities {
		list = append(list, cardinalityContender(s))
	}
	for _, s := range adapters.Frequencies {
		list = append(list, frequencyContender(s))
	}
	return list
}

// per times ops calls of f and returns seconds per call.
func per(ops int, f func()) float64 {
	start := time.Now()
	f()
	return time.Since(start).Seconds() / float64(ops)
}

func filterContender(s adapters.Filter) contender {
	c := contender{subject: s.Name, module: s.Module, kind: "filter", ops: []string{opAdd, opHit, opMiss}}
	c.round = func(n int, seed uint64) ([]float64, error) { return filterRound(s, n, seed) }
	c.weigh = func(n int, seed uint64) (weight, error) {
		k := keys(seed)
		return weigh(s.Encode, func() (sketchproof.Filter, error) { f, _, err := buildFilter(s, k, n, seed); return f, err })
	}
	return c
}

// buildFilter makes a filter of n keys and times the additions, or the whole
// build of a static one.
func buildFilter(s adapters.Filter, k keys, n int, seed uint64) (sketchproof.Filter, float64, error) {
	spec := sketchproof.FilterSpec{Capacity: n, Epsilon: rate, Seed: seed}
	f, err := s.Build(spec)
	if err != nil {
		return nil, 0, err
	}
	if adder, ok := f.(sketchproof.Adder); ok {
		sec := per(n, func() {
			for i := range n {
				if e := adder.Add(k.at(i)); e != nil {
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

func filterRound(s adapters.Filter, n int, seed uint64) ([]float64, error) {
	k := keys(seed)
	f, add, err := buildFilter(s, k, n, seed)
	if err != nil {
		return nil, err
	}
	ops := max(n, leastOps)
	found := 0
	hit := per(ops, func() {
		for i, j := 0, 0; i < ops; i++ {
			// 7919 is prime and no n here is a multiple of it: every key once, in
			// an order that is not that of the additions.
			if j += 7919; j >= n {
				j %= n
			}
			if f.Contains(k.at(j)) {
				found++
			}
		}
	})
	if _, free := f.(overhead); !free && found != ops {
		return nil, fmt.Errorf("%s found %d of %d keys it holds", s.Name, found, ops)
	}
	wrong := 0
	miss := per(ops, func() {
		for i := range ops {
			if f.Contains(k.at(n + i)) {
				wrong++
			}
		}
	})
	if wrong == ops {
		return nil, fmt.Errorf("%s finds everything", s.Name)
	}
	return []float64{add, hit, miss}, nil
}

func cardinalityContender(s adapters.Cardinality) contender {
	c := contender{subject: s.Name, module: s.Module, kind: "cardinality", ops: []string{opAdd, opEstimate}}
	build := func(n int, seed uint64) (sketchproof.Cardinality, float64, error) {
		d, err := s.Build(sketchproof.CardinalitySpec{Precision: 14, Seed: seed})
		if err != nil {
			return nil, 0, err
		}
		k := keys(seed)
		return d, per(n, func() {
			for i := range n {
				d.Add(k.at(i))
			}
		}), nil
	}
	c.round = func(n int, seed uint64) ([]float64, error) {
		d, add, err := build(n, seed)
		if err != nil {
			return nil, err
		}
		const estimates = 20
		var sum float64
		estimate := per(estimates, func() {
			for range estimates {
				sum += d.Estimate()
			}
		})
		if mean := sum / estimates; mean < float64(n)/2 || mean > 2*float64(n) {
			return nil, fmt.Errorf("%s counts %.0f of %d keys", s.Name, mean, n)
		}
		return []float64{add, estimate}, nil
	}
	c.weigh = func(n int, seed uint64) (weight, error) {
		return weigh(s.Encode, func() (sketchproof.Cardinality, error) { d, _, err := build(n, seed); return d, err })
	}
	return c
}

func frequencyContender(s adapters.Frequency) contender {
	c := contender{subject: s.Name, module: s.Module, kind: "frequency", ops: []string{opAdd, opCount}}
	build := func(n int, seed uint64) (sketchproof.Frequency, float64, error) {
		// 2719 x 5 is the table for ε = 0.001 and δ = 0.01.
		f, err := s.Build(sketchproof.FrequencySpec{Width: 2719, Depth: 5, Seed: seed})
		if err != nil {
			return nil, 0, err
		}
		k := keys(seed)
		return f, per(n, func() {
			for i := range n {
				f.Add(k.at(i), 1)
			}
		}), nil
	}
	c.round = func(n int, seed uint64) ([]float64, error) {
		f, add, err := build(n, seed)
		if err != nil {
			return nil, err
		}
		k, under := keys(seed), 0
		ops := max(n, leastOps)
		count := per(ops, func() {
			for i, j := 0, 0; i < ops; i++ {
				if j += 7919; j >= n {
					j %= n
				}
				if f.Count(k.at(j)) < 1 {
					under++
				}
			}
		})
		if under > 0 {
			return nil, fmt.Errorf("%s counts %d keys as never seen", s.Name, under)
		}
		return []float64{add, count}, nil
	}
	c.weigh = func(n int, seed uint64) (weight, error) {
		return weigh(s.Encode, func() (sketchproof.Frequency, error) { f, _, err := build(n, seed); return f, err })
	}
	return c
}

// weigh measures a structure on an otherwise clean heap.
func weigh[S interface{ SizeBytes() int }](encode func(S) ([]byte, error), build func() (S, error)) (weight, error) {
	before := heap()
	s, err := build()
	if err != nil {
		return weight{}, err
	}
	w := weight{told: s.SizeBytes(), heap: int(heap()) - int(before)}
	if encode != nil {
		data, err := encode(s)
		if err != nil {
			return weight{}, err
		}
		w.stored = len(data)
	}
	runtime.KeepAlive(s)
	return w, nil
}

func heap() uint64 {
	runtime.GC()
	runtime.GC() // what the first one's finalizers let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
