package experiments

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The rate of a cuckoo filter under three laws, all about the load reached.
var (
	cuckooPoisson = rateUnder(adapters.CuckooPoisson)
	cuckooSlots   = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "cuckoo.slots", Source: "Fan et al. 2014, section 5.1, with 2^f-1 tags: 1-(1-1/(2^f-1))^(2ba)",
	}
	cuckooBound = engine.Metric{
		Name: sketchproof.MetricFPR, Method: stats.Rate,
		Law: "cuckoo.bound", Source: "Fan et al. 2014, equation 6: 2b/2^f",
	}
)

// A cuckooTable is a cuckoo filter that tells its geometry.
type cuckooTable interface {
	sketchproof.Filter
	sketchproof.Adder
	sketchproof.Remover
	adapters.CuckooShape
}

// A cuckooShape is a geometry: buckets, slots a bucket, fingerprint bits.
type cuckooShape struct{ buckets, b, f int }

func (s cuckooShape) slots() int { return s.buckets * s.b }

// A cuckooKind is one way to build a cuckoo filter.
type cuckooKind struct {
	name, module string
	build        func(s cuckooShape, seed uint64) (cuckooTable, error)
}

var nativeCuckoo = cuckooKind{name: "cuckoo", build: func(s cuckooShape, seed uint64) (cuckooTable, error) {
	return cuckoo.New(cuckoo.Params{Buckets: uint64(s.buckets), Slots: s.b, FingerprintBits: s.f, Hash: hashing.XX(seed)})
}}

// seiflotfyCuckoo takes a capacity: the slots of a shape of its own four slots
// and eight bits. It has no seed.
var seiflotfyCuckoo = cuckooKind{
	name: "seiflotfy-cuckoo", module: "github.com/seiflotfy/cuckoofilter",
	build: func(s cuckooShape, _ uint64) (cuckooTable, error) { return adapters.NewSeiflotfyCuckoo(s.slots()), nil },
}

// labels are the coordinates of a shape, with a last one of its own.
func (k cuckooKind) labels(s cuckooShape, key string, value any) record.Labels {
	return record.L("subject", k.name, "f", s.f, "b", s.b, "buckets", s.buckets, key, value)
}

var cuckooFPR = engine.Experiment{
	Name:     "cuckoo/fpr",
	Question: "How often does a cuckoo filter err at a given load?",
	Claims: []engine.Claim{
		{
			Text:   "the false-positive rate at load a is 1 - (1 - 1/(2^f-1))^(2ba): every slot is a trial of its own",
			Source: "Fan et al. 2014, section 5.1",
			Metric: cuckooSlots.Name, Law: cuckooSlots.Law,
		},
		{
			Text:   "the false-positive rate at load a is 1 - exp(-2ba/(2^f-1)): the tags that a query meets are Poisson",
			Source: "derived from Fan et al. 2014",
			Metric: cuckooPoisson.Name, Law: cuckooPoisson.Law,
		},
		{
			Text:   "the false-positive rate is at most 2b/2^f",
			Source: "Fan et al. 2014, equation 6",
			Metric: cuckooBound.Name, Law: cuckooBound.Law,
		},
	},
	Method: "A fresh filter takes distinct random keys up to a load, or to its first refusal if that comes first; then keys never " +
		"added are looked up. The laws are taken at the load that was reached. Where a query's two buckets hold many keys for " +
		"few tags (f = 4), “every slot a trial” is 2 to 4 % too high, since the keys of one pair of buckets and one tag are Poisson, " +
		"not one a slot; from f = 8 on the two forms are the same. The bound is allowed the tolerance of the rate.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		add := func(kind cuckooKind, shapes []cuckooLoad) {
			slices.SortStableFunc(shapes, func(x, y cuckooLoad) int { // legends and tables follow the order
				return cmp.Or(cmp.Compare(x.f, y.f), cmp.Compare(x.b, y.b), cmp.Compare(x.load, y.load))
			})
			for _, p := range shapes {
				cells = append(cells, cuckooRateCell(kind, p.cuckooShape, p.load))
			}
		}
		add(nativeCuckoo, engine.Pick(s,
			loads(1<<14, []int{8}, []int{4}, 0.5, 0.95),
			slices.Concat(
				// Four-bit tags crowd: with one slot or two, a filter may refuse long before it is full.
				loads(1<<14, []int{4}, []int{1}, 0.1), loads(1<<14, []int{4}, []int{2}, 0.1, 0.4),
				loads(1<<14, []int{4}, []int{4}, 0.1, 0.5, 0.9), loads(1<<14, []int{4}, []int{8}, 0.1, 0.5),
				loads(1<<14, []int{8}, []int{1}, 0.1, 0.25, 0.4), loads(1<<14, []int{8}, []int{2}, 0.1, 0.4, 0.8),
				loads(1<<14, []int{8}, []int{4}, 0.1, 0.9), loads(1<<14, []int{8}, []int{8}, 0.1, 0.5, 0.95),
				loads(1<<14, []int{12}, []int{1}, 0.45), loads(1<<14, []int{12}, []int{2}, 0.4, 0.8),
				loads(1<<14, []int{12}, []int{4, 8}, 0.1, 0.5, 0.95),
				loads(1<<14, []int{16}, []int{2}, 0.8), loads(1<<14, []int{16}, []int{4, 8}, 0.5, 0.95),
				loads(4000, []int{8}, []int{4}, 0.9), loads(12004, []int{8}, []int{4}, 0.9),
			),
			slices.Concat(
				loads(1<<14, []int{12}, []int{1}, 0.1, 0.25), loads(1<<14, []int{12}, []int{2}, 0.1), loads(1<<14, []int{12}, []int{4}, 0.9),
				loads(1<<14, []int{16}, []int{1}, 0.1, 0.25, 0.45), loads(1<<14, []int{16}, []int{2}, 0.1, 0.4),
				loads(1<<14, []int{16}, []int{4, 8}, 0.1),
				loads(1<<20, []int{8, 12, 16}, []int{4}, 0.95), loads(1000004, []int{8, 12}, []int{4}, 0.95),
			)))
		add(seiflotfyCuckoo, engine.Pick(s,
			loads(1<<14, []int{8}, []int{4}, 0.5),
			loads(1<<14, []int{8}, []int{4}, 0.1, 0.9),
			loads(1<<20, []int{8}, []int{4}, 0.95)))
		return cells
	},
}

// A cuckooLoad is a shape and a share of its slots.
type cuckooLoad struct {
	cuckooShape
	load float64
}

// loads are all combinations at a number of slots in all.
func loads(slots int, fs, bs []int, as ...float64) []cuckooLoad {
	var all []cuckooLoad
	for _, f := range fs {
		for _, b := range bs {
			for _, a := range as {
				all = append(all, cuckooLoad{cuckooShape{slots / b, b, f}, a})
			}
		}
	}
	return all
}

func cuckooRateCell(kind cuckooKind, shape cuckooShape, load float64) engine.Cell {
	n := int(math.Round(load * float64(shape.slots())))
	probes := probesFor(cuckoo.FPR(shape.f, shape.b, load))
	price := cost(kind.module, n+probes, shape.slots()*shape.f/8)
	metrics := []engine.Metric{cuckooPoisson, cuckooSlots, cuckooBound}
	labels := append(kind.labels(shape, "load", load), record.L("slots", shape.slots())...)
	return engine.Cell{
		Labels: labels, Module: adapters.At(kind.module), Metrics: metrics, Trials: planned(price), Cost: price,
		Run: func(t *engine.T) error {
			f, err := kind.build(shape, parts(t.Seed, 1))
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			if _, err := fillCuckoo(f, keys, n); err != nil {
				return err
			}
			a := float64(f.Len()) / (float64(f.Buckets()) * float64(f.Slots()))
			found := keys.foundIn(f, n, n+probes)
			t.Read(cuckooPoisson, found, int64(probes), adapters.RateBand(cuckoo.FPR(shape.f, shape.b, a)))
			t.Read(cuckooSlots, found, int64(probes), adapters.RateBand(slotRate(shape, a)))
			t.Read(cuckooBound, found, int64(probes), adapters.Promise(cuckoo.Bound(shape.f, shape.b)))
			return nil
		},
	}
}

// slotRate is 1 - (1 - 1/(2^f-1))^(2ba).
func slotRate(s cuckooShape, a float64) float64 {
	return -math.Expm1(2 * float64(s.b) * a * math.Log1p(-1/(math.Ldexp(1, s.f)-1)))
}

// fillCuckoo adds the keys number 0 to n-1, or up to the first that is refused,
// and returns how many went in.
func fillCuckoo(f cuckooTable, keys keys, n int) (int, error) {
	for i := range n {
		if err := f.Add(keys.at(i)); errors.Is(err, sketchproof.ErrFull) {
			return i, nil
		} else if err != nil {
			return i, err
		}
	}
	return n, nil
}
