package sketchtest

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sketchproof/sketchproof"
)

// A probe is how the checks that are alike for all kinds meet one kind: the forms
// it is written in, merging, reading side by side, and that nothing but additions
// changes it.
type probe[S any] struct {
	// hold builds a structure with room for n keys that holds the keys number from
	// to to-1 of a stream, with a seed that the stream sets.
	hold func(n int, k keys, from, to int) (S, error)
	// add gives it one more key, nil where it takes none once it is built.
	add func(s S, key uint64) error
	// answers are all that it says about the keys number 0 to n-1 of a stream.
	answers func(s S, k keys, n int) []uint64
	// joined reports whether a merger may answer a question so, when one structure of
	// all keys answers it as direct does. It is nil where mergers are samples or
	// bounds of their own, which no single structure has.
	joined func(direct, merged uint64) bool
	// bytes builds one of n byte keys and returns its answers about them; with reused,
	// all were added from one buffer. nil where it takes no byte strings.
	bytes func(k keys, n int, reused bool) ([]uint64, error)
	// lends builds one of keys in a slice that is written to afterwards; changed says
	// whether building wrote to it. nil where keys are added one by one.
	lends func(k keys, n int) (s S, changed bool, err error)
	// word prints an answer.
	word func(uint64) string
	// traits are answers of one that is easily told from another of other hash
	// functions; nil means those of all sizes together.
	traits func(k keys) ([]uint64, error)
	// random says that it draws at random when it is given a key: two that are alike
	// go ways of their own.
	random bool
	// about says in words what answer number i speaks of.
	about func(k keys, i int) string
	// observers are calls that must change nothing, besides the answers.
	observers []observer[S]
	// sizes are the numbers of keys worth trying.
	sizes []int

	merge    func(dst, src S) error
	forms    []sketchproof.Form[S]
	promises []sketchproof.Promise
}

// An observer asks something of a structure.
type observer[S any] struct {
	name string
	ask  func(S)
}

// probeOf is what all kinds share of a subject: merging, forms, observers.
func probeOf[S, Spec any](s sketchproof.Subject[S, Spec]) probe[S] {
	p := probe[S]{
		merge: s.Merge, promises: s.Promises, random: s.Forgets, sizes: []int{0, 1, 3, 100, 1000},
		word: func(w uint64) string { return strconv.FormatUint(w, 10) },
	}
	if s.Encode != nil && s.Decode != nil {
		p.forms = append(p.forms, sketchproof.Form[S]{Name: "own", Encode: s.Encode, Decode: s.Decode})
	}
	p.forms = append(p.forms, s.Forms...)
	p.observers = []observer[S]{
		{"size", func(s S) {
			if sized, ok := any(s).(interface{ SizeBytes() int }); ok {
				sized.SizeBytes()
			}
		}},
		{"length", func(s S) {
			if counted, ok := any(s).(interface{ Len() int }); ok {
				counted.Len()
			}
		}},
		{"text", func(s S) {
			if text, ok := any(s).(fmt.Stringer); ok {
				_ = text.String()
			}
		}},
	}
	for _, f := range p.forms {
		// An error is a matter of the form, not of the observer.
		p.observers = append(p.observers, observer[S]{"write-" + f.Name, func(s S) { _, _ = f.Encode(s) }})
	}
	return p
}

func floatWord(w uint64) string { return strconv.FormatFloat(math.Float64frombits(w), 'g', 6, 64) }

func keyName(k keys, i int) string { return fmt.Sprintf("key %#x", k.at(i)) }

// seed is that of the structures that hold a stream's keys.
func (k keys) seed() uint64 { return part(uint64(k), 1) }

// filterProbe is that of a membership structure. It has room for twice as many
// keys as it gets: to be full is another check's matter.
func filterProbe(s sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec]) probe[sketchproof.Filter] {
	p := probeOf(s)
	p.bytes = filterBytes(s)
	holding := func(epsilon float64, capacity int, k keys, from, to int) (sketchproof.Filter, error) {
		spec := sketchproof.FilterSpec{Capacity: capacity, Epsilon: epsilon, Seed: k.seed()}
		f, err := s.Build(spec)
		if adder, ok := f.(sketchproof.Adder); ok && err == nil {
			for i := from; i < to && err == nil; i++ {
				err = adder.Add(k.at(i))
			}
			return f, err
		}
		spec.Keys = k.slice(from, to)
		return s.Build(spec)
	}
	p.hold = func(n int, k keys, from, to int) (sketchproof.Filter, error) {
		return holding(0.01, max(64, 2*n), k, from, to)
	}
	p.lends = func(k keys, n int) (sketchproof.Filter, bool, error) {
		spec := sketchproof.FilterSpec{Capacity: max(64, 2*n), Epsilon: 0.01, Seed: k.seed(), Keys: k.slice(0, n)}
		f, err := s.Build(spec)
		changed := !slices.Equal(spec.Keys, k.slice(0, n))
		clear(spec.Keys)
		return f, changed, err
	}
	if f, err := s.Build(sketchproof.FilterSpec{Capacity: 64, Epsilon: 0.01}); err == nil {
		if _, ok := f.(sketchproof.Adder); ok {
			p.lends = nil
			p.add = func(f sketchproof.Filter, key uint64) error { return f.(sketchproof.Adder).Add(key) }
		}
	}
	p.answers = func(f sketchproof.Filter, k keys, n int) []uint64 {
		found := make([]uint64, n)
		for i := range found {
			if f.Contains(k.at(i)) {
				found[i] = 1
			}
		}
		return found
	}
	p.about = keyName
	// At this rate half of what makes two filters different shows.
	p.traits = func(k keys) ([]uint64, error) {
		const n = 500
		f, err := holding(0.3, n+n/4, k, 0, n)
		if err != nil {
			return nil, err
		}
		return p.answers(f, k, 4*n), nil
	}
	p.joined = func(direct, merged uint64) bool { return merged >= direct } // a merger may find more, and loses none
	return p
}

// precision is that of the cardinality sketches that the probes build.
const precision = 11

// cardinalityProbe is that of a distinct count.
func cardinalityProbe(s sketchproof.Subject[sketchproof.Cardinality, sketchproof.CardinalitySpec]) probe[sketchproof.Cardinality] {
	p := probeOf(s)
	p.bytes = cardinalityBytes(s)
	p.hold = func(_ int, k keys, from, to int) (sketchproof.Cardinality, error) {
		c, err := s.Build(sketchproof.CardinalitySpec{Precision: precision, Seed: k.seed()})
		for i := from; i < to && err == nil; i++ {
			c.Add(k.at(i))
		}
		return c, err
	}
	p.add = func(c sketchproof.Cardinality, key uint64) error { c.Add(key); return nil }
	p.answers = func(c sketchproof.Cardinality, _ keys, _ int) []uint64 {
		return []uint64{math.Float64bits(c.Estimate())}
	}
	p.about = func(keys, int) string { return "the estimate" }
	p.word = floatWord
	// A merger may leave a sparse form earlier than one sketch of all keys does: two
	// forms of one set differ by less than the standard error of the coarser.
	p.joined = func(direct, merged uint64) bool {
		a, b := math.Float64frombits(direct), math.Float64frombits(merged)
		return math.Abs(a-b) <= 1.04/math.Sqrt(1<<precision)*math.Max(a, b)
	}
	p.sizes = append(p.sizes, 20000)
	return p
}

// frequencyProbe is that of a frequency sketch. Key number i weighs i%7+1.
func frequencyProbe(s sketchproof.Subject[sketchproof.Frequency, sketchproof.FrequencySpec]) probe[sketchproof.Frequency] {
	p := probeOf(s)
	p.bytes = frequencyBytes(s)
	p.hold = func(_ int, k keys, from, to int) (sketchproof.Frequency, error) {
		f, err := s.Build(sketchproof.FrequencySpec{Width: 272, Depth: 4, Seed: k.seed()})
		for i := from; i < to && err == nil; i++ {
			f.Add(k.at(i), uint64(i%7+1))
		}
		return f, err
	}
	p.add = func(f sketchproof.Frequency, key uint64) error { f.Add(key, 1); return nil }
	p.answers = func(f sketchproof.Frequency, k keys, n int) []uint64 {
		counts := make([]uint64, n)
		for i := range counts {
			counts[i] = f.Count(k.at(i))
		}
		return counts
	}
	p.about = keyName
	p.joined = func(direct, merged uint64) bool { return merged >= direct } // conservative rows merge to more
	return p
}

// topKProbe is that of a heavy-hitter structure. The first keys weigh most.
func topKProbe(s sketchproof.Subject[sketchproof.TopK, sketchproof.TopKSpec]) probe[sketchproof.TopK] {
	const counters = 64
	p := probeOf(s)
	p.hold = func(_ int, k keys, from, to int) (sketchproof.TopK, error) {
		top, err := s.Build(sketchproof.TopKSpec{K: counters, Seed: k.seed()})
		for i := from; i < to && err == nil; i++ {
			top.Add(k.at(i), uint64(1+1000/(i+1)))
		}
		return top, err
	}
	p.add = func(top sketchproof.TopK, key uint64) error { top.Add(key, 1); return nil }
	p.answers = func(top sketchproof.TopK, _ keys, _ int) []uint64 {
		var words []uint64
		for _, h := range top.Top(counters) {
			words = append(words, h.Key, h.Count, h.Over)
		}
		return words
	}
	p.about = func(_ keys, i int) string { return fmt.Sprintf("place %d", i/3+1) }
	return p
}

// signatureProbe is that of a similarity signature: it is asked how much it is like
// that of the keys number 0 to 99.
func signatureProbe(s sketchproof.Subject[sketchproof.Signature, sketchproof.SignatureSpec]) probe[sketchproof.Signature] {
	p := probeOf(s)
	p.hold = func(_ int, k keys, from, to int) (sketchproof.Signature, error) {
		sig, err := s.Build(sketchproof.SignatureSpec{K: 64, Seed: k.seed()})
		for i := from; i < to && err == nil; i++ {
			sig.Add(k.at(i))
		}
		return sig, err
	}
	p.add = func(sig sketchproof.Signature, key uint64) error { sig.Add(key); return nil }
	p.answers = func(sig sketchproof.Signature, k keys, _ int) []uint64 {
		other, err := p.hold(0, k, 0, 100)
		if err != nil {
			return nil
		}
		j, err := sig.Similarity(other)
		if err != nil {
			return nil
		}
		return []uint64{math.Float64bits(j)}
	}
	p.word = floatWord
	p.about = func(keys, int) string { return "the similarity to the first hundred keys" }
	return p
}

// samplerProbe is that of a sampler.
func samplerProbe(s sketchproof.Subject[sketchproof.Sampler, sketchproof.SamplerSpec]) probe[sketchproof.Sampler] {
	p := probeOf(s)
	p.hold = func(_ int, k keys, from, to int) (sketchproof.Sampler, error) {
		sampler, err := s.Build(sketchproof.SamplerSpec{K: 32, Seed: k.seed()})
		for i := from; i < to && err == nil; i++ {
			sampler.Add(k.at(i))
		}
		return sampler, err
	}
	p.random = true
	p.merge = nil // a merged sample is a sample: its check is of the sampler
	p.add = func(sampler sketchproof.Sampler, key uint64) error { sampler.Add(key); return nil }
	p.answers = func(sampler sketchproof.Sampler, _ keys, _ int) []uint64 { return sampler.Sample() }
	p.about = func(_ keys, i int) string { return fmt.Sprintf("key %d of the sample", i+1) }
	return p
}

// placerProbe is that of a placement: what it holds are nodes, and what it answers
// are the owners of keys.
func placerProbe(s sketchproof.Subject[sketchproof.Placer, sketchproof.PlacerSpec]) probe[sketchproof.Placer] {
	node := func(i int) string { return fmt.Sprintf("node-%d", i) }
	p := probeOf(s)
	p.hold = func(_ int, k keys, from, to int) (sketchproof.Placer, error) {
		nodes := make([]string, to-from)
		for i := range nodes {
			nodes[i] = node(from + i)
		}
		return s.Build(sketchproof.PlacerSpec{Nodes: nodes, Seed: k.seed()})
	}
	p.answers = func(placer sketchproof.Placer, k keys, _ int) []uint64 {
		owners := make([]uint64, 200)
		for i := range owners {
			owner, err := placer.Owner(k.at(i))
			if err != nil {
				owners[i] = math.MaxUint64
				continue
			}
			_, _ = fmt.Sscanf(owner, "node-%d", &owners[i])
		}
		return owners
	}
	p.about = keyName
	p.sizes = []int{1, 2, 10}
	return p
}
