package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// tried is the most keys that a candidate is built with. A larger structure is
// found by halving its keys until they fit: memory goes with the keys, and what is
// rounded up to a power of two is halved with them.
const tried = 1 << 14

// filterCandidates builds every filter of the catalogue for so many keys, over
// rates from 1/2 to 2^-24, and at the rate that is wanted.
func filterCandidates(ctx context.Context, keys int, wanted float64) ([]choose.Candidate, error) {
	base, shift := halved(keys, tried)
	most, _ := halved(keys, refinedKeys)
	sample := numbered(most)
	rates := ratesToTry(wanted)
	found := make([][]choose.Candidate, len(adapters.Filters))
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, s := range adapters.Filters {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			found[i] = filterOffers(ctx, s, sample[:base], sample, rates)
		})
	}
	group.Wait()
	all := slices.Concat(found...)
	for i := range all {
		all[i].Bytes <<= shift
		all[i].Keys = keys
	}
	return all, ctx.Err()
}

// numbered are so many distinct keys.
func numbered(n int) []uint64 {
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = hashing.Mix(uint64(i+1) * hashing.Gamma)
	}
	return keys
}

// halved is a number of keys that is at most a limit, and how often it was halved.
func halved(keys, limit int) (base, shift int) {
	for base = keys; base > limit; shift++ {
		base = (base + 1) / 2
	}
	return base, shift
}

// ratesToTry are two to every power of two, and the wanted one with three below
// it, for what errs more often than it was asked to. All but the wanted one are such as
// the table prints and a person writes.
func ratesToTry(wanted float64) []float64 {
	var rates []float64
	for x := 1.; x <= 24; x += 0.5 {
		rates = append(rates, inThreeDigits(math.Exp2(-x)))
	}
	if wanted > 0 {
		rates = append(rates, wanted)
		for _, share := range []float64{0.9, 0.8, 0.7} {
			rates = append(rates, inThreeDigits(wanted*share))
		}
	}
	slices.SortFunc(rates, func(a, b float64) int { return -compareFloats(a, b) })
	return rates
}

// inThreeDigits is a rate rounded up. A fingerprint of f bits has a rate of a power of
// two: asked for less by the fourth digit, a filter takes another bit a key.
func inThreeDigits(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-2)
	const noise = 1e-9 // of floating point, in units
	text := strconv.FormatFloat(math.Ceil(x/unit-noise)*unit, 'g', 3, 64)
	y, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("%q was a number: %v", text, err))
	}
	return y
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// filterOffers are the candidates of one subject. A rate that the subject refuses,
// or fails at, is left out; what cannot be asked for a rate is one candidate.
// That one is built of many keys, as it is built once.
func filterOffers(ctx context.Context, s adapters.Filter, keys, many []uint64, rates []float64) []choose.Candidate {
	powers, err := filterPowers(s)
	if err != nil {
		return nil
	}
	var all []choose.Candidate
	try := func(eps float64) (choose.Candidate, bool) {
		c, err := filterCandidate(s, keys, eps)
		c.Powers = powers
		return c, err == nil
	}
	first, ok1 := try(rates[0])
	last, ok2 := try(rates[len(rates)-1])
	if ok1 && ok2 && first.Bytes == last.Bytes && first.Rate == last.Rate {
		if larger, err := filterCandidate(s, many, rates[0]); err == nil {
			larger.Bytes = int64(float64(larger.Bytes) * float64(len(keys)) / float64(len(many)))
			larger.Powers = powers
			first = larger
		}
		first.Asked, first.Parameters = math.Min(math.Max(first.Rate, 1e-9), 0.5), "no rate to choose"
		return []choose.Candidate{first}
	}
	for _, eps := range rates {
		if ctx.Err() != nil {
			return nil
		}
		if c, ok := try(eps); ok {
			all = append(all, c)
		}
	}
	return all
}

// filterCandidate builds one filter of the keys.
func filterCandidate(s adapters.Filter, keys []uint64, eps float64) (c choose.Candidate, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	spec := sketchproof.FilterSpec{Keys: keys, Capacity: len(keys), Epsilon: eps, Seed: 1}
	f, err := s.Build(spec)
	if err != nil {
		return c, err
	}
	c = choose.Candidate{
		Subject: s.Name, Module: adapters.At(s.Module), Asked: eps, Keys: len(keys), Built: len(keys), Bytes: int64(f.SizeBytes()),
		Parameters: "rate " + choose.Share(eps), Rate: eps, RateHi: eps,
	}
	if law, ok := s.LawFor(sketchproof.MetricFPR); ok {
		band := law.Predict(f, spec, len(keys))
		c.Rate, c.RateLo, c.RateHi, c.Law = band.Predicted, math.Max(band.Lo, 0), band.Hi, law.Name
	}
	if _, ok := f.(interface{ Rotate() }); ok {
		// It was half full when it was asked. Just before it rotates it is full, and errs
		// as often as it promises.
		c.Rate, c.RateHi, c.Law = eps, math.Max(c.RateHi, eps), adapters.PromiseLaw
	}
	return c, nil
}

// filterPowers tries what a filter can do on a small one.
func filterPowers(s adapters.Filter) (p choose.Powers, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	const n, eps = 200, 0.01 // not a power of two, which some take for full
	spec := sketchproof.FilterSpec{Keys: numbered(n), Capacity: n, Epsilon: eps, Seed: 1}
	f, err := s.Build(spec)
	if err != nil {
		return p, err
	}
	_, p.Add = f.(sketchproof.Adder)
	_, p.Remove = f.(sketchproof.Remover)
	_, p.Bytes = f.(sketchproof.BytesFilter)
	_, batch := f.(sketchproof.BatchFilter)
	_, hashes := f.(sketchproof.HashBatchFilter)
	p.Batch = batch || hashes
	p.Merge, p.Serialize = s.Merge != nil, s.Encode != nil && s.Decode != nil
	law, judged := s.LawFor(sketchproof.MetricFPR)
	exact := judged && law.Predict(f, spec, n).Predicted == 0
	p.Keyed = s.Keyed || exact
	p.CountDuplicates = countsDuplicates(f)
	p.Grow = judged && grows(f, spec, law)
	return p, nil
}

// countsDuplicates reports whether a key that was added twenty times is there until
// it was removed as often.
func countsDuplicates(f sketchproof.Filter) bool {
	const times, stranger = 20, 1 << 60
	a, adds := f.(sketchproof.Adder)
	r, removes := f.(sketchproof.Remover)
	if !adds || !removes || f.Contains(stranger) {
		return false
	}
	for range times {
		if a.Add(stranger) != nil {
			return false
		}
	}
	for range times {
		if !f.Contains(stranger) || r.Remove(stranger) != nil {
			return false
		}
	}
	return !f.Contains(stranger)
}

// grows reports whether a filter takes 16 times the keys that it was built for
// and, by its law, still errs at most twice as often as it was asked to.
func grows(f sketchproof.Filter, spec sketchproof.FilterSpec, law sketchproof.Law[sketchproof.Filter, sketchproof.FilterSpec]) bool {
	a, ok := f.(sketchproof.Adder)
	if !ok {
		return false
	}
	const times = 16
	n := len(spec.Keys)
	for i := n; i < times*n; i++ {
		if a.Add(hashing.Mix(uint64(i+1)*hashing.Gamma)) != nil {
			return false
		}
	}
	return law.Predict(f, spec, times*n).Predicted <= 2*spec.Epsilon
}

// refined is how many of the first offers are built again with more keys, up to
// refinedKeys: the overhead of some structures is another for few keys than for many.
const (
	refined     = 8
	refinedKeys = 1 << 20
)

// refineFilters replaces the candidates behind the first offers by ones that were
// built with more keys.
func refineFilters(ctx context.Context, all []choose.Candidate, a choose.Answer) {
	base, shift := halved(a.Workload.Keys, refinedKeys)
	if base <= tried {
		return
	}
	sample := numbered(base)
	for _, o := range a.Offers[:min(refined, len(a.Offers))] {
		i := slices.IndexFunc(adapters.Filters, func(s adapters.Filter) bool { return s.Name == o.Subject })
		c, err := filterCandidate(adapters.Filters[i], sample, o.Asked)
		if err != nil || ctx.Err() != nil {
			continue // the smaller one stands
		}
		c.Powers, c.Parameters, c.Bytes, c.Keys = o.Powers, o.Parameters, c.Bytes<<shift, o.Keys
		for i := range all {
			if all[i].Subject == o.Subject && all[i].Asked == o.Asked {
				all[i] = c
			}
		}
	}
}
