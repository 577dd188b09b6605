package experiments

import (
	"fmt"
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/quotient"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The rate of a quotient filter, under its law and its bound.
var (
	quotientPoisson = rateUnder(adapters.QuotientPoisson)
	quotientBound   = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "quotient.bound", Source: "Bender et al. 2012, section 3: 2^-r",
	}
)

// The lines of memory that a look-up reads, beside those of other filters.
var (
	quotientUnderBloom = engine.Metric{
		Name: "lines/look-up", Method: stats.Mean,
		Law: "quotient.under-bloom", Source: "a Bloom filter of the same rate and number of keys: a line a probe, until the first 0",
	}
	quotientUnderCuckoo = engine.Metric{
		Name: quotientUnderBloom.Name, Method: stats.Mean,
		Law: "quotient.under-cuckoo", Source: "Fan et al. 2014, section 3: two buckets",
	}
)

var quotientFPR = engine.Experiment{
	Name:     "quotient/fpr",
	Question: "Does a quotient filter keep its rate at every load, and its table without the keys?",
	Claims: []engine.Claim{
		{
			Text:   "the false-positive rate at a keys per slot is 1 - e^(-a/2^r)",
			Source: "Bender et al. 2012, section 3",
			Metric: quotientPoisson.Name, Law: quotientPoisson.Law,
		},
		{
			Text:   "the false-positive rate never exceeds 2^-r",
			Source: "Bender et al. 2012, section 3",
			Metric: quotientBound.Name, Law: quotientBound.Law,
		},
		{
			Text:   "it supports merging and resizing: what comes of it is the filter built anew",
			Source: "Bloom Filter, 7.4",
			Metric: quotientChanges[0].metric.Name,
		},
		{
			Text:   "it behaves better in the cache than a Bloom filter",
			Source: "Bloom Filter, 7.4",
			Metric: quotientUnderBloom.Name, Law: quotientUnderBloom.Law,
		},
		{
			Text:   "it reads no more of memory than a cuckoo filter",
			Source: "derived: a cuckoo filter reads two lines",
			Metric: quotientUnderCuckoo.Name, Law: quotientUnderCuckoo.Law,
		},
	},
	Method: "Rate: a fresh filter takes distinct random keys up to a load, then keys never added are looked up. Merging and resizing: what a changed " +
		"filter writes is compared, byte for byte, with what one writes that took the same keys in one piece. Lines: the distinct lines of 64 bytes that " +
		"a look-up reads are counted by walking the places that it reads, in a table that begins with a line. A Bloom filter of the same rate reads k of " +
		"them for a key that it holds and (1-X^k)/(1-X) for an absent one, X the share of ones, which is about 2. A block of 64 slots is 18 bytes of " +
		"head and 8r of remainders, and a look-up reads in both: so a quotient filter reads far less than a Bloom filter where keys are present, and " +
		"where they are absent a little more, since a Bloom filter stops at the first 0: there the claim is broken, at r = 8 by a twentieth of a line, " +
		"at r = 16 by a quarter. Against the two lines of a cuckoo filter it is as close.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, p := range engine.Pick(s,
			quotientLoads([]int{4}, 0.95),
			slices.Concat(quotientLoads([]int{4}, 0.1, 0.25, 0.5, 0.75), quotientLoads([]int{6}, 0.25, 0.5, 0.75, 0.95),
				quotientLoads([]int{8}, 0.5, 0.75, 0.95), []quotientPoint{{6, 5003, 0.95}}),
			slices.Concat(quotientLoads([]int{8}, 0.1, 0.25), quotientLoads([]int{10, 12, 14, 16}, 0.5, 0.95), []quotientPoint{{8, 1 << 20, 0.95}, {12, 1000003, 0.95}})) {
			cells = append(cells, quotientRateCell(p))
		}
		for _, change := range quotientChanges {
			for _, slots := range engine.Pick(s, []int{1000}, []int{64, 5000}, []int{1 << 18}) {
				cells = append(cells, quotientChangeCell(change, slots))
			}
		}
		for _, p := range engine.Pick(s, quotientLoads([]int{4}, 0.9), quotientLoads([]int{8, 12, 16}, 0.9), quotientLoads([]int{8, 12}, 0.5, 0.75, 0.95)) {
			for _, present := range []bool{false, true} {
				cells = append(cells, quotientLinesCell(p, present))
			}
		}
		return cells
	},
}

// A quotientPoint is a geometry and a load.
type quotientPoint struct {
	r, slots int
	load     float64
}

func (p quotientPoint) keys() int { return int(math.Round(p.load * float64(p.slots))) }

func (p quotientPoint) rate() float64 {
	return quotient.FPR(uint(p.r), float64(p.keys())/float64(p.slots))
}

func (p quotientPoint) labels() record.Labels {
	return record.L("subject", "quotient", "r", p.r, "slots", p.slots, "load", p.load)
}

func (p quotientPoint) build(seed uint64) (*quotient.Filter, error) {
	return quotient.New(quotient.Params{Slots: uint64(p.slots), RemainderBits: p.r, Hash: hashing.XX(seed)})
}

// quotientLoads are all combinations.
func quotientLoads(rs []int, loads ...float64) []quotientPoint {
	var all []quotientPoint
	for _, r := range rs {
		for _, load := range loads {
			all = append(all, quotientPoint{r, 1 << 12, load})
		}
	}
	return all
}

func quotientRateCell(p quotientPoint) engine.Cell {
	n, probes := p.keys(), probesFor(p.rate())
	price := cost("", 5*n+probes, p.slots*(p.r+3)/8) // additions are slow where it is full
	return engine.Cell{
		Labels: p.labels(), Metrics: []engine.Metric{quotientPoisson, quotientBound}, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			f, err := p.build(parts(t.Seed, 1))
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			if err := keys.addTo(f, 0, n); err != nil {
				return err
			}
			found := keys.foundIn(f, n, n+probes)
			t.Read(quotientPoisson, found, int64(probes), adapters.RateBand(p.rate()))
			t.Read(quotientBound, found, int64(probes), adapters.Promise(quotient.FPRBound(uint(p.r))))
			return nil
		},
	}
}

func quotientLinesCell(p quotientPoint, present bool) engine.Cell {
	const looks = 500
	n := p.keys()
	kind := "absent"
	if present {
		kind = "present"
	}
	return engine.Cell{
		Labels:  append(p.labels(), record.L("keys", kind)...),
		Metrics: []engine.Metric{quotientUnderBloom, quotientUnderCuckoo},
		Trials:  512, Cost: cost("", 5*n+10*looks, p.slots*(p.r+3)/8),
		Run: func(t *engine.T) error {
			f, err := p.build(parts(t.Seed, 1))
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			if err := keys.addTo(f, 0, n); err != nil {
				return err
			}
			first := n
			if present {
				first = 0
			}
			lines := int64(0)
			for i := range looks {
				lines += int64(f.Lines(keys.at(first + i)))
			}
			bloomLines, err := bloomLines(n, p.rate(), present)
			if err != nil {
				return err
			}
			t.Read(quotientUnderBloom, lines, looks, stats.AtMost(bloomLines))
			t.Read(quotientUnderCuckoo, lines, looks, stats.AtMost(2))
			return nil
		},
	}
}

// bloomLines is the mean number of lines that a Bloom filter reads a look-up, when it
// is made for n keys at a rate and every probe is a line of its own.
func bloomLines(n int, rate float64, present bool) (float64, error) {
	m, k, err := bloom.Size(uint64(n), rate, bloom.Exact)
	if err != nil || present {
		return float64(k), err
	}
	return bloom.MissProbes(bloom.Fill(m, k, uint64(n)), k), nil
}

// A quotientChange is something that happens to a filter without its keys.
type quotientChange struct {
	metric engine.Metric
	// try changes a filter of so many slots and reports how often, of how many
	// times, it was then another than one built anew.
	try func(slots int, seed uint64) (differs, tries int64, err error)
}

func quotientInvariant(law, source string) engine.Metric {
	return engine.Metric{Name: "counterexamples/change", Method: stats.Invariant, Law: "quotient." + law, Source: source}
}

var quotientChanges = []quotientChange{
	{quotientInvariant("merge", "Bender et al. 2012, section 3: fingerprints are sorted, so tables merge as lists do"), quotientMerges},
	{quotientInvariant("resize", "Bender et al. 2012, section 3: a bit goes from remainder to quotient"), quotientResizes},
	{quotientInvariant("delete", "Pandey et al. 2017, section 3: a counter is decremented, and no other entry changes"), quotientDeletes},
}

func quotientChangeCell(change quotientChange, slots int) engine.Cell {
	return engine.Cell{
		Labels:  record.L("subject", "quotient", "r", changedBits, "slots", slots, "change", change.metric.Law),
		Metrics: []engine.Metric{change.metric},
		Trials:  32, // any one exception decides
		Cost:    cost("", 20*slots, 8*slots),
		Run: func(t *engine.T) error {
			differs, tries, err := change.try(slots, t.Seed)
			if err != nil {
				return err
			}
			t.Read(change.metric, differs, tries, never)
			return nil
		},
	}
}

// changedBits are the remainder bits of the filters that are changed: few, so that
// keys share fingerprints.
const changedBits = 4

// quotientOf is a filter of so many slots, of the one set of fingerprints that one of
// all slots has, with the keys number from to to-1.
func quotientOf(slots, all int, seed uint64, from, to int) (*quotient.Filter, error) {
	r := changedBits
	for s := slots; s < all; s *= 2 {
		r++
	}
	f, err := quotientPoint{r: r, slots: slots}.build(parts(seed, 1))
	if err != nil {
		return nil, err
	}
	return f, keys(parts(seed, 0)).addTo(f, from, to)
}

// quotientMerges merges overlapping filters, the second with half the slots.
func quotientMerges(slots int, seed uint64) (differs, tries int64, err error) {
	n := slots * 9 / 10
	want, err := quotientOf(slots, slots, seed, 0, n)
	if err != nil {
		return 0, 0, err
	}
	for _, other := range []int{slots, slots / 2} {
		a, err := quotientOf(slots, slots, seed, 0, n*2/3)
		if err != nil {
			return 0, 0, err
		}
		b, err := quotientOf(other, slots, seed, n*6/10, n)
		if err != nil {
			return 0, 0, err
		}
		if err := a.Merge(b); err != nil {
			return 0, 0, err
		}
		differs += one(!a.Equal(want))
		tries++
	}
	return differs, tries, nil
}

// quotientResizes doubles a table twice, from a quarter of the slots, and halves it
// again.
func quotientResizes(slots int, seed uint64) (differs, tries int64, err error) {
	n := slots / 4 * 9 / 10
	f, err := quotientOf(slots/4, slots, seed, 0, n)
	if err != nil {
		return 0, 0, err
	}
	steps := []struct {
		resize func() error
		slots  int
	}{{f.Grow, slots / 2}, {f.Grow, slots}, {f.Shrink, slots / 2}, {f.Shrink, slots / 4}}
	for _, step := range steps {
		if err := step.resize(); err != nil {
			return 0, 0, err
		}
		want, err := quotientOf(step.slots, slots, seed, 0, n)
		if err != nil {
			return 0, 0, err
		}
		differs += one(!f.Equal(want))
		tries++
	}
	return differs, tries, nil
}

// quotientDeletes removes two keys of three, some of them held twice, from a counting
// filter at 90 % load.
func quotientDeletes(slots int, seed uint64) (differs, tries int64, err error) {
	p := quotient.Params{Slots: uint64(slots), RemainderBits: changedBits, Hash: hashing.XX(parts(seed, 1))}
	f, err := quotient.NewCounting(p)
	if err != nil {
		return 0, 0, err
	}
	want, err := quotient.NewCounting(p)
	if err != nil {
		return 0, 0, err
	}
	keys := keys(parts(seed, 0))
	n := slots * 8 / 10
	if err := keys.addTo(f, 0, n); err != nil {
		return 0, 0, err
	}
	if err := keys.addTo(f, 0, n/10); err != nil {
		return 0, 0, err
	}
	for i := range n {
		if i%3 == 0 {
			if err := want.Add(keys.at(i)); err != nil {
				return 0, 0, err
			}
			continue
		}
		if err := f.Remove(keys.at(i)); err != nil {
			return 0, 0, fmt.Errorf("key %d of %d: %w", i, n, err)
		}
	}
	if err := keys.addTo(want, 0, n/10); err != nil {
		return 0, 0, err
	}
	return one(!f.Equal(want)), 1, nil
}
