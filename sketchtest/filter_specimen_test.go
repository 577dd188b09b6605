package sketchtest

import (
	"bytes"
	"errors"
	"hash/fnv"
	"math"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/stats"
)

type filterSubject = sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec]

// A specimen is a counting Bloom filter with ample room, and with one defect or none.
type specimen struct {
	cells []uint32
	k     int
	seed  uint64
	room  int
	held  int    // additions so far
	first uint64 // the first of them
	d     defects
}

// The defects, each of which a check must find.
type defects struct {
	losesAtSize    int     // built for so many keys, it does not find the last
	losesWhenFull  bool    // a refusal takes an accepted key along
	losesZero      bool    // the number 0 is not found
	padded         bool    // strings are what they are without zeros at the end
	shortAlike     bool    // all strings of one byte are one
	losesEmpty     bool    // the empty byte string is not found
	forgetsTwice   bool    // of a key that came twice it keeps nothing
	weakHash       bool    // probes are the key and what follows it
	narrow         float64 // has so many times fewer cells, 0 for as many as it needs
	small          bool    // has no room for the last keys of its capacity
	saturates      uint32  // counters stay at it, and go down again
	removesAll     bool    // removes what is not there
	leavesTrace    bool    // a removal is of one cell
	tells          int     // SizeBytes is so many times too small
	panicsAtZero   bool    // cannot be built for no key
	limit          int     // takes so many keys, 0 for any number
	missesOwnCount bool    // says of a key that is held that it is not there
}

func (d defects) build(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
	n := max(spec.Size(), 1)
	if d.panicsAtZero && spec.Size() == 0 {
		panic("no keys")
	}
	k := int(math.Ceil(math.Log2(1 / spec.Epsilon)))
	m := 64 + 1.1*math.Log2(math.E)*float64(k)*float64(n)
	if d.narrow > 0 {
		m /= d.narrow
	}
	return &specimen{cells: make([]uint32, int(m)), k: k, seed: spec.Seed, room: spec.Size(), d: d}, nil
}

func (s *specimen) probe(hash uint64, i int) *uint32 {
	if !s.d.weakHash {
		hash = mix(mix(hash^s.seed) + uint64(i)*0x9e3779b97f4a7c15)
	}
	return &s.cells[(hash+uint64(i))%uint64(len(s.cells))]
}

var errFull = sketchproof.ErrFull

func (s *specimen) Add(key uint64) error {
	limit := s.d.limit
	if s.d.small {
		limit = s.room * 9 / 10
	}
	if limit > 0 && s.held >= limit {
		if s.d.losesWhenFull {
			s.change(s.first, math.MaxUint32)
		}
		return errFull
	}
	if s.d.forgetsTwice && s.Contains(key) {
		s.change(key, math.MaxUint32)
		return nil
	}
	if s.held == 0 {
		s.first = key
	}
	s.held++
	if s.d.losesAtSize > 0 && s.room == s.d.losesAtSize && s.held == s.room {
		return nil
	}
	s.change(key, 1)
	return nil
}

// change adds to the cells of a hash; the largest number is -1.
func (s *specimen) change(hash uint64, by uint32) {
	for i := range s.k {
		c := s.probe(hash, i)
		if by == 1 && s.d.saturates > 0 && *c == s.d.saturates {
			continue
		}
		if by != 1 && (*c == 0 || s.d.leavesTrace && i > 0) {
			continue
		}
		*c += by
	}
}

func (s *specimen) Contains(key uint64) bool {
	if s.d.losesZero && key == 0 {
		return false
	}
	for i := range s.k {
		if *s.probe(key, i) == 0 {
			return false
		}
	}
	return true
}

func (s *specimen) Remove(key uint64) error {
	if !s.d.removesAll && !s.Contains(key) || s.d.missesOwnCount {
		return sketchproof.ErrNotFound
	}
	s.change(key, math.MaxUint32)
	return nil
}

func hashText(key []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(key)
	return mix(h.Sum64())
}

func (s *specimen) text(key []byte) uint64 {
	if s.d.shortAlike && len(key) == 1 {
		return 1
	}
	if s.d.padded {
		key = bytes.TrimRight(key, "\x00")
	}
	return hashText(key)
}

func (s *specimen) AddBytes(key []byte) error { return s.Add(s.text(key)) }

func (s *specimen) ContainsBytes(key []byte) bool {
	return s.Contains(s.text(key)) && !(s.d.losesEmpty && len(key) == 0)
}

func (s *specimen) SizeBytes() int {
	size := 4 * len(s.cells)
	if s.d.tells > 0 {
		size /= s.d.tells
	}
	return size
}

// A staticSpecimen is built of all its keys at once.
type staticSpecimen struct{ sketchproof.Filter }

func (d defects) buildStatic(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
	f, err := d.build(spec)
	for _, k := range spec.Keys {
		err = errors.Join(err, f.(*specimen).Add(k))
	}
	return staticSpecimen{f}, err
}

// A growing specimen is a chain of filters, each as large as the first.
type growing struct {
	spec  sketchproof.FilterSpec
	links []*specimen
}

func (g *growing) Add(key uint64) error {
	last := g.links[len(g.links)-1]
	if last.held >= max(1, g.spec.Size()) {
		f, _ := defects{}.build(g.spec)
		last = f.(*specimen)
		g.links = append(g.links, last)
	}
	return last.Add(key)
}

func (g *growing) Contains(key uint64) bool {
	for _, link := range g.links {
		if link.Contains(key) {
			return true
		}
	}
	return false
}

func (g *growing) SizeBytes() (size int) {
	for _, link := range g.links {
		size += link.SizeBytes()
	}
	return size
}

func buildGrowing(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
	f, err := defects{}.build(spec)
	return &growing{spec: spec, links: []*specimen{f.(*specimen)}}, err
}

// TestFilterChecksFindEachDefect names, for each, a case that must find it.
func TestFilterChecksFindEachDefect(t *testing.T) {
	for _, test := range []struct {
		name  string
		build func(sketchproof.FilterSpec) (sketchproof.Filter, error)
		found string
	}{
		{"loses a key at one size", defects{losesAtSize: 511}.build, "check=membership/shape=random/n=small"},
		{"loses a key when full", defects{losesWhenFull: true, limit: 70}.build, "check=membership/n=past-capacity/capacity=64"},
		{"loses zero", defects{losesZero: true}.build, "check=membership/keys=repeated"},
		{"does not read short keys", defects{shortAlike: true}.build, "check=rate/score=one-filter/shape=bytes4-big-endian/n=1000"},
		{"fills keys up with zeros", defects{padded: true}.build, "check=rate/score=one-filter/shape=bytes4-big-endian/n=1000"},
		{"loses the empty key", defects{losesEmpty: true}.build, "check=membership/keys=lengths"},
		{"loses what comes twice", defects{forgetsTwice: true}.build, "check=membership/keys=repeated"},
		{"loses what comes twice at once", defects{forgetsTwice: true}.buildStatic, "check=membership/keys=repeated"},
		{"panics without keys", defects{panicsAtZero: true}.build, "check=membership/shape=random/n=small"},
		{"weak hash, one filter", defects{weakHash: true}.build, "check=rate/score=one-filter/shape=stride64/n=1000"},
		{"weak hash, mean", defects{weakHash: true}.build, "check=rate/shape=random/n=1000/eps=0.01"},
		{"a tenth too narrow", defects{narrow: 1.25}.build, "check=rate/shape=random/n=1000/eps=0.5/look=close"},
		{"too narrow when small", defects{narrow: 8}.build, "check=rate/shape=random/n=10/eps=0.01"},
		{"rates add up", buildGrowing, "check=rate/shape=random/n=1000/eps=0.01/built-for=25"},
		{"no room for the last", defects{small: true}.build, "check=capacity/n=1024"},
		{"counters saturate", defects{saturates: 15}.build, "check=deletion/of=one-key/times=40"},
		{"removes strangers", defects{removesAll: true}.build, "check=deletion/of=strangers"},
		{"leaves a trace", defects{leavesTrace: true}.build, "check=deletion/of=all"},
		{"does not know its keys", defects{missesOwnCount: true}.build, "check=deletion/of=multiples"},
		{"forgets what comes again", defects{forgetsTwice: true}.build, "check=deletion/of=multiples"},
		{"tells a part", defects{tells: 4}.build, "check=memory/state=filled/n=20000"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &call{kind: "filter", falseAlarm: 1e-6}
			for _, one := range ownCases(filterSubject{Build: test.build}, Short) {
				if one.Name() != test.found {
					continue
				}
				o := c.carryOut(t, one)
				if o.err == nil && o.judgement.Verdict != stats.Broken {
					t.Fatalf("%s: %v", one.Name(), o.judgement)
				}
				if o.err == nil && o.input == "" {
					t.Errorf("%s: no input shows it", one.Name())
				}
				t.Log(o.err, o.input)
				return
			}
			t.Fatalf("there is no case %s", test.found)
		})
	}
}

// ownCases are those of the checks of filters alone.
func ownCases(s filterSubject, e Effort) []Case {
	var cases []Case
	for _, check := range []func(filterSubject, Effort) []Case{membershipChecks, rateChecks, capacityChecks, deletionChecks, memoryChecks} {
		cases = append(cases, check(s, e)...)
	}
	return cases
}

func TestFilterChecksPassASoundOne(t *testing.T) {
	for name, build := range map[string]func(sketchproof.FilterSpec) (sketchproof.Filter, error){
		"adding": defects{}.build, "static": defects{}.buildStatic,
	} {
		c := &call{kind: "filter", falseAlarm: 1e-6}
		for _, one := range ownCases(filterSubject{Build: build}, Short) {
			o := c.carryOut(t, one)
			if o.err != nil || o.judgement.Verdict != stats.Holds {
				t.Errorf("%s: %s: %v %v %s", name, one.Name(), o.err, o.judgement, o.input)
			}
		}
	}
}

// A rate below its law is a warning, and no failure.
func TestATooLowRateWarns(t *testing.T) {
	law := filterLaw{
		Name: "two-sided", Metric: sketchproof.MetricFPR, Source: "made up",
		Predict: func(_ sketchproof.Filter, spec sketchproof.FilterSpec, _ int) stats.Band {
			return stats.Within(4*spec.Epsilon, 0.02)
		},
	}
	c, warned := &call{kind: "filter", falseAlarm: 1e-6}, false
	for _, one := range rateChecks(filterSubject{Build: defects{}.build, Laws: []filterLaw{law}}, Usual) {
		if one.Warning {
			o := c.carryOut(t, one)
			warned = warned || o.err == nil && o.judgement.Verdict == stats.Broken
		} else if one.Name() == "check=rate/shape=random/n=1000/eps=0.01" {
			if o := c.carryOut(t, one); o.err != nil || o.judgement.Verdict != stats.Holds {
				t.Errorf("from above: %v %v", o.err, o.judgement)
			}
		}
	}
	if !warned {
		t.Error("no case warns of a quarter of the rate")
	}
}
