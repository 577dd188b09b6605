package experiments

import (
	"math"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/stats"
)

// What plans ask of every subject is asked once: a plan is made at each start, of
// the command and of its workers.
var (
	knownRates   sync.Map // name and rate asked for: float64
	knownSeeding sync.Map // name: bool
)

// rateOf is the rate that the subject's first law about it predicts for a small
// filter, 0 if none does.
func rateOf(subject adapters.Filter, eps float64) float64 {
	type asked struct {
		name string
		eps  float64
	}
	key := asked{subject.Name, eps}
	if rate, ok := knownRates.Load(key); ok {
		return rate.(float64)
	}
	rate := 0.0
	const n = 64
	law, ok := subject.LawFor(sketchproof.MetricFPR)
	spec := sketchproof.FilterSpec{Keys: keys(1).slice(0, n), Epsilon: eps}
	if f, err := subject.Build(spec); ok && err == nil {
		rate = law.Predict(f, spec, n).Predicted
	}
	knownRates.Store(key, rate)
	return rate
}

// usualRate is the band of the subject's first law about the rate, for a filter of
// n numbers, and a share of what it predicts on either side. Added later are numbers
// that a filter takes one by one, which tells where it rotates. The band is computed
// once a process: for some laws it takes longer than a trial.
func usualRate(subject adapters.Filter, eps float64, n int, later bool, share float64) func() stats.Band {
	return sync.OnceValue(func() stats.Band {
		law, _ := subject.LawFor(sketchproof.MetricFPR)
		spec := sketchproof.FilterSpec{Keys: keys(1).slice(0, n), Capacity: n, Epsilon: eps}
		like := spec
		if later && takesKeys(subject) {
			like.Keys = nil
		}
		f, err := subject.Build(like)
		if a, ok := f.(sketchproof.Adder); ok && err == nil && like.Keys == nil {
			err = keys(1).addTo(a, 0, n)
		}
		if err != nil {
			nan := math.NaN() // the trials fail alike
			return stats.Between(nan, nan, nan)
		}
		band := law.Predict(f, spec, n)
		more := share * band.Predicted
		return stats.Between(band.Predicted, math.Min(band.Lo, band.Predicted)-more, math.Max(band.Hi, band.Predicted)+more)
	})
}

// isSeeded reports whether the seed of a specification makes another filter.
func isSeeded(subject adapters.Filter) bool {
	if seeded, ok := knownSeeding.Load(subject.Name); ok {
		return seeded.(bool)
	}
	seeded := findSeed(subject)
	knownSeeding.Store(subject.Name, seeded)
	return seeded
}

func findSeed(subject adapters.Filter) bool {
	const n, asked = 64, 2000
	build := func(seed uint64) (sketchproof.Filter, error) {
		return subject.Build(sketchproof.FilterSpec{Keys: keys(1).slice(0, n), Epsilon: 0.3, Seed: seed})
	}
	a, errA := build(1)
	b, errB := build(2)
	if errA != nil || errB != nil {
		return false
	}
	if h, ok := a.(interface{ Hash() hashing.Hasher }); ok {
		return h.Hash() != b.(interface{ Hash() hashing.Hasher }).Hash()
	}
	for i := n; i < asked; i++ {
		if key := keys(1).at(i); a.Contains(key) != b.Contains(key) {
			return true
		}
	}
	return false
}

// nativeNamed is a subject of the catalogue.
func nativeNamed(name string) adapters.Filter {
	for _, s := range adapters.Filters {
		if s.Name == name {
			return s
		}
	}
	panic("experiments: no subject is called " + name)
}
