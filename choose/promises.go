package choose

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// A promise is something that a workload relies on, and which judgements speak
// about it. Judgements are found by what was tried, never by whose structure it was.
type promise struct {
	kind string // of the question, "" for all
	need string // that brings it in, "" for every workload of the kind
	says string
	// experiment and law are patterns of path.Match; metric is exact, "" for any.
	experiment, law, metric string
	near                    bool // speaks of the sizes and rates that it was tried at alone
}

var promises = []promise{
	{"", "", "never fails or panics", "*/*", record.FaultLaw, "", false},

	{KindFilter, "", "finds every key that it accepted", "*/*", "no-false-negatives", "", false},
	{KindFilter, "", "finds every key that it accepted", "*/*", "cuckoo.keeps-keys", "", false},
	{KindFilter, "", "keeps the rate that it was asked for", "*/*", "promise", "false-positives/absent", true},
	{KindFilter, "", "is built of any keys", "*/*", "no-build-failure", "", false},
	{KindFilter, NeedDelete, "loses no other key when one is deleted", "*/*", "*.delete", "", false},
	{KindFilter, NeedDelete, "is after a deletion as if the key had never been there", "*/*", "counting.restore", "", false},
	{KindFilter, NeedGrow, "keeps its rate while it grows", "expandable/growth", "promise", "", false},
	{KindFilter, NeedGrow, "is right after it grew", "*/*", "*.resize", "", false},
	{KindFilter, NeedGrow, "keeps its rate while it grows", "*/*", "scalable.*", "", false},
	{KindFilter, NeedMerge, "is the filter of the union when merged", "*/*", "union.*", "", false},
	{KindFilter, NeedMerge, "is right when merged", "*/*", "quotient.merge", "", false},
	{KindFilter, NeedSerialize, "reads what it wrote, and refuses what was damaged", "bloom/serial", "serial.*", "", false},
	{KindFilter, NeedAdversary, "keeps its rate against an enemy who does not know its key", "bloom/salt", "forged.key", "", false},
	{KindFilter, NeedConcurrent, "misses no key under concurrent readers", "bloom/hot-swap", "*", "", false},

	{KindCardinality, "", "is unbiased", "*/*", "*.unbiased", "", true},
	{KindCardinality, "", "has the error that it should", "*/*", "*.error*", "", true},
	{KindCardinality, NeedMerge, "is right when merged", "hll/merge", "*", "", false},

	{KindFrequency, "", "is never under the truth", "*/*", "*.never-under", "", false},
	{KindFrequency, "", "is as rarely over the bound as it says", "cms/bound", "cms.bound", "", false},
	{KindFrequency, NeedMerge, "is right when merged", "cms/merge", "*", "", false},

	{KindTopK, "", "keeps every heavy key, and its bounds", "topk/*", "topk.*", "", false},
	{KindSampler, "", "takes every item with the same chance", "reservoir/uniform", "*", "", false},
	{KindSignature, "", "is unbiased, with the variance that it should have", "minhash/variance", "*", "", false},
	{KindPlacer, "", "moves no key between nodes that stay", "ring/*", "placement.only-to-newcomer", "", false},
	{KindPlacer, "", "spreads the load, and moves what it must, as its law says", "ring/*", "*.even", "", false},
	{KindPlacer, "", "spreads the load, and moves what it must, as its law says", "ring/*", "*.moved", "", false},
	{KindPlacer, "", "answers at the edges of the ring", "ring/edge", "*", "", false},
}

// catalogued are the values of labels under which a cell tries a subject as the
// catalogue has it. Cells with others try another way to size or to read it, and say
// nothing about the catalogue's.
var catalogued = map[string][]string{
	"rule":      {"own", "exact", "mixture"},
	"estimator": {"own", "bins", "unclamped"},
}

// Evidence is what the experiments found, by subject.
type Evidence struct{ rows map[string][]finding }

// A finding is a judgement, with the promises that it may speak about.
type finding struct {
	record.Summary
	promises []promise
	eps, n   float64 // that it was tried at, NaN where the cell does not say
}

// NewEvidence sorts judgements by their subjects. Rows that judge nothing, or a
// variant of a subject, are left out.
func NewEvidence(rows []record.Summary) Evidence {
	e := Evidence{map[string][]finding{}}
	for _, r := range rows {
		if !r.Judged() || ofVariant(r) {
			continue
		}
		if f := found(r); len(f.promises) > 0 {
			e.rows[r.Subject] = append(e.rows[r.Subject], f)
		}
	}
	return e
}

func found(r record.Summary) finding {
	experiment, labels := record.ParseCell(r.Cell)
	number := func(key string) float64 {
		x, err := strconv.ParseFloat(labels.Value(key), 64)
		if err != nil {
			return math.NaN()
		}
		return x
	}
	f := finding{Summary: r, eps: number("eps"), n: number("n")}
	for _, p := range promises {
		if like(p.experiment, experiment) && like(p.law, r.Law) && (p.metric == "" || p.metric == r.Metric) {
			f.promises = append(f.promises, p)
		}
	}
	return f
}

func ofVariant(r record.Summary) bool {
	_, labels := record.ParseCell(r.Cell)
	return slices.ContainsFunc(labels, func(l record.Label) bool {
		values, known := catalogued[l.Key]
		return known && !slices.Contains(values, l.Value)
	})
}

// A Breach is a promise that was found broken.
type Breach struct {
	Promise  string  `json:"promise"`
	Law      string  `json:"law"`
	Cell     string  `json:"cell"` // the first of them
	Metric   string  `json:"metric"`
	Measured float64 `json:"measured"`
	Allowed  float64 `json:"allowed"` // the end of the band that was passed
	Broken   int     `json:"broken"`  // judgements of the promise's law
	Of       int     `json:"of"`
}

func (b Breach) String() string {
	return fmt.Sprintf("%s: broken in %d of %d judgements under %s, as %s (%s is %.3g, allowed %.3g)",
		b.Promise, b.Broken, b.Of, b.Law, b.Cell, b.Metric, b.Measured, b.Allowed)
}

// Verdicts are what the judgements say about the promises that a workload needs of
// a subject.
type Verdicts struct {
	Held      int      `json:"held"`
	Undecided int      `json:"undecided"`
	Broken    int      `json:"broken"`
	Breaches  []Breach `json:"breaches,omitempty"`
}

// Of are the verdicts about a candidate in a workload.
func (e Evidence) Of(c Candidate, w Workload) Verdicts {
	var v Verdicts
	for _, r := range e.rows[c.Subject] {
		p, ok := r.relied(c, w)
		if !ok {
			continue
		}
		switch r.Verdict {
		case stats.Holds:
			v.Held++
		case stats.Undecided:
			v.Undecided++
		case stats.Broken:
			v.Broken++
		}
		v.note(p, r.Summary)
	}
	v.Breaches = slices.DeleteFunc(v.Breaches, func(b Breach) bool { return b.Broken == 0 })
	return v
}

// note counts a judgement under the law of its promise.
func (v *Verdicts) note(p promise, r record.Summary) {
	i := slices.IndexFunc(v.Breaches, func(b Breach) bool { return b.Law == r.Law && b.Promise == p.says })
	if i < 0 {
		v.Breaches = append(v.Breaches, Breach{Promise: p.says, Law: r.Law})
		i = len(v.Breaches) - 1
	}
	b := &v.Breaches[i]
	b.Of++
	if r.Verdict != stats.Broken {
		return
	}
	if b.Broken++; b.Broken == 1 {
		b.Cell, b.Metric, b.Measured, b.Allowed = r.Cell, r.Metric, r.Estimate, r.AllowedHi
		if r.Hi < r.AllowedLo {
			b.Allowed = r.AllowedLo
		}
	}
}

// relied is the first promise that the workload relies on and the finding speaks
// about.
func (f finding) relied(c Candidate, w Workload) (promise, bool) {
	for _, p := range f.promises {
		if (p.kind == "" || p.kind == w.Kind) && (p.need == "" || w.needs(p.need)) && (!p.near || f.near(c, w)) {
			return p, true
		}
	}
	return promise{}, false
}

func like(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil || pattern == "*/*" && name != "" // an experiment of one word too
}

// near reports whether a cell was tried at a rate within a factor of three of the
// candidate's, and with a thousand keys, unless the workload has fewer: small filters
// err by the rounding of their parameters, which no large one does. A distinct count
// is judged up to ten times the keys of the workload.
func (f finding) near(c Candidate, w Workload) bool {
	if w.Kind == KindCardinality {
		return !(f.n > 10*float64(w.Keys))
	}
	return !(f.eps > 3*c.Asked || c.Asked > 3*f.eps || f.n < float64(min(1000, c.Keys)))
}

// shows reports whether a power that no interface tells was seen in an experiment,
// and never broken.
func (e Evidence) shows(subject, need string) bool {
	seen := false
	for _, r := range e.rows[subject] {
		for _, p := range r.promises {
			if p.need == need {
				if r.Verdict != stats.Holds {
					return false
				}
				seen = true
			}
		}
	}
	return seen
}
