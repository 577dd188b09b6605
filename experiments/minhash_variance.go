package experiments

import (
	"math"
	"slices"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What is read of two signatures. The squared error's law is the estimate's own.
var (
	similarityError = engine.Metric{
		Name: "error/pair", Method: stats.Mean,
		Law: "minhash.unbiased", Source: "Broder 1997; Li and König 2010; Li, Owen, Zhang 2012; Shrivastava 2017",
	}
	inexactSimilarity = engine.Metric{
		Name: "inexact/pair", Method: stats.Invariant,
		Law: "minhash.exact", Source: "equal sets agree in every value; disjoint ones in none, when values are whole hashes; a bottom-k of a union of k is the union",
	}
)

const (
	// squaredError is its mean as a multiple of J(1-J)/k, so that all cells compare.
	squaredError = "squared-error/binomial"
	farOff       = "far-off/pair"
)

const (
	// varianceTolerance is that of a root mean square, 5 %, squared.
	varianceTolerance = 0.1
	// farOffTolerance is for events of about one pair in six.
	farOffTolerance = 0.15
	// similarityGroup is how many pairs a trial reads: one takes some microseconds,
	// less than its row.
	similarityGroup = 32
	// similarityTrials tell a variance, whose readings spread by √2, to 5 % with
	// better than six standard errors.
	similarityTrials = 1024
)

var minhashVariance = engine.Experiment{
	Name:     "minhash/variance",
	Question: "Is a MinHash similarity unbiased, with the variance J(1-J)/k?",
	Claims: []engine.Claim{
		{
			Text:   "the estimate is unbiased, but for what no user would notice: a tenth of a standard error",
			Source: "Bloom Filters & Probabilistic Data Structures",
			Metric: similarityError.Name, Law: similarityError.Law,
		},
		{
			Text:   "k functions: the variance is J(1-J)/k",
			Source: "Bloom Filters & Probabilistic Data Structures",
			Metric: squaredError, Law: "minhash.binomial",
		},
		{
			Text:   "k functions: the agreements are binomial of k and J, their tails too",
			Source: "Broder 1997",
			Metric: farOff, Law: "minhash.binomial",
		},
		{
			Text:   "b bits of a minimum: agreements are binomial of k and 2^-b + (1-2^-b)J; at b = 2 and J = 1/2 that is 1.67 times the variance for 1/32 of the memory",
			Source: "Li and König 2010",
			Law:    "minhash.b-bit",
		},
		{
			Text:   "one permutation, empty bins filled by optimal densification: the variance is that of bins which now and then read the same key",
			Source: "Shrivastava 2017",
			Law:    "minhash.densified",
		},
		{
			Text:   "one permutation, empty bins left out: the variance is lower than that of k functions",
			Source: "Li, Owen and Zhang 2012",
			Law:    "minhash.bins",
		},
		{
			Text:   "bottom-k: agreements are hypergeometric, with (u-k)/(u-1) of the variance of k functions for a union of u keys",
			Source: "Broder 1997",
			Law:    "minhash.bottom-k",
		},
		{
			Text:   "equal sets are told to be equal and disjoint ones to be disjoint, without error",
			Source: "Broder 1997",
			Metric: inexactSimilarity.Name, Law: inexactSimilarity.Law,
		},
	},
	Method: "A trial reads 32 pairs. For each it builds two signatures under a fresh seed, of sets with a union of u fresh keys, J of them in both, and reads estimate - J, " +
		"its square over J(1-J)/k, and whether it is far off: by more than what the law of the agreements passes for about one pair of six. Estimators: own; bins " +
		"(one permutation, by the bins that either set has filled, which belongs to the pair); unclamped (two bits: below 0 where fewer agree than " +
		"chance would have; what Similarity returns is cut off at 0 and so biased upwards where J is near 0). Only k functions draw keys with " +
		"replacement. One permutation and bottom-k draw them without, so they are better than J(1-J)/k where k is not small against u. Filled bins lose " +
		"that again where most are borrowed, and are worse than k functions at k = 1024 for 400 keys: two bins that read one key tell as much as one.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, e := range adapters.SimilarityEstimates {
			for _, p := range engine.Pick(s, smokePairs, ciPairs, fullPairs) {
				if !(p.cheapOnly && e.EveryValue) && !(p.ownOnly && e.Name != ownEstimator) {
					cells = append(cells, similarityCell(e, p))
				}
			}
			if e.Name == ownEstimator || e.Chance {
				for _, at := range engine.Pick(s, [][2]int{{16, 100}}, [][2]int{{64, 1000}, {1024, 100}}, [][2]int{{16, 1}, {1024, 10000}}) {
					cells = append(cells, exactSimilarityCell(e, at[0], at[1]))
				}
			}
		}
		return cells
	},
}

// Two sets: common of union keys are in both, and signatures have k values.
type pairOfSets struct {
	k, union, common int
	// cheapOnly leaves out signatures that touch every value for a key.
	cheapOnly bool
	// ownOnly leaves out estimators other than a subject's own.
	ownOnly bool
}

var (
	smokePairs = []pairOfSets{{k: 16, union: 100, common: 50, ownOnly: true}}
	ciPairs    = []pairOfSets{
		{k: 16, union: 400, common: 200},
		{k: 64, union: 400, common: 200},
		{k: 128, union: 400, common: 200},
		{k: 256, union: 400, common: 200, cheapOnly: true},
		{k: 1024, union: 400, common: 200, cheapOnly: true},
		{k: 64, union: 100, common: 5},
		{k: 64, union: 100, common: 95},
		{k: 1024, union: 100, common: 30, ownOnly: true},
		{k: 256, union: 2000, common: 600, cheapOnly: true},
	}
	fullPairs = []pairOfSets{
		{k: 4, union: 400, common: 200},
		{k: 512, union: 400, common: 200},
		{k: 1024, union: 400, common: 20},
		{k: 1024, union: 400, common: 380},
		{k: 256, union: 1000, common: 50},
		{k: 256, union: 1000, common: 950},
		{k: 16, union: 10000, common: 8000},
		{k: 64, union: 10000, common: 500},
		{k: 1024, union: 10000, common: 5000, cheapOnly: true},
	}
)

// cost is what a trial costs.
func (p pairOfSets) cost(e adapters.SimilarityEstimate) engine.Cost {
	keys := float64(p.union + p.common)
	seconds := 6e-6 + keys*6e-9 + float64(p.k)*8e-9
	if e.EveryValue {
		seconds += keys * float64(p.k) * 0.6e-9
	}
	return engine.Cost{Seconds: seconds, Bytes: int64(16*p.k + 16*p.union)}
}

// build fills two signatures: the first takes the keys from 0, the second those up
// to union, and common in the middle are in both.
func (p pairOfSets) build(subject adapters.Signature, seed uint64) (a, b sketchproof.Signature, err error) {
	spec := sketchproof.SignatureSpec{K: p.k, Seed: parts(seed, 1)}
	if a, err = subject.Build(spec); err != nil {
		return nil, nil, err
	}
	if b, err = subject.Build(spec); err != nil {
		return nil, nil, err
	}
	all := keys(parts(seed, 0)).slice(0, p.union)
	only := (p.union - p.common) / 2
	addKeys(a, all[:only+p.common])
	addKeys(b, all[only:])
	return a, b, nil
}

// addKeys adds keys as a batch where that is offered.
func addKeys(s sketchproof.Signature, keys []uint64) {
	if batch, ok := s.(interface{ AddBatch([]uint64) }); ok {
		batch.AddBatch(keys)
		return
	}
	for _, k := range keys {
		s.Add(k)
	}
}

// inParts is x as a count of parts in 10^12.
func inParts(x float64) (num, den int64) {
	const parts = 1e12
	return int64(math.Round(x * parts)), parts
}

func similarityCell(e adapters.SimilarityEstimate, p pairOfSets) engine.Cell {
	j := float64(p.common) / float64(p.union)
	law := sync.OnceValue(func() pairLaw { return lawOfPair(e.Law, p) })
	binomial := j * (1 - j) / float64(p.k)
	square := engine.Metric{Name: squaredError, Method: stats.Mean, Law: e.Law.Name, Source: e.Law.Source}
	far := engine.Metric{Name: farOff, Method: stats.Rate, Law: e.Law.Name, Source: e.Law.Source}
	cell := engine.Cell{
		Labels: record.L("subject", e.Subject.Name, "estimator", e.Name, "k", p.k, "u", p.union, "j", j),
		Module: adapters.At(e.Subject.Module), Trials: similarityTrials, Cost: p.cost(e),
	}
	certain := e.Law.Variance(p.common, p.union, p.k) == 0
	cell.Cost.Seconds *= similarityGroup
	if certain {
		cell.Metrics, cell.Trials = []engine.Metric{inexactSimilarity}, 32
	} else {
		cell.Metrics = []engine.Metric{square, similarityError}
		if e.Law.Chances != nil {
			cell.Metrics = append(cell.Metrics, far)
		}
	}
	cell.Run = func(t *engine.T) error {
		law, sum, squares := law(), 0.0, 0.0
		var beyond, inexact int64
		for i := range similarityGroup {
			a, b, err := p.build(e.Subject, parts(t.Seed, i))
			if err != nil {
				return err
			}
			estimate, err := e.Read(a, b)
			if err != nil {
				return err
			}
			off := estimate - j
			sum += off
			squares += off * off
			beyond += one(math.Abs(off) > law.limit)
			inexact += one(math.Abs(off) > 1e-12)
		}
		if certain {
			t.Read(inexactSimilarity, inexact, similarityGroup, never)
			return nil
		}
		num, den := inParts(squares / similarityGroup / binomial)
		t.Read(square, num, den, stats.Within(law.variance/binomial, varianceTolerance))
		bias := stats.BiasTolerance * math.Sqrt(law.variance)
		num, den = inParts(sum / similarityGroup)
		t.Read(similarityError, num, den, stats.Between(0, -bias, bias))
		if e.Law.Chances != nil {
			t.Read(far, beyond, similarityGroup, stats.Within(law.beyond, farOffTolerance))
		}
		return nil
	}
	return cell
}

// A pairLaw is what the law says of one pair of sets.
type pairLaw struct {
	variance float64
	limit    float64 // an error above it is far off,
	beyond   float64 // which has this chance
}

// lawOfPair computes the law. The limit lies in the middle between two errors that
// the estimate can have, so that it hangs on no rounding: where about one estimate
// of six is beyond.
func lawOfPair(l adapters.SimilarityLaw, p pairOfSets) pairLaw {
	law := pairLaw{variance: l.Variance(p.common, p.union, p.k)}
	if l.Chances == nil {
		return law
	}
	type outcome struct{ off, chance float64 }
	var outcomes []outcome
	for x, chance := range l.Chances(p.common, p.union, p.k) {
		off := l.Value(x, p.union, p.k) - float64(p.common)/float64(p.union)
		outcomes = append(outcomes, outcome{math.Abs(off), chance})
	}
	slices.SortFunc(outcomes, func(a, b outcome) int {
		if a.off > b.off {
			return -1
		}
		return 1
	})
	const sixth = 1.0 / 6
	beyond, best := 0.0, math.Inf(1)
	for i, o := range outcomes[:len(outcomes)-1] {
		beyond += o.chance
		next := outcomes[i+1].off
		if o.off-next > 1e-9 && math.Abs(beyond-sixth) < best {
			best = math.Abs(beyond - sixth)
			law.limit, law.beyond = (o.off+next)/2, beyond
		}
	}
	return law
}

// exactSimilarityCell compares a set of n keys with itself, built anew, and with
// one that shares no key with it.
func exactSimilarityCell(e adapters.SimilarityEstimate, k, n int) engine.Cell {
	same, apart := pairOfSets{k: k, union: n, common: n}, pairOfSets{k: k, union: 2 * n}
	price := same.cost(e)
	price.Seconds *= 2
	return engine.Cell{
		Labels: record.L("subject", e.Subject.Name, "kind", "exact", "k", k, "n", n),
		Module: adapters.At(e.Subject.Module), Metrics: []engine.Metric{inexactSimilarity}, Trials: 64, Cost: price,
		Run: func(t *engine.T) error {
			var wrong, tries int64
			for _, p := range []pairOfSets{same, apart} {
				if e.Chance && p == apart {
					continue // unlike keys may agree
				}
				a, b, err := p.build(e.Subject, t.Seed)
				if err != nil {
					return err
				}
				got, err := a.Similarity(b)
				if err != nil {
					return err
				}
				want := float64(one(p == same))
				wrong += one(got != want)
				tries++
			}
			t.Read(inexactSimilarity, wrong, tries, never)
			return nil
		},
	}
}
