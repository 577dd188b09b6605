package adapters

import (
	"math"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof"
)

func sampler(t *testing.T, s Sampler, k int, seed uint64) sketchproof.Sampler {
	t.Helper()
	p, err := s.Build(sketchproof.SamplerSpec{K: k, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A sample of no keys is one, of fewer none.
func TestSamplersRefuse(t *testing.T) {
	for _, s := range Samplers {
		if p, err := s.Build(sketchproof.SamplerSpec{K: -1}); err == nil {
			t.Errorf("%s: built %v for -1 keys", s.Name, p)
		}
		p := sampler(t, s, 0, 1)
		p.Add(1)
		if sample := p.Sample(); len(sample) != 0 {
			t.Errorf("%s: K = 0, and the sample is %v", s.Name, sample)
		}
	}
}

func TestSamplersFollowTheirSeed(t *testing.T) {
	for _, s := range Samplers {
		draw := func(seed uint64) []uint64 {
			p := sampler(t, s, 5, seed)
			for i := range uint64(100) {
				p.Add(i)
			}
			return p.Sample()
		}
		if !slices.Equal(draw(1), draw(1)) || slices.Equal(draw(1), draw(2)) {
			t.Errorf("%s: the seed is not all that is random", s.Name)
		}
	}
}

// Of 100 and 300 keys merged, a quarter of the sample is of the first on average.
func TestSamplersMerge(t *testing.T) {
	const k, trials = 20, 400
	for _, s := range Samplers {
		if s.Merge == nil {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			first := 0
			for trial := range uint64(trials) {
				a, b := sampler(t, s, k, 2*trial), sampler(t, s, k, 2*trial+1)
				for i := range uint64(400) {
					if i < 100 {
						a.Add(i)
					} else {
						b.Add(i)
					}
				}
				before := b.Sample()
				if err := s.Merge(a, b); err != nil {
					t.Fatal(err)
				}
				sample := a.Sample()
				if len(sample) != k || !slices.Equal(b.Sample(), before) {
					t.Fatalf("merged to %v, left %v", sample, b.Sample())
				}
				for _, key := range sample {
					if key < 100 {
						first++
					}
				}
			}
			// Each is one with chance 1/4, at most as uncertain as if apart.
			if sd := math.Sqrt(k * trials * 3. / 16); math.Abs(float64(first)-k*trials/4) > 6*sd {
				t.Errorf("%d of %d are of the first quarter", first, k*trials)
			}
			if err := s.Merge(sampler(t, s, 3, 1), sampler(t, s, 4, 1)); err == nil {
				t.Error("merged samples of 3 and 4")
			}
		})
	}
}

func TestWeightedSamplersRefuseWeights(t *testing.T) {
	for _, s := range Samplers {
		w, ok := sampler(t, s, 3, 1).(sketchproof.WeightedSampler)
		if !ok {
			continue
		}
		for _, weight := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			if w.AddWeighted(1, weight) == nil || len(w.(sketchproof.Sampler).Sample()) != 0 {
				t.Errorf("%s: weight %v", s.Name, weight)
			}
		}
	}
}
