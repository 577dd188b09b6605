package experiments

import (
	"bytes"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// unionMetric is a law of merging, none of which has an exception.
func unionMetric(law string) engine.Metric {
	return engine.Metric{
		Name: "counterexamples/merge", Method: stats.Invariant,
		Law: "union." + law, Source: "bits are united by OR, which is a union of sets (Broder & Mitzenmacher 2004, section 2.2)",
	}
}

var (
	unionEqual       = unionMetric("equal")
	unionCommutative = unionMetric("commutative")
	unionAssociative = unionMetric("associative")
	unionIdempotent  = unionMetric("idempotent")
	unionMonotone    = unionMetric("monotone")
	unionPartition   = unionMetric("any-partition")
	unionSource      = unionMetric("source-unchanged")
)

var bloomUnion = engine.Experiment{
	Name:     "bloom/union",
	Question: "Is the merger of two filters the filter of the union, bit for bit?",
	Claims: []engine.Claim{
		{
			Text:   "the OR of two filters is the filter of the union",
			Source: "Bloom Filters & Counting Filters",
			Metric: unionEqual.Name, Law: unionEqual.Law,
		},
		{
			Text:   "merging is commutative, associative, idempotent and monotone, in any order",
			Source: "Bloom Filters & Counting Filters",
			Metric: unionEqual.Name,
		},
	},
	Method: "Filters of one geometry and seed take overlapping sets of keys. What a filter writes stands for its bits: two orders of merging " +
		"must write the same bytes. Monotone means that what either filter finds, absent keys too, the merger finds. The partition deals the " +
		"keys to eight filters at random and merges these in a random order. A form that also counts insertions, as holiman's does, adds up " +
		"those counts when it merges: a key in both filters counts twice, so the bytes differ where the bits do not, and union.equal and " +
		"union.idempotent are broken.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Filters {
			if subject.Merge == nil || subject.Encode == nil || !takesKeys(subject) {
				continue
			}
			for _, n := range engine.Pick(s, []int{1, 1000}, []int{0, 2, 16, 10000}, nil) {
				cells = append(cells, unionCell(subject, n))
			}
		}
		return cells
	},
}

func unionCell(subject adapters.Filter, n int) engine.Cell {
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "n", n, "eps", realRate),
		Module: adapters.At(subject.Module),
		Metrics: []engine.Metric{
			unionEqual, unionCommutative, unionAssociative, unionIdempotent, unionMonotone, unionPartition, unionSource,
		},
		Trials: 32, // any one exception decides
		Cost:   cost(subject.Module, 30*n+1000, 16*n),
		Run: func(t *engine.T) error {
			u := &unionTrial{subject: subject, t: t, n: n, keys: keys(parts(t.Seed, 0))}
			u.spec = sketchproof.FilterSpec{Capacity: 2 * n, Epsilon: realRate, Seed: parts(t.Seed, 1)}
			u.pairs()
			u.partition()
			return u.err
		},
	}
}

// A unionTrial merges filters. The first error ends it: later steps do nothing.
type unionTrial struct {
	subject adapters.Filter
	spec    sketchproof.FilterSpec
	t       *engine.T
	n       int
	keys    keys
	err     error
}

// of is a filter of the keys number from to to-1.
func (u *unionTrial) of(from, to int) sketchproof.Filter {
	return u.ofEach(from, to, func(int) bool { return true })
}

// ofEach is a filter of those keys that are taken.
func (u *unionTrial) ofEach(from, to int, taken func(i int) bool) sketchproof.Filter {
	if u.err != nil {
		return nil
	}
	f, err := u.subject.Build(u.spec)
	for i := from; i < to && err == nil; i++ {
		if taken(i) {
			err = f.(sketchproof.Adder).Add(u.keys.at(i))
		}
	}
	u.err = err
	return f
}

// merged merges the second and later filters into the first, in that order.
func (u *unionTrial) merged(filters ...sketchproof.Filter) sketchproof.Filter {
	for _, f := range filters[1:] {
		if u.err == nil {
			u.err = u.subject.Merge(filters[0], f)
		}
	}
	return filters[0]
}

// written is what a filter writes.
func (u *unionTrial) written(f sketchproof.Filter) []byte {
	if u.err != nil {
		return nil
	}
	data, err := u.subject.Encode(f)
	u.err = err
	return bytes.Clone(data)
}

// read reports whether two filters write the same.
func (u *unionTrial) read(law engine.Metric, a, b []byte) {
	if u.err != nil {
		return
	}
	differs := int64(0)
	if !bytes.Equal(a, b) {
		differs = 1
	}
	u.t.Read(law, differs, 1, never)
}

// pairs tries the laws about two and three filters: a has the first n keys, b
// overlaps it by half, c is apart.
func (u *unionTrial) pairs() {
	half, n := u.n/2, u.n
	a := func() sketchproof.Filter { return u.of(0, n) }
	b := func() sketchproof.Filter { return u.of(half, n+half) }
	c := func() sketchproof.Filter { return u.of(n+half, 2*n) }

	source := b()
	before := u.written(source)
	ab := u.merged(a(), source)
	once := u.written(ab)
	u.read(unionSource, u.written(source), before)
	u.read(unionEqual, once, u.written(u.of(0, n+half)))
	u.read(unionCommutative, once, u.written(u.merged(b(), a())))
	left := u.written(u.merged(u.merged(a(), b()), c()))
	u.read(unionAssociative, left, u.written(u.merged(a(), u.merged(b(), c()))))
	u.readMonotone(ab, a(), b())
	u.read(unionIdempotent, u.written(u.merged(ab, a(), b())), once)
}

// readMonotone looks keys up that are in the filters, and as many that are not.
func (u *unionTrial) readMonotone(union, a, b sketchproof.Filter) {
	if u.err != nil {
		return
	}
	var lost, tries int64
	for i := range 4*u.n + 64 {
		tries++
		if k := u.keys.at(i); (a.Contains(k) || b.Contains(k)) && !union.Contains(k) {
			lost++
		}
	}
	u.t.Read(unionMonotone, lost, tries, never)
}

// partition deals the first 2n keys to eight filters and merges these.
func (u *unionTrial) partition() {
	const shards = 8
	seed := parts(u.t.Seed, 2)
	filters := make([]sketchproof.Filter, shards)
	for shard := range filters {
		filters[shard] = u.ofEach(0, 2*u.n, func(i int) bool {
			return hashing.Reduce(hashing.Mix(seed+uint64(i)), shards) == uint64(shard)
		})
	}
	for i := range filters { // a random order (Fisher & Yates)
		j := i + int(hashing.Reduce(keys(seed).at(i), uint64(shards-i)))
		filters[i], filters[j] = filters[j], filters[i]
	}
	u.read(unionPartition, u.written(u.merged(filters...)), u.written(u.of(0, 2*u.n)))
}
