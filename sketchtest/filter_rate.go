package sketchtest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

type filterLaw = sketchproof.Law[sketchproof.Filter, sketchproof.FilterSpec]

// The promise of a specification stands in for the law of a subject without any.
var promisedRate = filterLaw{
	Name: "promise", Metric: sketchproof.MetricFPR, Source: "the rate that the constructor was asked for",
	Predict: func(_ sketchproof.Filter, spec sketchproof.FilterSpec, _ int) stats.Band {
		return stats.Between(spec.Epsilon, math.Inf(-1), spec.Epsilon*(1+stats.RateTolerance(spec.Epsilon)))
	},
}

// A ratePlan is one question about a rate.
type ratePlan struct {
	shape  shape
	n      int     // keys in a filter
	room   int     // what it is built for, 0 for n
	eps    float64 // asked for
	absent int     // keys asked for, of each filter
	group  int     // filters a trial
	trials int
	// close says that a random shape is looked at again with many look-ups.
	close bool
}

// decidingTrials are those from which on a plan is expected to decide. More are
// planned: they are spent only on a structure that is close to what is allowed, or
// whose filters differ much from one another.
const decidingTrials = 64

// tries is the number of look-ups that the plan's tolerance is derived from.
func (p ratePlan) tries() float64 {
	return float64(min(p.trials, decidingTrials)) * float64(p.group) * float64(p.absent)
}

// room for a rate above and below: what tries look-ups cannot tell from it. An
// interval of six and a half standard errors, at a share of some 1e-9 of the error
// budget, three of an unlucky estimate: 9.5 together, for rare events 40.
func (p ratePlan) slack(rate float64) float64 {
	n := p.tries()
	return (9.5*math.Sqrt(rate*(1-rate)*n) + 40) / n
}

// rateChecks: absent keys are found as rarely as was asked for, or as the subject's
// own law says, whatever the keys look like.
func rateChecks(s sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec], e Effort) []Case {
	t := filterTrialOf(s)
	laws := t.rateLaws()
	main := laws[0]
	if s.Forgets && main.Name == promisedRate.Name {
		return nil // how much it has forgotten is its rate: without a law of its own, there is none
	}
	var cases []Case
	for _, shape := range t.shapes(e) {
		p := ratePlan{shape: shape, n: 1000, eps: usualRate, absent: 2000, group: 1, trials: 512}
		if e >= Usual || shape.name == randomShape.name || t.exact {
			cases = append(cases, t.rateCase(main, p))
		}
		if !t.exact && (e >= Usual || shape.name != randomShape.name) {
			p.absent, p.group = 1000, 2
			cases = append(cases, t.worstCase(main, p))
		}
	}
	for _, eps := range t.rates(main, e) {
		cases = append(cases, t.rateCase(main, ratePlan{shape: randomShape, n: 1000, eps: eps, absent: closeLook(eps), group: 1, trials: 256, close: true}))
	}
	for _, n := range pick(e, []int{1, 10}, []int{3, 100}, []int{2, 5, 30}) {
		cases = append(cases, t.rateCase(main, ratePlan{shape: randomShape, n: n, eps: usualRate, absent: 200, group: 50, trials: 512}))
	}
	for _, n := range pick(e, nil, []int{10000}, []int{100000, 1_000_000, 4_000_000}) {
		cases = append(cases, t.rateCase(main, ratePlan{shape: randomShape, n: n, eps: usualRate, absent: 2000, group: 1, trials: 128}))
	}
	if t.grows() {
		const room = 25
		cases = append(cases, t.rateCase(main, ratePlan{shape: randomShape, n: 40 * room, room: room, eps: usualRate, absent: 2000, group: 1, trials: 512}))
	}
	if e >= Usual {
		for _, law := range laws[1:] {
			for _, shape := range t.tellingShapes() {
				cases = append(cases, t.rateCase(law, ratePlan{shape: shape, n: 1000, eps: usualRate, absent: 2000, group: 1, trials: 512}))
			}
		}
	}
	return cases
}

// closeLook is how many absent keys tell a rate from one that is a fiftieth larger, in
// deciding trials of as many: by slack, (9.5/0.02)^2 (1-eps)/eps in all. Of the smaller
// rates it tells less.
func closeLook(eps float64) int {
	return int(math.Min(16000, 1000*math.Ceil(9.5*9.5/(0.02*0.02)*(1-eps)/eps/decidingTrials/1000)))
}

// shapes are those that a subject takes; the first to be asked are those by which
// most bad hashes show.
func (t filterTrial) shapes(e Effort) []shape {
	first := []string{"random", "sequential", "big-endian", "stride64", "bytes4-big-endian", "decimal"}
	var shapes []shape
	for _, s := range slices.Concat(numberShapes, textShapes) {
		if (s.text == nil || t.bytes) && (e >= Usual || slices.Contains(first, s.name)) {
			shapes = append(shapes, s)
		}
	}
	return shapes
}

// tellingShapes are random keys, and those by which a hash that is no good finds
// too few keys as well as too many.
func (t filterTrial) tellingShapes() []shape {
	shapes := []shape{numberShapes[0], numberShapes[1], numberShapes[2]}
	if t.bytes {
		shapes = append(shapes, textShapes[0])
	}
	return shapes
}

// A rateLaw is a law as it is asked: a main one is broken by a rate that is too
// high, the others warn of one that is too high or too low.
type rateLaw struct {
	filterLaw
	method  stats.Method
	warning bool
}

// rateLaws are the main law, which is the promise where there is one, and those
// with two sides. A subject that promises nothing is held to its first law from
// above, and one without laws to the rate that it was asked for.
func (t filterTrial) rateLaws() []rateLaw {
	var main *rateLaw
	var others []rateLaw
	for _, law := range t.Laws {
		if law.Metric != sketchproof.MetricFPR {
			continue
		}
		band, err := t.band(law, 64, 64, usualRate)
		if err != nil {
			break // the trials fail alike
		}
		oneSided := math.IsInf(band.Lo, -1)
		one := rateLaw{filterLaw: law, method: stats.Rate}
		if band.Hi == 0 {
			one.method = stats.Invariant
		}
		if main == nil && oneSided {
			main = &one
		}
		if !oneSided {
			one.warning = true
			others = append(others, one)
		}
	}
	switch {
	case main == nil && len(others) > 0:
		first := others[0]
		first.warning = false
		main = &first
	case main == nil:
		main = &rateLaw{filterLaw: promisedRate, method: stats.Rate}
	}
	return append([]rateLaw{*main}, others...)
}

// band is what a law allows a filter of n keys that was built for as many as room.
func (t filterTrial) band(law filterLaw, n, room int, eps float64) (band stats.Band, err error) {
	replay(1)
	spec := sketchproof.FilterSpec{Capacity: room, Epsilon: eps, Seed: 1}
	list := randomShape.keys(1, n, held)
	l, err := t.load(spec, list)
	if err != nil {
		return band, err
	}
	err = guard(func() string { return "the law " + law.Name }, func() error {
		band = law.Predict(l.f, withKeys(spec, list), n)
		return nil
	})
	return band, err
}

// rates are the rates to ask for: of those at which the law predicts the same, the
// first alone, as the width of a fingerprint cannot be chosen.
func (t filterTrial) rates(law rateLaw, e Effort) []float64 {
	asked := pick(e, []float64{0.5, 0.25, 0.1}, []float64{1. / 16, 1. / 128, 1e-3, 1e-4},
		[]float64{1. / 8, 1. / 32, 1. / 64, 1e-2, 1. / 256, 1. / 512, 1. / 1024, 1e-5, 1e-6})
	var rates []float64
	known := map[float64]bool{}
	for _, eps := range asked {
		band, err := t.band(law.filterLaw, 64, 64, eps)
		if err != nil || !known[band.Predicted] {
			known[band.Predicted] = true
			rates = append(rates, eps)
		}
	}
	return rates
}

// grows reports whether a filter takes many times what it was built for, and grows
// by it: it promises its rate for them too.
func (t filterTrial) grows() bool {
	if !t.adds {
		return false
	}
	replay(1)
	const room = 16
	spec := sketchproof.FilterSpec{Capacity: room, Epsilon: usualRate, Seed: 1}
	empty, err := t.load(spec, nil)
	if err != nil {
		return false
	}
	before := empty.f.SizeBytes()
	full, err := t.load(spec, randomShape.keys(1, 40*room, inOrder))
	return err == nil && full.refused == 0 && full.f.SizeBytes() > 2*before
}

// rateCase asks for absent keys. Its score is over structures: each trial is a
// filter of its own or several, and the spread between them counts. The look-ups
// within one are not independent of one another, least of all where keys are alike:
// there all of them may be found, or none.
func (t filterTrial) rateCase(law rateLaw, p ratePlan) Case {
	if p.room == 0 {
		p.room = p.n
	}
	labels := record.L("check", "rate")
	if law.warning {
		labels = append(labels, record.L("law", law.Name)...)
	}
	labels = append(labels, record.L("shape", p.shape.name, "n", p.n, "eps", strconv.FormatFloat(p.eps, 'g', 6, 64))...)
	if p.room != p.n {
		labels = append(labels, record.L("built-for", p.room)...)
	}
	if p.close {
		labels = append(labels, record.L("look", "close")...)
	}
	trials := p.trials
	if law.method == stats.Invariant {
		trials = min(trials, 8)
	}
	band := sync.OnceValues(func() (stats.Band, error) {
		band, err := t.band(law.filterLaw, p.n, p.room, p.eps)
		return p.widened(law, band), err
	})
	return Case{
		Labels: labels, Of: sketchproof.Rate, Metric: sketchproof.MetricFPR, Method: law.method, Warning: law.warning,
		Law: law.Name, Source: law.Source + "; over structures, and what as many look-ups cannot tell from it",
		Trials: trials, Operations: p.group * (2*p.n + p.absent),
		Run: func(seed uint64) (Reading, error) {
			allowed, err := band()
			if err != nil {
				return Reading{}, err
			}
			replay(seed)
			return t.rateTrial(p, seed, allowed)
		},
	}
}

// A filter may exceed its rate by half: those of a thousand keys differ from one
// another by some percent.
const mayExceed = 1.5

// worstCase looks at each filter alone: where keys are alike, a hash that is no good
// finds nearly all absent ones in one filter and none in the next, so that the mean
// tells little. Its score is within one structure: as many keys found as a filter
// that exceeds what is allowed by half finds with a chance of 1e-12.
func (t filterTrial) worstCase(law rateLaw, p ratePlan) Case {
	p.room = p.n
	limit := sync.OnceValues(func() (int, error) {
		band, err := t.band(law.filterLaw, p.n, p.room, p.eps)
		return rarelyReached(mayExceed * math.Max(band.Hi, band.Predicted) * float64(p.absent)), err
	})
	return Case{
		Labels: record.L("check", "rate", "score", "one-filter", "shape", p.shape.name, "n", p.n),
		Of:     sketchproof.Rate, Metric: "too-high/filter", Method: stats.Invariant, Law: law.Name,
		Source: law.Source + "; within one structure, a half more allowed, and what comes by chance once in 10^12 filters",
		Trials: 32, Operations: p.group * (2*p.n + p.absent),
		Run: func(seed uint64) (Reading, error) {
			limit, err := limit()
			replay(seed)
			r := Reading{Band: never}
			for g := 0; g < p.group && err == nil; g++ {
				var one Reading
				if one, err = t.rateOf(p, part(seed, g), float64(limit)/float64(p.absent)); err == nil && one.Num >= int64(limit) {
					r.Num++
					r.Input = one.Input
				}
				r.Den++
			}
			if err == nil && r.Num == 0 && p.shape.name == textShapes[0].name {
				err = t.shortKeys(seed, &r)
			}
			return r, err
		},
	}
}

// rarelyReached is a number that rare events, mean of them, reach with a chance of
// 1e-12 at most: by Chernoff's bound exp(k - mean - k ln(k/mean)).
func rarelyReached(mean float64) int {
	k := math.Ceil(mean) + 1
	for k*math.Log(k/mean)-k+mean < 12*math.Ln10 {
		k++
	}
	return int(k)
}

// widened is a band with room for what the plan cannot tell. The main law is asked
// from above alone.
func (p ratePlan) widened(law rateLaw, band stats.Band) stats.Band {
	if law.method == stats.Invariant {
		return band
	}
	slack := p.slack(band.Predicted)
	band.Hi = math.Max(band.Hi, band.Predicted+slack)
	band.Lo = math.Min(band.Lo, band.Predicted-slack)
	if !law.warning || band.Lo <= 0 {
		band.Lo = math.Inf(-1)
	}
	return band
}

func (t filterTrial) rateTrial(p ratePlan, seed uint64, allowed stats.Band) (Reading, error) {
	r := Reading{Band: allowed}
	for g := range p.group {
		one, err := t.rateOf(p, part(seed, g), allowed.Hi)
		if err != nil {
			return r, err
		}
		r.Num += one.Num
		r.Den += one.Den
		if r.Input == "" {
			r.Input = one.Input
		}
	}
	return r, nil
}

// rateOf builds one filter and asks for absent keys. Its input is told when it finds
// as large a share of them as high.
func (t filterTrial) rateOf(p ratePlan, seed uint64, high float64) (r Reading, err error) {
	spec := sketchproof.FilterSpec{Capacity: p.room, Epsilon: p.eps, Seed: part(seed, 1)}
	list := p.shape.keys(seed, p.n, held)
	l, err := t.load(spec, list)
	if err != nil {
		return r, err
	}
	at := absent(p.n)
	err = guard(func() string { return described(spec, list) + ", asked for others" }, func() error {
		for j := range p.absent {
			if p.shape.key(seed, at(j)).in(l.f) {
				r.Num++
			}
		}
		return nil
	})
	r.Den = int64(p.absent)
	if r.Num > 0 && float64(r.Num) >= high*float64(p.absent) {
		r.Input = fmt.Sprintf("%s (%s): %d of %d others are found", described(spec, list), p.shape.words, r.Num, p.absent)
	}
	return r, err
}
