package choose

import (
	"math"

	"github.com/sketchproof/sketchproof/stats"
)

// An Offer is a candidate with what it costs in the workload, and what is known
// about its promises.
type Offer struct {
	Candidate
	Hit    Estimate `json:"hit"`  // a look-up of a key that is held
	Miss   Estimate `json:"miss"` // of one that is not
	LookUp Estimate `json:"look-up"`
	Build  Estimate `json:"build"` // the whole structure
	// Cost is the seconds of a look-up, the work that false positives cause, and the
	// share of the build: what differs between structures. The work for keys that are
	// there is done whatever the structure.
	Cost     Estimate `json:"cost"`
	Timed    bool     `json:"timed"` // the times above are known
	Verdicts Verdicts `json:"verdicts"`
	Front    bool     `json:"front"` // no other is both smaller and cheaper
	Tied     bool     `json:"tied"`  // its cost is not told apart from the first's
}

// lookUpOps are the names of a look-up's times, from the one that the workload
// makes to what comes nearest.
func (w Workload) lookUpOps(op string) []string {
	var names []string
	if w.needs(NeedBatch) {
		if w.KeyBytes > 0 {
			names = append(names, op+"-bytes-batch")
		} else {
			names = append(names, op+"-batch", op+"-hash-batch")
		}
	}
	if w.KeyBytes > 0 {
		names = append(names, op+"-bytes")
	}
	return append(names, op)
}

// addOps are those of a build, per key.
func (w Workload) addOps() []string {
	if w.KeyBytes > 0 {
		return []string{"build-bytes", "add-bytes", "build", "add"}
	}
	return []string{"build", "add"}
}

// A priced candidate has the times of its operations in a workload, which depend on
// its keys and on what is looked up, and not on the rest.
type priced struct {
	Candidate
	hit, miss, half, add Estimate // of what is no filter, hit is the operation
}

// price times candidates.
func (m *Market) price(w Workload, all []Candidate) []priced {
	hit, miss, half, add := opsOf[w.Kind], []string(nil), []string(nil), []string(nil)
	if w.Kind == KindFilter {
		hit, miss, half, add = w.lookUpOps("hit"), w.lookUpOps("miss"), w.lookUpOps("mixed"), w.addOps()
	}
	list := make([]priced, len(all))
	for i, c := range all {
		time := func(ops []string) Estimate {
			t, ok := m.Clock.Time(w.Kind, c.Subject, c.Asked, c.Bytes, w.KeyBytes, ops...)
			if !ok {
				return unknown
			}
			return t
		}
		list[i] = priced{c, time(hit), time(miss), time(half), time(add)}
	}
	return list
}

// offer is what the candidate costs in the workload.
func (p priced) offer(w Workload) Offer {
	o := Offer{Candidate: p.Candidate}
	if w.Kind != KindFilter {
		o.Cost, o.LookUp = p.hit, p.hit
	} else {
		o.Hit, o.Miss = p.hit, p.miss
		o.LookUp = mixture(p.hit, p.miss, p.half, w.Present)
		o.Build = p.add.Times(float64(p.Keys))
		o.Cost = o.LookUp.Plus(o.waste(w))
		if w.LookupsPerKey > 0 {
			o.Cost = o.Cost.Plus(p.add.Times(1 / w.LookupsPerKey))
		}
	}
	o.Timed = !math.IsNaN(o.Cost.Seconds)
	return o
}

// unknown is a time that was not measured.
var unknown = Estimate{Seconds: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}

// mixture is the time of a look-up when a share of them finds its key. Where the
// answer decides a branch, an order that cannot be told in advance costs more than
// hits and misses apart. It is measured at one half, and goes with the variance of the
// answer, 4σ(1-σ) of that.
func mixture(hit, miss, half Estimate, present float64) Estimate {
	apart := hit.Times(present).Plus(miss.Times(1 - present))
	if math.IsNaN(half.Seconds) {
		return apart
	}
	extra := math.Max(half.Seconds-(hit.Seconds+miss.Seconds)/2, 0) * 4 * present * (1 - present)
	return apart.Plus(Estimate{Seconds: extra, Lo: extra, Hi: extra})
}

// opsOf are the operations that a stream spends its time with.
var opsOf = map[string][]string{
	KindCardinality: {"add"},
	KindFrequency:   {"add"},
	KindTopK:        {"add"},
	KindSampler:     {"add", "stream"},
	KindPlacer:      {"owner", "place"},
	KindSignature:   {"add"},
}

// waste is the work that false positives cause, per look-up.
func (c Candidate) waste(w Workload) Estimate {
	x := (1 - w.Present) * w.Work
	return Estimate{Seconds: c.Rate * x, Lo: math.Max(c.RateLo, 0) * x, Hi: c.RateHi * x}
}

// allowed reports whether a candidate is within the limits of the workload. A
// rate that differs from the limit by what would matter to nobody is within.
func (w Workload) allowed(c Candidate) bool {
	if w.Rate > 0 && !(c.Rate <= w.Rate*(1+slack(w))) {
		return false
	}
	return w.Memory == 0 || c.Bytes <= w.Memory
}

func slack(w Workload) float64 {
	if w.Kind == KindFilter {
		return stats.RateTolerance(w.Rate)
	}
	return 1e-9 // rounding
}

// value is what the workload wants to be least, of an offer.
func (w Workload) value(o Offer) float64 {
	switch w.By {
	case ByMemory:
		return float64(o.Bytes)
	case ByRate:
		return o.Rate
	default:
		return o.Cost.Seconds
	}
}

// Pays says whether a filter is worth having at all.
type Pays struct {
	// Without is the work that a look-up costs when there is no filter; With is
	// what it costs with the best: its own time, the work for keys that are there,
	// and the work for those that it errs on.
	Without float64  `json:"without"`
	With    Estimate `json:"with"`
	Saved   Estimate `json:"saved"` // Without less With: negative where a filter costs more than it saves
	// Least is the work above which the filter pays: t / ((1-σ)(1-ε)).
	Least float64 `json:"least"`
	Pays  bool    `json:"pays"`
}

// pays applies the condition of Lang et al. 2019: t < (1-σ)(1-ε) t_work.
func (w Workload) pays(o Offer) *Pays {
	if w.Work == 0 || !o.Timed {
		return nil
	}
	with := o.Cost.Plus(Estimate{Seconds: w.Present * w.Work, Lo: w.Present * w.Work, Hi: w.Present * w.Work})
	return &Pays{
		Without: w.Work, With: with,
		Saved: Estimate{Seconds: w.Work - with.Seconds, Lo: w.Work - with.Hi, Hi: w.Work - with.Lo},
		Least: (o.Cost.Seconds - o.waste(w).Seconds) / ((1 - w.Present) * (1 - o.Rate)),
		Pays:  with.Seconds < w.Work,
	}
}
