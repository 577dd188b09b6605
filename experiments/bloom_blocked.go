package experiments

import (
	"fmt"
	"math"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/blocked"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/splitblock"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The rate of a blocked filter under what is said of it.
var (
	blockedMixture = rateUnder(adapters.BlockedMixture)
	blockedPoisson = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "blocked.poisson", Source: "Putze, Sanders, Singler 2007, section 3, with the exact rate inside a block; Poisson block loads",
	}
	blockedClassic = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "blocked.classic", Source: "Putze, Sanders, Singler 2007, section 3, as it stands: (1 - e^(-ki/B))^k inside a block",
	}
	blockedWorse = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "blocked.worse", Source: "above the exact rate of a plain filter of the same bits, keys and k",
	}
	splitPrinted = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "splitblock.printed", Source: "Parquet format specification: 17.9, 1.265 and 0.042 % at 5, 10 and 20 bits per key",
	}
	splitUndersized = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "splitblock.undersized", Source: "parquet-format issue 547: 1.13, 1.46, 2.08 and 3.22 times the wanted rate at 10^-1 to 10^-4",
	}
)

// printedSplit is the printed rate of a split block filter, by its bits per key.
var printedSplit = map[int]float64{5: 0.179, 10: 0.01265, 20: 0.00042}

// undersized are the rates asked for, and how many times that a filter sized by the
// formula of the Parquet format specification has been seen to err.
var undersized = []struct{ eps, times float64 }{{0.1, 1.13}, {0.01, 1.46}, {0.001, 2.08}, {1e-4, 3.22}}

// A blockKind is a way to keep a key's bits together.
type blockKind struct {
	name      string
	blockBits int         // 1 for a plain filter
	bestK     map[int]int // by bits per key, where k is free; else it is 8
	build     func(blocks uint64, k int, seed uint64) (sketchproof.Filter, error)
	law       func(blocks uint64, k, n int) float64
}

var (
	wordKind    = blockedKind(blocked.Word, map[int]int{5: 3, 8: 4, 10: 5, 12: 5, 16: 6, 20: 7, 24: 7})
	sectorsKind = blockedKind(blocked.Sectors, nil)
	lineKind    = blockedKind(blocked.Line, map[int]int{5: 3, 8: 5, 10: 6, 12: 8, 16: 9, 20: 11, 24: 12})
	splitKind   = blockKind{
		name: "splitblock", blockBits: splitblock.BlockBits,
		build: func(blocks uint64, _ int, seed uint64) (sketchproof.Filter, error) {
			return splitblock.New(splitblock.Params{Blocks: blocks, Hash: hashing.XX(seed)})
		},
		law: func(blocks uint64, _, n int) float64 { return splitblock.FPR(blocks, uint64(n)) },
	}
	plainKind = blockKind{
		name: "bloom", blockBits: 1, bestK: map[int]int{5: 3, 8: 6, 10: 7, 12: 8, 16: 11, 20: 14, 24: 17},
		build: func(bits uint64, k int, seed uint64) (sketchproof.Filter, error) {
			return bloom.New(bloom.Params{M: bits, K: uint64(k), Hash: hashing.XX(seed)})
		},
		law: func(bits uint64, k, n int) float64 { return bloom.FPRExact(bits, uint64(k), uint64(n)) },
	}

	// blockKinds are all, from the least to the most that a look-up may touch.
	blockKinds = []blockKind{wordKind, splitKind, sectorsKind, lineKind, plainKind}
)

func blockedKind(kind blocked.Kind, bestK map[int]int) blockKind {
	return blockKind{
		name: fmt.Sprintf("blocked-%v", kind), blockBits: int(kind.BlockBits()), bestK: bestK,
		build: func(blocks uint64, k int, seed uint64) (sketchproof.Filter, error) {
			return blocked.New(blocked.Params{Kind: kind, Blocks: blocks, K: k, Hash: hashing.XX(seed)})
		},
		law: func(blocks uint64, k, n int) float64 { return blocked.FPR(kind, blocks, k, uint64(n)) },
	}
}

// k is the number of bits a key that serves the kind best at so many bits per key.
func (b blockKind) k(c int) int {
	if k, ok := b.bestK[c]; ok {
		return k
	}
	return 8
}

// blocks is how many blocks (bits, of a plain filter) c bits for each of n keys make.
func (b blockKind) blocks(c, n int) uint64 {
	return uint64(math.Round(float64(c*n) / float64(max(b.blockBits, 1))))
}

var bloomBlocked = engine.Experiment{
	Name:     "bloom/blocked",
	Question: "What does it cost a Bloom filter to look at one block a key?",
	Claims: []engine.Claim{
		{
			Text:   "one cache line per key gives a somewhat worse false-positive rate",
			Source: "Probabilistic Data Structures at Scale",
			Metric: blockedWorse.Name, Law: blockedWorse.Law,
		},
		{
			Text:   "the rate is the mean over the keys of a block, which are Poisson, of the rate of a small Bloom filter",
			Source: "Putze, Sanders, Singler 2007, section 3",
			Metric: blockedPoisson.Name, Law: blockedPoisson.Law,
		},
		{
			Text:   "the rate of that small filter is (1 - e^(-ki/B))^k",
			Source: "Putze, Sanders, Singler 2007, section 3",
			Metric: blockedClassic.Name, Law: blockedClassic.Law,
		},
		{
			Text:   "the rate is the mean over the keys of a block, which are binomial, of the exact rate inside it",
			Source: "derived from Putze, Sanders, Singler 2007 and Bose et al. 2008",
			Metric: blockedMixture.Name, Law: blockedMixture.Law,
		},
		{
			Text:   "a split block filter errs 17.9, 1.265 and 0.042 % at 5, 10 and 20 bits per key",
			Source: "Parquet format specification",
			Metric: splitPrinted.Name, Law: splitPrinted.Law,
		},
		{
			Text:   "m = -8n/ln(1 - p^(1/8)) bits give a split block filter the rate p",
			Source: "Parquet format specification",
			Metric: promisedRate.Name, Law: promisedRate.Law,
		},
		{
			Text:   "that formula gives 1.13, 1.46, 2.08 and 3.22 times p at 10^-1 to 10^-4",
			Source: "parquet-format issue 547",
			Metric: splitUndersized.Name, Law: splitUndersized.Law,
		},
	},
	Method: "At the same bits per key, a plain filter and four that keep a key's bits in one block: a word of 64 bits, 256 bits in eight lanes, " +
		"512 bits in eight sectors, 512 bits; each with the k that serves it best. The counts are judged by the law of the kind; by that law with Poisson loads; for words " +
		"by the same with the textbook rate inside; and, where more than the tolerance lies between, by whether they exceed the rate of a plain filter " +
		"of equal k. The textbook rate breaks in words: it is 11 % low for 64 bits, k = 8 and 10 bits per key, because of so few bits the share that is set strays far from its mean. " +
		"Poisson loads " +
		"break where blocks are few: one block holds all the keys, and no number of them at random. The sizing formula of the Parquet specification takes every block to hold the average " +
		"number of keys, but the crowded ones err far more than the empty ones save: the promise is broken by the factors that were reported. Writers that round up to a power of two " +
		"hide part of it; here nothing is rounded but to whole blocks. The rule “mixture” asks the law itself.",
	Plan: func(s engine.Scale) []engine.Cell {
		const n = 12800 // whole blocks at any whole number of bits per key
		var cells []engine.Cell
		for _, kind := range blockKinds {
			for _, c := range engine.Pick(s, []int{5}, []int{8, 10, 16, 20}, []int{12, 24}) {
				cells = append(cells, blockedCell(kind, c, kind.k(c), n))
			}
		}
		if s < engine.CI {
			return cells
		}
		cells = append(cells, blockedCell(wordKind, 10, 8, 2*n)) // the block whose rate was published; no point of the curve
		for _, kind := range []blockKind{wordKind, splitKind, lineKind} {
			for _, blocks := range []int{1, 3} {
				cells = append(cells, blockedCell(kind, 10, kind.k(10), blocks*kind.blockBits/10))
			}
		}
		for _, p := range undersized {
			cells = append(cells, splitSizingCell("specification", p.eps, p.times), splitSizingCell("mixture", p.eps, 0))
		}
		return cells
	},
}

// A blockedLaw is a metric, and what its law allows.
type blockedLaw struct {
	metric engine.Metric
	band   func() stats.Band
}

// blockedCell measures the rate of filters of c bits for each of n keys. As in
// schemeCell, a trial of tiny filters is a group of them. A plan is instant and the
// laws are not, so that they are worked out by the first trial.
func blockedCell(kind blockKind, c, k, n int) engine.Cell {
	blocks := kind.blocks(c, n)
	bits, keys := blocks*uint64(kind.blockBits), uint64(n)
	near, plainNear := bloom.FPRClassic(bits, uint64(k), keys), 0.0
	own := func() float64 { return kind.law(blocks, k, n) }
	laws := []blockedLaw{{blockedMixture, func() stats.Band { return adapters.RateBand(own()) }}}
	poisson := func() float64 { return bloom.FPRBlocked(bits, uint64(k), keys, uint64(kind.blockBits)) }
	classic := classicMixture(kind.blockBits, k, float64(n)/float64(blocks))
	switch kind.name {
	case splitKind.name:
		poisson = func() float64 { return bloom.FPRSplitBlock(bits, keys) }
		fallthrough
	case wordKind.name, lineKind.name:
		laws = append(laws, blockedLaw{blockedPoisson, func() stats.Band { return adapters.RateBand(poisson()) }})
	}
	many := blocks > 100
	if many && kind.name == wordKind.name {
		laws = append(laws, blockedLaw{blockedClassic, func() stats.Band { return adapters.RateBand(classic) }})
	}
	if printed, ok := printedSplit[c]; ok && many && kind.name == splitKind.name {
		laws = append(laws, blockedLaw{splitPrinted, func() stats.Band { return adapters.RateBand(printed) }})
	}
	if kind.blockBits > 1 {
		near, plainNear = classic, near
		if many && near > plainNear*(1+stats.RateTolerance(plainNear)) {
			laws = append(laws, blockedLaw{blockedWorse, func() stats.Band {
				return stats.Between(own(), bloom.FPRExact(bits, uint64(k), keys), math.Inf(1))
			}})
		}
	}
	var metrics []engine.Metric
	for _, l := range laws {
		metrics = append(metrics, l.metric)
	}
	bands := sync.OnceValue(func() (bands []stats.Band) {
		for _, l := range laws {
			bands = append(bands, l.band())
		}
		return bands
	})
	cell := blockedTrials(kind, blocks, k, n, near, metrics, func(t *engine.T, found, absent int64) {
		for i, band := range bands() {
			t.Read(metrics[i], found, absent, band)
		}
	})
	cell.Labels = record.L("subject", kind.name, "c", c, "k", k, "n", n)
	return cell
}

// splitSizingCell fills split block filters that were sized by a rule.
func splitSizingCell(rule string, eps, times float64) engine.Cell {
	const n = 20000
	size, metrics := splitblock.Size, []engine.Metric{promisedRate}
	if times > 0 {
		size, metrics = splitblock.SizeSpecified, append(metrics, splitUndersized)
	}
	blocks, err := size(n, eps)
	if err != nil {
		panic(fmt.Sprintf("experiments: %v", err)) // the rates are ours
	}
	cell := blockedTrials(splitKind, blocks, 8, n, eps, metrics, func(t *engine.T, found, absent int64) {
		t.Read(promisedRate, found, absent, adapters.Promise(eps))
		if times > 0 {
			t.Read(splitUndersized, found, absent, adapters.RateBand(eps*times))
		}
	})
	cell.Labels = record.L("subject", splitKind.name, "rule", rule, "eps", eps, "n", n)
	return cell
}

// blockedTrials is a cell without labels: its trials fill filters and count what
// they find of absent keys.
func blockedTrials(kind blockKind, blocks uint64, k, n int, rate float64, metrics []engine.Metric, read func(t *engine.T, found, absent int64)) engine.Cell {
	// More than a fifth of a look-up's events for each key tells about one filter what
	// the next does otherwise.
	probes := min(probesFor(rate), int(math.Ceil(0.2*float64(n)/rate)))
	group := groupOf(n + probes)
	price := cost("", group*(n+probes)/2, 4*n)
	return engine.Cell{
		Metrics: metrics, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			var found int64
			for i := range group {
				f, err := kind.build(blocks, k, parts(t.Seed, 2*i+1))
				if err != nil {
					return err
				}
				keys := keys(parts(t.Seed, 2*i))
				if err := keys.addTo(f.(sketchproof.Adder), 0, n); err != nil {
					return err
				}
				found += keys.countIn(f, n, n+probes)
			}
			read(t, found, int64(group*probes))
			return nil
		},
	}
}

// classicMixture is the rate with Poisson loads and the textbook rate inside a block:
// the formula of Putze, Sanders and Singler as it stands.
func classicMixture(blockBits, k int, load float64) float64 {
	var rate float64
	weight := math.Exp(-load)
	for i := 1.0; i < load+20*math.Sqrt(load)+60; i++ {
		weight *= load / i
		rate += weight * math.Pow(-math.Expm1(-float64(k)*i/float64(blockBits)), float64(k))
	}
	return rate
}
