package experiments

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// crossoverLoad is the load at which the two forms are usually compared.
const crossoverLoad = 0.955

// What filters take at a rate, and where two of them take the same.
var (
	bitsAtRate = engine.Metric{
		Name: sketchproof.MetricBitsPerKey, Method: stats.Mean,
		Law: "lower-bound", Source: "Carter, Floyd, Gill, Markowsky, Wegman 1978: log2(1/rate asked for)",
	}
	bitsBelowCounting = engine.Metric{
		Name: bitsAtRate.Name, Method: stats.Mean,
		Law: "below-counting", Source: "Fan, Cao, Almeida, Broder 2000: four bits for each of a Bloom filter's",
	}
	rateBeside = engine.Metric{Name: sketchproof.MetricFPR, Method: stats.Rate}

	crossing = engine.Metric{
		Name: "rate-at-crossing", Method: stats.Mean,
		Law: "crossing.poisson", Source: "derived: (f-s)/a = log2(1/rate)/ln 2 with rate 1-exp(-8a/(2^f-1)), s = 1 if semi-sorted",
	}
	crossingOfBound = engine.Metric{
		Name: crossing.Name, Method: stats.Mean,
		Law: "crossing.bound", Source: "Fan et al. 2014, table 1: (log2(1/rate)+3-s)/a = log2(1/rate)/ln 2",
	}
	crossingAt3 = engine.Metric{
		Name: crossing.Name, Method: stats.Mean,
		Law: "crossing.3-percent", Source: "about 3 %: a fifth more or less",
	}

	bitsOverBloom = engine.Metric{
		Name: "bits/bloom-bit", Method: stats.Mean,
		Law: "smaller-below-3-percent", Source: "cuckoo below a rate of 3 %, Bloom above",
	}
	bitsOverBloomReversed = engine.Metric{
		Name: bitsOverBloom.Name, Method: stats.Mean,
		Law: "smaller-above-3-percent", Source: "Bloom below a rate of 3 %, cuckoo above",
	}
)

var cuckooCrossover = engine.Experiment{
	Name:     "cuckoo/crossover",
	Question: "Which filter is smaller at the same rate, and from which rate on?",
	Claims: []engine.Claim{
		{
			Text:   "a cuckoo filter has a lower rate than a Bloom filter in the same space when ε < ~3%",
			Source: "Bloom Filter",
			Metric: bitsOverBloom.Name, Law: bitsOverBloom.Law,
		},
		{
			Text:   "space at <3% FP (the sign is damaged): Bloom more efficient; at >3% FP: cuckoo more efficient",
			Source: "Bloom Filters & Probabilistic Data Structures",
			Metric: bitsOverBloomReversed.Name, Law: bitsOverBloomReversed.Law,
		},
		{
			Text:   "the two are of one size at about 3%",
			Source: "Bloom Filter; Bloom Filters & Probabilistic Data Structures",
			Metric: crossingAt3.Name, Law: crossingAt3.Law,
		},
		{
			Text:   "they are of one size at 0.4% (plain) and 2.6% (semi-sorted) at 95.5% load",
			Source: "Fan et al. 2014, table 1",
			Metric: crossingOfBound.Name, Law: crossingOfBound.Law,
		},
		{
			Text:   "they are of one size at 0.46% (plain) and 2.9% (semi-sorted) at 95.5% load",
			Source: "derived",
			Metric: crossing.Name, Law: crossing.Law,
		},
		{
			Text:   "cuckoo filters use less space than counting Bloom filters",
			Source: "Bloom Filters & Probabilistic Data Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: bitsBelowCounting.Name, Law: bitsBelowCounting.Law,
		},
	},
	Method: "Three kinds of cells. With eps: every filter of the catalogue that can be asked for a rate is built for n keys at rates 2^-3 to 2^-20; one whose " +
		"rate is fixed appears at the rate of its law. Its size is that of the memory it holds. From 2^-13 on the look-ups are too few to show the rate, which is then " +
		"the promise that other experiments judge; the full scale has enough. With f: one cuckoo filter, filled to 95.5 % (20 000 kicks allow it), and a Bloom " +
		"filter sized for its rate; both rates are measured and the Bloom filter's size is moved to the cuckoo filter's rate along log2(1/rate)/ln 2. With " +
		"load: four such pairs, and the straight line through the differences of size over the logarithm of the measured rate; where it is zero the two " +
		"cross. The published crossing counts every slot as taken (8/2^f), so it lies lower than the rate at which the two really cross: " +
		"a tag in 95.5 % of the slots errs by so much less. Plain and semi-sorted differ: the 3 % of the documents is the semi-sorted form's.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		n := engine.Pick(s, []int{1000}, []int{10000}, []int{1000000})
		for _, n := range n {
			for _, subject := range adapters.Filters {
				for _, eps := range ratesFor(subject) {
					if n > 1000 || eps == 1./128 {
						cells = append(cells, bitsCell(subject, n, eps))
					}
				}
			}
		}
		for _, form := range []cuckooForm{{nativeCuckoo.name, 0}, {semiSortedCuckoo, 1}} {
			for _, f := range engine.Pick(s, nil, []int{7, 9, 11}, []int{14, 17}) {
				cells = append(cells, besideBloomCell(form, f))
			}
			if s >= engine.CI {
				cells = append(cells, crossingCell(form))
			}
		}
		return cells
	},
}

// leastRate is the least rate that is measured.
const leastRate = 0x1p-20

// ratesFor lists the rates that a subject is tried at: the grid, or the one of
// its own; none for exact sets.
func ratesFor(subject adapters.Filter) []float64 {
	if isExact(subject) {
		return nil
	}
	asked := false
	for _, law := range subject.Laws {
		asked = asked || law.Name == adapters.PromiseLaw
	}
	if !asked {
		own := ownRate(subject)
		return slices.DeleteFunc(own, func(rate float64) bool { return rate < leastRate }) // 32 bits: never seen to err
	}
	var rates []float64
	for _, bits := range []int{3, 5, 7, 10, 13, 17, 20} {
		eps := math.Ldexp(1, -bits)
		if _, err := subject.Build(sketchproof.FilterSpec{Capacity: 1, Epsilon: eps}); err == nil {
			rates = append(rates, eps)
		}
	}
	return rates
}

// ownRate is the rate that the law of a subject predicts for few keys, to three
// digits.
func ownRate(subject adapters.Filter) []float64 {
	law, ok := subject.LawFor(sketchproof.MetricFPR)
	if !ok {
		return nil
	}
	const n = 900
	spec := sketchproof.FilterSpec{Keys: keys(1).slice(0, n), Epsilon: 0.01}
	f, err := subject.Build(spec)
	if err != nil {
		return nil
	}
	rate, err := strconv.ParseFloat(fmt.Sprintf("%.3g", law.Predict(f, spec, n).Predicted), 64)
	if err != nil {
		return nil
	}
	return []float64{rate}
}

// bitsCell weighs a filter of the catalogue at a rate.
func bitsCell(subject adapters.Filter, n int, eps float64) engine.Cell {
	const trials = 32 // a size that differs from filter to filter takes more
	probes := int(400 / eps / trials)
	if n < 1000000 {
		probes = min(probes, 12000)
	}
	price := cost(subject.Module, n+probes, 3*n)
	metrics := []engine.Metric{bitsAtRate, rateBeside}
	cuckoos := isCuckoo(subject)
	if cuckoos {
		metrics = append(metrics, bitsBelowCounting)
	}
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "n", n, "eps", eps), Module: adapters.At(subject.Module),
		Metrics: metrics, Trials: 8 * trials, Cost: price,
		Run: func(t *engine.T) error {
			keys := keys(parts(t.Seed, 0))
			f, err := subject.Build(sketchproof.FilterSpec{Keys: keys.slice(0, n), Epsilon: eps, Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			bits := int64(8 * f.SizeBytes())
			t.Read(bitsAtRate, bits, int64(n), stats.AtLeast(math.Log2(1/eps)))
			t.Read(rateBeside, keys.countIn(f, n, n+probes), int64(probes), stats.Band{})
			if cuckoos {
				t.Read(bitsBelowCounting, bits, int64(n), stats.AtMost(4*bloom.BitsPerKey(eps)))
			}
			return nil
		},
	}
}

func isCuckoo(subject adapters.Filter) bool {
	f, err := subject.Build(sketchproof.FilterSpec{Capacity: 1, Epsilon: 0.01})
	_, ok := f.(adapters.CuckooShape)
	return err == nil && ok
}

// countIn is foundIn for many keys: by batches, where the filter takes them.
func (k keys) countIn(f sketchproof.Filter, from, to int) int64 {
	b, ok := f.(sketchproof.BatchFilter)
	if !ok {
		return k.foundIn(f, from, to)
	}
	var found int64
	var some [1024]uint64
	for from < to {
		n := min(len(some), to-from)
		for i := range n {
			some[i] = k.at(from + i)
		}
		found += int64(b.CountBatch(some[:n]))
		from += n
	}
	return found
}

// A cuckooForm is a form of buckets and the bits it saves a slot.
type cuckooForm struct {
	name  string
	saved int
}

// A pair is a cuckoo filter and a Bloom filter of one rate, weighed: the rate,
// and the bits per key of either there.
type sizePair struct{ rate, cuckoo, bloom float64 }

const crossoverBuckets = 1 << 12

// crossoverKeys is the number of keys of a pair.
func crossoverKeys() int { return int(math.Ceil(crossoverLoad * (4 * crossoverBuckets))) }

// pairProbes is the number of look-ups that sees 1500 wrong answers.
func pairProbes(f int) int { return int(1500 / cuckoo.FPR(f, 4, crossoverLoad)) }

// weighPair builds and measures a pair. Tables are counted as they are packed,
// without the word of padding at their end.
func weighPair(form cuckooForm, f int, seed uint64) (sizePair, error) {
	n, probes := crossoverKeys(), pairProbes(f)
	c, err := cuckoo.New(cuckoo.Params{
		Buckets: crossoverBuckets, Slots: 4, FingerprintBits: f, SemiSorted: form.saved > 0, MaxKicks: 20000, Hash: hashing.XX(parts(seed, 1)),
	})
	if err != nil {
		return sizePair{}, err
	}
	b, err := bloom.ForRate(uint64(n), cuckoo.FPR(f, 4, crossoverLoad), bloom.Exact, hashing.XX(parts(seed, 2)))
	if err != nil {
		return sizePair{}, err
	}
	keys := keys(parts(seed, 0))
	if err := keys.addTo(c, 0, n); err != nil {
		return sizePair{}, err
	}
	if err := keys.addTo(b, 0, n); err != nil {
		return sizePair{}, err
	}
	inCuckoo, inBloom := keys.countIn(c, n, n+probes), keys.countIn(b, n, n+probes)
	if inCuckoo == 0 || inBloom == 0 {
		return sizePair{}, fmt.Errorf("no wrong answer in %d look-ups", probes)
	}
	return sizePair{
		rate:   float64(inCuckoo) / float64(probes),
		cuckoo: float64(4*crossoverBuckets*(f-form.saved)) / float64(n),
		bloom:  float64(b.M())/float64(n) + math.Log2(float64(inBloom)/float64(inCuckoo))/math.Ln2,
	}, nil
}

// scaled makes a whole number of a ratio, for readings.
const scaled = 1e9

// besideBloomCell compares one pair.
func besideBloomCell(form cuckooForm, f int) engine.Cell {
	price := cost("", 4*crossoverKeys()+2*pairProbes(f), 4*crossoverKeys())
	rate := cuckoo.FPR(f, 4, crossoverLoad)
	return engine.Cell{
		Labels:  record.L("subject", form.name, "against", "bloom", "f", f, "rate", fmt.Sprintf("%.2g", rate)),
		Metrics: []engine.Metric{bitsOverBloom, bitsOverBloomReversed}, Trials: 256, Cost: price,
		Run: func(t *engine.T) error {
			p, err := weighPair(form, f, t.Seed)
			if err != nil {
				return err
			}
			below, above := stats.AtMost(1), stats.AtLeast(1)
			if rate > 0.03 {
				below, above = above, below
			}
			ratio := int64(math.Round(scaled * p.cuckoo / p.bloom))
			t.Read(bitsOverBloom, ratio, scaled, below)
			t.Read(bitsOverBloomReversed, ratio, scaled, above)
			return nil
		},
	}
}

// crossingCell finds where a form of cuckoo filter and a Bloom filter are of one
// size.
func crossingCell(form cuckooForm) engine.Cell {
	lengths := []int{9, 10, 11, 12}
	if form.saved > 0 {
		lengths = []int{7, 8, 9, 10}
	}
	operations := 0
	for _, f := range lengths {
		operations += 4*crossoverKeys() + 2*pairProbes(f)
	}
	return engine.Cell{
		Labels:  record.L("subject", form.name, "against", "bloom", "load", crossoverLoad),
		Metrics: []engine.Metric{crossing, crossingOfBound, crossingAt3}, Trials: 128,
		Cost: cost("", operations, 4*crossoverKeys()),
		Run: func(t *engine.T) error {
			var at, difference []float64
			for i, f := range lengths {
				p, err := weighPair(form, f, parts(t.Seed, i))
				if err != nil {
					return err
				}
				at, difference = append(at, math.Log2(p.rate)), append(difference, p.cuckoo-p.bloom)
			}
			rate := int64(math.Round(scaled * math.Exp2(zeroOfLine(at, difference))))
			t.Read(crossing, rate, scaled, stats.Within(crossingRate(form.saved), 0.1))
			t.Read(crossingOfBound, rate, scaled, stats.Within(crossingRateOfBound(form.saved), 0.05))
			t.Read(crossingAt3, rate, scaled, stats.Within(0.03, 0.2))
			return nil
		},
	}
}

// zeroOfLine is where the straight line of least squares through the points is
// zero.
func zeroOfLine(x, y []float64) float64 {
	var mx, my, sxx, sxy float64
	for i := range x {
		mx += x[i] / float64(len(x))
		my += y[i] / float64(len(x))
	}
	for i := range x {
		sxx += (x[i] - mx) * (x[i] - mx)
		sxy += (x[i] - mx) * (y[i] - my)
	}
	return mx - my*sxx/sxy
}

// crossingRate solves (f-saved)/a = log2(1/rate)/ln 2 for the rate, f being the
// tag length, a fraction too, that the Poisson law gives the rate with.
func crossingRate(saved int) float64 {
	return solve(func(rate float64) float64 {
		f := math.Log2(1 - 8*crossoverLoad/math.Log1p(-rate))
		return (f-float64(saved))/crossoverLoad - bloom.BitsPerKey(rate)
	})
}

// crossingRateOfBound is the same with the bound 8/2^f for the rate.
func crossingRateOfBound(saved int) float64 {
	return solve(func(rate float64) float64 {
		return (math.Log2(1/rate)+3-float64(saved))/crossoverLoad - bloom.BitsPerKey(rate)
	})
}

// solve finds the zero of a function that grows with the rate.
func solve(excess func(rate float64) float64) float64 {
	low, high := 1e-6, 0.5
	for range 60 {
		if mid := math.Sqrt(low * high); excess(mid) < 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}
