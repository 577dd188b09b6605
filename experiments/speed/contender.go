package speed

import (
	"fmt"
	"path"
	"runtime"
	"strconv"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
)

// A contender is a subject with what is timed and weighed of it.
type contender struct {
	subject, module, kind string
	eps                   float64 // rate that a filter is built for, 0 for a sketch
	ops                   []string
	// round builds a structure of n keys and returns the time of each of ops, in
	// seconds per operation, and a filter's measured false-positive rate.
	round func(n int, seed uint64) (reading, error)
	// weigh builds one and returns its size by its own account, on the heap, and
	// serialized (0 where it has no such form), in bytes; nil where its size does
	// not follow from the keys.
	weigh func(n int, seed uint64) (weight, error)
}

type reading struct {
	seconds []float64
	rate    float64
}

type weight struct{ told, heap, stored int }

// contenders are all subjects of the catalogue, after what the harness itself
// costs.
func contenders() []contender {
	list := []contender{filterContender(adapters.Filter{Name: Overhead, Build: buildOverhead}, rate)}
	for _, s := range adapters.Filters {
		list = append(list, filterContender(s, rate))
	}
	for _, s := range adapters.Filters {
		if s.Name == "cuckoo" {
			list = append(list, filterContender(s, eightBits))
		}
	}
	for _, s := range adapters.Cardinalities {
		list = append(list, cardinalityContender(s))
	}
	for _, s := range adapters.Frequencies {
		list = append(list, frequencyContender(s))
	}
	list = append(list, streamContenders()...)
	for _, s := range adapters.Placers {
		list = append(list, placerContender(s))
	}
	return list
}

// seed is the seed of a round, from what is timed.
func (c contender) seed(n, round int) uint64 {
	name := path.Join("speed", c.kind, c.subject, strconv.Itoa(n))
	if c.eps != rate && c.eps != 0 {
		name = path.Join(name, fmt.Sprint(c.eps))
	}
	return engine.Seed(0, name, round)
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
