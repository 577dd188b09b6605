package experiments

import (
	"math"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	promisedRate = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: adapters.PromiseLaw, Source: "the rate that the sizing rule was asked for",
	}
	sizeAsBuilt  = engine.Metric{Name: sketchproof.MetricBitsPerKey, Method: stats.Mean}
	printedTable = engine.Metric{
		Name: "mismatches/figure", Method: stats.Invariant,
		Law: "sizing.table", Source: "the printed table, less than one unit of its last digit off",
	}
)

var bloomSizing = engine.Experiment{
	Name:     "bloom/sizing",
	Question: "Does a filter that was sized for n keys at rate p keep to p?",
	Claims: []engine.Claim{
		{
			Text:   "m = -n ln p / (ln 2)^2 and k = (m/n) ln 2 give the rate p",
			Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: promisedRate.Name, Law: promisedRate.Law,
		},
		{
			Text:   "4.79, 9.58, 14.38, 19.17 bits per key and 3, 7, 10, 13 hashes for 10, 1, 0.1, 0.01 %",
			Source: "Bloom Filters & Probabilistic Data Structures",
			Metric: printedTable.Name, Law: printedTable.Law,
		},
	},
	Method: "Filters are sized by each rule of rounding and filled to capacity. The rule \"exact\" takes the smallest m that keeps p by the exact law; " +
		"the others round the formula up, down, or k to the nearest. Rounding k up costs most where p is a power of 1/2 and (m/n) ln 2 lies just above " +
		"a whole number; at few keys the formula itself promises too much. The table is compared to less than one unit of its last digit: " +
		"1 % takes 9.585 bits, which one document cuts and another rounds.",
	Plan: func(s engine.Scale) []engine.Cell {
		cells := []engine.Cell{tableCell()}
		for _, n := range []int{1, 10, 1000, 10000} {
			for _, eps := range []float64{0.5, 0.25, 0.1, 0.01, 0.001} {
				if s < engine.CI && (n != 1000 || eps != 0.25) {
					continue
				}
				for _, rule := range bloom.Roundings() {
					cells = append(cells, ruleCell(rule, n, eps))
				}
				for _, subject := range adapters.Filters {
					if hasOwnSize(subject) {
						cells = append(cells, ownSizeCell(subject, n, eps))
					}
				}
			}
		}
		return cells
	},
}

// A sizedBloom is a Bloom filter that says of which size it is.
type sizedBloom interface {
	sketchproof.Filter
	sketchproof.Adder
	adapters.BloomShape
}

// isBloom reports whether a subject builds a sizedBloom.
func isBloom(subject adapters.Filter) bool {
	f, err := subject.Build(sketchproof.FilterSpec{Capacity: 1, Epsilon: realRate})
	_, ok := f.(sizedBloom)
	return err == nil && ok
}

// hasOwnSize reports whether a library sizes its Bloom filter itself: not where
// it only hashes for ours.
func hasOwnSize(subject adapters.Filter) bool {
	f, err := subject.Build(sketchproof.FilterSpec{Capacity: 1, Epsilon: realRate})
	_, ours := f.(interface{ Scheme() bloom.Scheme })
	return err == nil && !ours && isBloom(subject)
}

// ruleCell tries our filter as a rule of rounding sizes it.
func ruleCell(rule bloom.Rounding, n int, eps float64) engine.Cell {
	size := sync.OnceValues(func() (p bloom.Params, err error) { // the rule "exact" takes longer than a trial of few keys
		p.M, p.K, err = bloom.Size(uint64(n), eps, rule)
		return p, err
	})
	return sizingCell("bloom", "", rule.String(), n, eps, func(seed uint64) (sizedBloom, error) {
		p, err := size()
		if err != nil {
			return nil, err
		}
		p.Hash = hashing.XX(seed)
		return bloom.New(p)
	})
}

// ownSizeCell tries a library's filter as the library sizes it.
func ownSizeCell(subject adapters.Filter, n int, eps float64) engine.Cell {
	return sizingCell(subject.Name, subject.Module, "own", n, eps, func(seed uint64) (sizedBloom, error) {
		f, err := subject.Build(sketchproof.FilterSpec{Capacity: n, Epsilon: eps, Seed: seed})
		if err != nil {
			return nil, err
		}
		return f.(sizedBloom), nil
	})
}

// sizingCell fills filters to capacity and asks for absent keys. As in
// schemeCell, a trial of tiny filters is a group of them.
func sizingCell(subject, module, rule string, n int, eps float64, build func(seed uint64) (sizedBloom, error)) engine.Cell {
	probes := sizingProbes(n, eps)
	group := groupOf(n + probes)
	price := cost(module, group*(n+probes), 3*n)
	return engine.Cell{
		Labels:  record.L("subject", subject, "rule", rule, "n", n, "eps", eps),
		Module:  adapters.At(module),
		Metrics: []engine.Metric{promisedRate, sizeAsBuilt},
		Trials:  2 * planned(price), // some rules miss by half a percent of p
		Cost:    price,
		Run: func(t *engine.T) error {
			var found int64
			var m uint64
			for i := range group {
				f, err := build(parts(t.Seed, 2*i+1))
				if err != nil {
					return err
				}
				keys := keys(parts(t.Seed, 2*i))
				if err := keys.addTo(f, 0, n); err != nil {
					return err
				}
				found += keys.foundIn(f, n, n+probes)
				m = f.M()
			}
			t.Read(promisedRate, found, int64(group*probes), adapters.Promise(eps))
			t.Read(sizeAsBuilt, int64(m), int64(n), stats.Band{})
			return nil
		},
	}
}

// sizingProbes is the number of look-ups of a trial: as many as see about n/5
// wrong answers, 10 to 1000. More would tell about one filter what the next
// one does otherwise. Fewer do where the tolerance is wider.
func sizingProbes(n int, eps float64) int {
	events := math.Max(10, math.Min(float64(n)/5, 1000)) * math.Pow(stats.RateTolerance(1)/stats.RateTolerance(eps), 2)
	return int(math.Max(2, events) / eps)
}

// tableCell compares the printed table with our formulas.
func tableCell() engine.Cell {
	return engine.Cell{
		Labels:  record.L("subject", "bloom", "table", "printed"),
		Metrics: []engine.Metric{printedTable},
		Trials:  1, // nothing is drawn
		Cost:    engine.Cost{Seconds: 1e-4},
		Run: func(t *engine.T) error {
			var mismatches, compared int64
			for _, row := range []struct {
				rate, bits float64
				k          uint64
			}{{0.1, 4.79, 3}, {0.01, 9.58, 7}, {0.001, 14.38, 10}, {0.0001, 19.17, 13}} {
				_, k, err := bloom.Size(1000000, row.rate, bloom.Nearest)
				if err != nil {
					return err
				}
				if k != row.k {
					mismatches++
				}
				if math.Abs(bloom.BitsPerKey(row.rate)-row.bits) >= 0.01 {
					mismatches++
				}
				compared += 2
			}
			t.Read(printedTable, mismatches, compared, never)
			return nil
		},
	}
}
