package experiments

import (
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/ribbon"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The rate of a ribbon filter: that of r bits, and in the homogeneous form what
// crowded keys add.
var (
	ribbonRate   = rateUnder(adapters.RibbonStandard)
	ribbonExcess = engine.Metric{
		Name: ribbonRate.Name, Method: stats.Rate,
		Law: "ribbon.redundant", Source: "derived: 2^-r + (1 - 2^-r) q, q the share of redundant equations of a queue M/D/1",
	}
)

// A ribbonRatePoint is a filter with an overhead; 0 is the rule's.
type ribbonRatePoint struct {
	kind        ribbonKind
	n           int
	r, overhead float64
}

var ribbonFPR = engine.Experiment{
	Name:     "ribbon/fpr",
	Question: "How often does a ribbon filter err, with whole and fractional r?",
	Claims: []engine.Claim{
		{
			Text:   "the false-positive rate is 2^-r, and between whole r on the straight line",
			Source: "Dillinger & Walzer 2021",
			Metric: ribbonRate.Name, Law: ribbonRate.Law,
		},
		{
			Text:   "the homogeneous form errs more where keys are crowded: by the share of redundant equations",
			Source: "derived from Dillinger & Walzer 2021",
			Metric: ribbonExcess.Name, Law: ribbonExcess.Law,
		},
	},
	Method: "A fresh filter of r bits is built of distinct random keys; then keys never added are looked up. The homogeneous form is tried " +
		"at overheads below the rule's too: there 2^-r alone is broken, because a stretch with more keys than rows fixes all of its rows to zero combinations, " +
		"and finds every absent key that starts in it. A crowd takes about 1/overhead^2 rows to gather, so the law with that share is for filters longer than that. It is allowed a quarter of it either way, for the fit of its factor.",
	Plan: func(s engine.Scale) []engine.Cell {
		points := engine.Pick(s,
			[]ribbonRatePoint{{ribbon64, 10000, 4, 0}, {ribbonHomogeneous, 10000, 8, 0}},
			[]ribbonRatePoint{
				{ribbon32, 10000, 4.25, 0},
				{ribbon64, 10000, 4.25, 0},
				{ribbon64, 10000, 4.5, 0},
				{ribbon64, 10000, 4.75, 0},
				{ribbon64, 10000, 8, 0},
				{ribbon128, 10000, 4.25, 0},
				{burr64, 10000, 4.5, 0},
				{homogeneous32, 10000, 4, 0.04},
				{homogeneous32, 10000, 4, 0.1},
			},
			[]ribbonRatePoint{
				{ribbon64, 10000, 1, 0},
				{ribbonHomogeneous, 10000, 6.65, 0},
				{burr64, 10000, 4, 0},
				{burr64, 10000, 8, 0},
				{ribbon64, 10000, 12, 0},
				{burr64, 10000, 12, 0},
				{ribbon64, 1000000, 8, 0},
				{burr64, 1000000, 8, 0},
				{ribbonHomogeneous, 1000000, 8, 0},
				{ribbonHomogeneous, 1000000, 8, 0.07},
				{ribbonHomogeneous, 100000, 4, 0.03},
				{homogeneous128, 100000, 4, 0.02},
			})
		var cells []engine.Cell
		for _, p := range points {
			cells = append(cells, ribbonRateCell(p))
		}
		return cells
	},
}

func ribbonRateCell(p ribbonRatePoint) engine.Cell {
	probes := max(probesFor(ribbon.FPR(p.r)), p.n/2)
	price := ribbonCost(p.n, probes)
	metrics := []engine.Metric{ribbonRate}
	homogeneous := p.kind.form == ribbon.Homogeneous
	if homogeneous {
		metrics = append(metrics, ribbonExcess)
	}
	overhead := any(p.overhead)
	if p.overhead == 0 {
		overhead = "rule"
	}
	return engine.Cell{
		Labels:  record.L("subject", p.kind.name, "w", p.kind.width, "r", p.r, "overhead", overhead, "n", p.n),
		Metrics: metrics,
		Trials:  planned(price),
		Cost:    price,
		Run: func(t *engine.T) error {
			keys := keys(parts(t.Seed, 0))
			if p.kind == burr64 {
				f, err := p.kind.build(keys, p.n, p.r, parts(t.Seed, 1))
				if err != nil {
					return err
				}
				t.Read(ribbonRate, keys.foundIn(f, p.n, p.n+probes), int64(probes), adapters.RateBand(f.(*ribbon.Bumped).Rate()))
				return nil
			}
			f, err := ribbon.New(keys.slice(0, p.n), ribbon.Params{
				Width: p.kind.width, Bits: p.r, Form: p.kind.form, Overhead: p.overhead, Hash: hashing.XX(parts(t.Seed, 1)),
			})
			if err != nil {
				return err
			}
			found := keys.foundIn(f, p.n, p.n+probes)
			t.Read(ribbonRate, found, int64(probes), adapters.RateBand(ribbon.FPR(f.Bits())))
			if homogeneous {
				t.Read(ribbonExcess, found, int64(probes), redundantBand(f, p.overhead == 0))
			}
			return nil
		},
	}
}

// redundantBand allows a quarter of the excess either way. A filter of the rule
// makes further attempts to have less of it: down to none.
func redundantBand(f *ribbon.Filter, rule bool) stats.Band {
	follows := ribbon.Follows(float64(f.Starts())/float64(f.Len())-1, f.Width())
	least := 0.75
	if rule {
		least = 0
	}
	low := adapters.RateBand(ribbon.FPRHomogeneous(f.Bits(), least*follows))
	high := adapters.RateBand(ribbon.FPRHomogeneous(f.Bits(), 1.25*follows))
	return stats.Between(ribbon.FPRHomogeneous(f.Bits(), follows), low.Lo, high.Hi)
}
