package sketchtest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

type samplerSubject = sketchproof.Subject[sketchproof.Sampler, sketchproof.SamplerSpec]

// Sampler holds a sampler to what all of its kind promise: a uniform sample without
// replacement. build makes an empty one.
func Sampler(t testing.TB, build func(sketchproof.SamplerSpec) (sketchproof.Sampler, error), o SamplerOptions) {
	t.Helper()
	run(t, "sampler", o, SamplerCases(o.subject(build), o.effort()))
}

// SamplerCases are the cases of a sampler.
func SamplerCases(s samplerSubject, e Effort) []Case {
	var cases []Case
	for _, check := range samplerChecks {
		cases = append(cases, check(s, e)...)
	}
	return cases
}

// samplerChecks are the general checks of a sampler. None knows an implementation.
var samplerChecks = []func(s samplerSubject, e Effort) []Case{
	samplerHolds,
	samplerSingles,
	samplerPairs,
	samplerMerged,
	func(s samplerSubject, e Effort) []Case {
		if len(sizes{probedSample}.allowed(s)) == 0 {
			return nil
		}
		return samplerProbe(s).alike()
	},
}

// probedSample is K where samplers are asked what all kinds are.
const probedSample = 32

// drawn is the sample of k of the keys 0 to n-1.
func drawn(s samplerSubject, k, n int, seed uint64) ([]uint64, error) {
	p, err := s.Build(sketchproof.SamplerSpec{K: k, Seed: seed})
	if err != nil {
		return nil, err
	}
	for i := range uint64(n) {
		p.Add(i)
	}
	return p.Sample(), nil
}

// allowed are those sizes of a sample that Build takes.
func (l sizes) allowed(s samplerSubject) (allowed []int) {
	for _, k := range l {
		if _, err := probed(func() (sketchproof.Sampler, error) { return s.Build(sketchproof.SamplerSpec{K: k}) }); err == nil {
			allowed = append(allowed, k)
		}
	}
	return allowed
}

type sizes []int

// samplerHolds: a sample holds what was shown, and is a copy.
func samplerHolds(s samplerSubject, _ Effort) []Case {
	allowed := sizes{1, 2, 5, 32}.allowed(s)
	cases := []Case{samplerDistinct(s, allowed), samplerEqualKeys(s, allowed)}
	if len(allowed) > 0 && !s.Forgets {
		cases = append(cases, samplerCopy(s, allowed[len(allowed)-1]))
	}
	return cases
}

// samplerDistinct: of distinct keys the sample holds all up to K, then K of them.
func samplerDistinct(s samplerSubject, allowed []int) Case {
	return invariant(sketchproof.Membership, "wrong/sample", "sample", "all keys as long as they are at most K; then K of those shown, each position once", 500, record.L("check", "sample"), func(keys keys, f *finding) error {
		for _, k := range allowed {
			for _, n := range []int{0, 1, 2, k - 1, k, k + 1, k + 2, 80} {
				sample, err := drawn(s, k, n, keys.seed())
				if err != nil {
					return err
				}
				f.asked++
				slices.Sort(sample)
				if distinct := len(slices.Compact(slices.Clone(sample))); len(sample) != min(k, n) || distinct != len(sample) || n > 0 && sample[len(sample)-1] >= uint64(n) {
					f.fail("K = %d, the keys 0 to %d: the sample is %v", k, n-1, sample)
				}
			}
		}
		return nil
	})
}

// samplerEqualKeys: a key that is shown again is one more to be sampled.
func samplerEqualKeys(s samplerSubject, allowed []int) Case {
	return invariant(sketchproof.Membership, "wrong/sample", "equal-keys", "positions are sampled, not keys", 60, record.L("check", "equal-keys"), func(keys keys, f *finding) error {
		for _, k := range allowed {
			for _, n := range []int{1, 2, 20} {
				p, err := s.Build(sketchproof.SamplerSpec{K: k, Seed: keys.seed()})
				if err != nil {
					return err
				}
				for range n {
					p.Add(7)
				}
				f.asked++
				if sample := p.Sample(); len(sample) != min(k, n) {
					f.fail("K = %d, the key 7 shown %d times: the sample is %v", k, n, sample)
				}
			}
		}
		return nil
	})
}

// samplerCopy: who writes to a sample changes nothing.
func samplerCopy(s samplerSubject, k int) Case {
	return invariant(sketchproof.Isolation, "changed/sample", "copy", "Sampler.Sample: a copy", 40, record.L("check", "copy"), func(keys keys, f *finding) error {
		p, err := s.Build(sketchproof.SamplerSpec{K: k, Seed: keys.seed()})
		if err != nil {
			return err
		}
		for i := range uint64(2 * k) {
			p.Add(i)
			before := slices.Clone(p.Sample())
			written := p.Sample()
			for j := range written {
				written[j] = 99
			}
			_ = append(written[:0], 98)
			f.asked++
			slices.Sort(before)
			after := p.Sample()
			slices.Sort(after)
			if !slices.Equal(before, after) {
				f.fail("K = %d, the keys 0 to %d: the sample is %v, and %v when what was given out was written to", k, i, before, after)
				break
			}
		}
		return nil
	})
}

// samplersATrial is how many samples a trial draws: one takes about a microsecond.
const samplersATrial = 64

// fairRoom is the relative difference in a chance that is no defect: beside an
// error of one in the number of keys it is small.
const fairRoom = 0.1

// inclusion is a case of how often events happen, of tries in each sample.
func inclusion(s samplerSubject, labels record.Labels, metric, source string, k, n, tries int, chance float64, happened func(sample []uint64) int) Case {
	const leastEvents = 8000 // tell a rate to 7 % at six standard errors
	trials := 32
	for float64(trials*samplersATrial*tries)*chance < leastEvents {
		trials *= 2
	}
	return Case{
		Labels: labels, Of: sketchproof.Fairness, Metric: metric, Method: stats.Rate, Law: "uniform", Source: source, Trials: 2 * trials, Operations: samplersATrial * n,
		Run: func(seed uint64) (Reading, error) {
			r := Reading{Den: int64(samplersATrial * tries), Band: stats.Within(chance, fairRoom)}
			for i := range samplersATrial {
				sample, err := drawn(s, k, n, part(seed, i))
				if err != nil {
					return r, err
				}
				r.Num += int64(happened(sample))
			}
			expected := float64(r.Den) * chance
			if off := float64(r.Num) - expected; off*off > 16*expected {
				r.Input = fmt.Sprintf("K = %d, the keys 0 to %d: %v happens %d times in %d samples, not %.4g", k, n-1, labels, r.Num, samplersATrial, expected)
			}
			return r, nil
		},
	}
}

// A drawing is K of n keys.
type drawing struct{ k, n int }

// samplerSingles: each position is as likely as any other. Where an implementation
// is one off, it shows at item K+1, the first that may replace another, and at K.
func samplerSingles(s samplerSubject, e Effort) []Case {
	var cases []Case
	for _, d := range pick(e, []drawing{{1, 3}, {4, 7}}, []drawing{{4, 12}, {2, 60}, {10, 11}}, []drawing{{32, 1000}}) {
		if len(sizes{d.k}.allowed(s)) == 0 {
			continue
		}
		for _, at := range []struct {
			name     string
			from, to int // positions
		}{
			{"first", 0, 1},
			{"K", d.k - 1, d.k},
			{"K+1", d.k, d.k + 1},
			{"K+2", d.k + 1, d.k + 2},
			{"last", d.n - 1, d.n},
			{"first-K", 0, d.k},
		} {
			if at.to > d.n || at.name == "first-K" && d.k == 1 || at.name == "K" && d.k == 1 || at.name == "last" && d.n <= d.k+2 {
				continue
			}
			count := func(sample []uint64) (n int) {
				for _, key := range sample {
					if int(key) >= at.from && int(key) < at.to {
						n++
					}
				}
				return min(n, at.to-at.from)
			}
			cases = append(cases, inclusion(s, record.L("check", "item", "k", d.k, "n", d.n, "item", at.name), "sampled/item",
				"Vitter 1985: every item is in the sample with a chance of K/n; within a tenth", d.k, d.n, at.to-at.from, float64(d.k)/float64(d.n), count))
		}
	}
	return cases
}

// samplerPairs: any two positions are together as often as any others.
func samplerPairs(s samplerSubject, e Effort) []Case {
	var cases []Case
	for _, d := range pick(e, []drawing{{4, 7}}, []drawing{{4, 12}}, []drawing{{10, 60}}) {
		if len(sizes{d.k}.allowed(s)) == 0 {
			continue
		}
		chance := float64(d.k*(d.k-1)) / float64(d.n*(d.n-1))
		for _, pair := range []struct {
			name string
			a, b int
		}{{"first-two", 0, 1}, {"K-and-K+1", d.k - 1, d.k}, {"K+1-and-K+2", d.k, d.k + 1}, {"first-and-last", 0, d.n - 1}, {"last-two", d.n - 2, d.n - 1}} {
			together := func(sample []uint64) int {
				if slices.Contains(sample, uint64(pair.a)) && slices.Contains(sample, uint64(pair.b)) {
					return 1
				}
				return 0
			}
			cases = append(cases, inclusion(s, record.L("check", "pair", "k", d.k, "n", d.n, "pair", pair.name), "sampled/pair",
				"without replacement two items are together with a chance of K(K-1)/n(n-1); within a tenth", d.k, d.n, 1, chance, together))
		}
	}
	return cases
}

// samplerMerged: a merged sample is one of all that was shown to both.
func samplerMerged(s samplerSubject, e Effort) []Case {
	if s.Merge == nil {
		return nil
	}
	var cases []Case
	const k = 5
	for _, n := range pick(e, [][2]int{{10, 30}}, [][2]int{{30, 10}, {3, 20}, {20, 3}}, nil) {
		all := n[0] + n[1]
		chance := float64(k) / float64(all)
		cases = append(cases, Case{
			Labels: record.L("check", "merged", "k", k, "n", n[0], "other", n[1]), Of: sketchproof.Merging, Metric: "sampled/item", Method: stats.Rate, Law: "uniform",
			Source: "a merger samples what both were shown: every item with a chance of K/n; within a tenth", Trials: 1024, Operations: 16 * all,
			Run: func(seed uint64) (Reading, error) {
				const mergers = 16
				r := Reading{Den: int64(mergers * n[0]), Band: stats.Within(chance, fairRoom)}
				for i := range mergers {
					var both [2]sketchproof.Sampler
					for j := range both {
						var err error
						if both[j], err = s.Build(sketchproof.SamplerSpec{K: k, Seed: part(seed, 2*i+j)}); err != nil {
							return r, err
						}
						for at := range n[j] {
							both[j].Add(uint64(j*n[0] + at))
						}
					}
					if err := s.Merge(both[0], both[1]); err != nil {
						return r, err
					}
					sample := both[0].Sample()
					if len(sample) != k {
						return r, fmt.Errorf("with K = %d, samples of %d and %d merged: the sample is %v", k, n[0], n[1], sample)
					}
					for _, key := range sample {
						if key < uint64(n[0]) {
							r.Num++
						}
					}
				}
				return r, nil
			},
		})
	}
	return cases
}
