package minhash

import (
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if math.Abs(got-want) > rel*math.Abs(want)+1e-15 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// Two bins: every law by hand.
func TestLawsOfTwoBins(t *testing.T) {
	// A union of two keys, one in both. With one bin filled (chance 1/2) both bins
	// read the same key, of J = 1/2: 0 or 1. With two filled: always 1/2.
	near(t, "DensifiedVariance", DensifiedVariance(1, 2, 2), 1.0/8, 1e-12)
	near(t, "BinVariance", BinVariance(1, 2, 2), 1.0/8, 1e-12)
	near(t, "BottomKVariance", BottomKVariance(1, 2, 1), 1.0/4, 1e-12)
	if v := BottomKVariance(1, 2, 2); v != 0 {
		t.Errorf("two hashes tell all of two keys, variance %v", v)
	}
	// Three keys, one in both: filled 1 with chance 1/4, J = 1/3; else two of three.
	near(t, "DensifiedVariance", DensifiedVariance(1, 3, 2), (1.0/4)*(2.0/9)+(3.0/4)*(2.0/9)/2*(1.0/2), 1e-12)
}

// One bin is one minimum, and far more bins than keys tell almost all.
func TestLawsAtTheirEnds(t *testing.T) {
	for _, j := range []struct{ common, union int }{{0, 50}, {50, 50}, {20, 50}} {
		p := float64(j.common) / float64(j.union)
		near(t, "DensifiedVariance of one bin", DensifiedVariance(j.common, j.union, 1), Variance(p, 1), 1e-12)
		near(t, "BinVariance of one bin", BinVariance(j.common, j.union, 1), Variance(p, 1), 1e-9)
		near(t, "BottomKVariance of one hash", BottomKVariance(j.common, j.union, 1), Variance(p, 1), 1e-12)
		near(t, "BBitVariance of many bits", BBitVariance(p, 7, 52), Variance(p, 7), 1e-9)
	}
	if v := BinVariance(20, 50, MaxK); v > 0.001*Variance(0.4, 50) {
		t.Errorf("BinVariance of %d bins for 50 keys is %v", MaxK, v)
	}
	// Without empty bins, both are a sample of k keys without replacement.
	want := BottomKVariance(4000, 10000, 16)
	near(t, "DensifiedVariance", DensifiedVariance(4000, 10000, 16), want, 1e-9)
	near(t, "BinVariance", BinVariance(4000, 10000, 16), want, 1e-9)
	for k := 2; k < 2000; k *= 3 {
		if b, d := BinVariance(300, 1000, k), DensifiedVariance(300, 1000, k); b > d*(1+1e-9) {
			t.Errorf("k = %d: bins counted once vary by %v, densified by %v", k, b, d)
		}
	}
}

// pair builds two sets of a union of union random keys, common of them in both.
type pairOf func(seed uint64, add func(a, b bool, hash uint64))

func pairs(common, union int) pairOf {
	return func(seed uint64, add func(a, b bool, hash uint64)) {
		for i := range union {
			h := hashing.Mix(hashing.Mix(seed) + uint64(i+1)*hashing.Gamma)
			both := i < common
			add(both || i%2 == 0, both || i%2 == 1, h)
		}
	}
}

type hashAdder interface{ AddHash(uint64) }

func (p pairOf) into(seed uint64, a, b hashAdder) {
	p(seed, func(inA, inB bool, h uint64) {
		if inA {
			a.AddHash(h)
		}
		if inB {
			b.AddHash(h)
		}
	})
}

// moments are checked to six standard errors: of the mean sd/√N, of the variance
// about √(2/N) of it, as the estimates are near normal.
func checkMoments(t *testing.T, name string, trials int, j, variance float64, estimate func(seed uint64) float64) {
	t.Helper()
	sum, squares := 0.0, 0.0
	for i := range trials {
		e := estimate(uint64(i)) - j
		sum += e
		squares += e * e
	}
	n := float64(trials)
	if mean := sum / n; math.Abs(mean) > 6*math.Sqrt(variance/n) {
		t.Errorf("%s: biased by %v, standard error %v", name, mean, math.Sqrt(variance/n))
	}
	if got := squares / n; math.Abs(got/variance-1) > 6*math.Sqrt(2/n) {
		t.Errorf("%s: variance %v, law %v: ratio %.3f", name, got, variance, got/variance)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestMomentsAreThoseOfTheLaws(t *testing.T) {
	const trials = 2000
	for _, c := range []struct{ k, common, union int }{{64, 30, 100}, {150, 20, 60}, {50, 120, 200}} {
		j := float64(c.common) / float64(c.union)
		keys := pairs(c.common, c.union)
		// The hash function's seed only moves the walks: hashes are given.
		params := func(seed uint64) Params { return Params{c.k, hashing.XX(seed)} }
		checkMoments(t, "functions", trials, j, Variance(j, c.k), func(seed uint64) float64 {
			a, b := must(New(params(seed))), must(New(params(seed)))
			keys.into(seed, a, b)
			return must(a.Similarity(b))
		})
		for _, bits := range []int{1, 4} {
			checkMoments(t, "b-bit", trials, j, BBitVariance(j, c.k, bits), func(seed uint64) float64 {
				a, b := must(NewBBit(params(seed), bits)), must(NewBBit(params(seed), bits))
				keys.into(seed, a, b)
				return must(a.Unclamped(b))
			})
		}
		checkMoments(t, "densified", trials, j, DensifiedVariance(c.common, c.union, c.k), func(seed uint64) float64 {
			a, b := must(NewOnePermutation(params(seed))), must(NewOnePermutation(params(seed)))
			keys.into(seed, a, b)
			return must(a.Similarity(b))
		})
		checkMoments(t, "bins", trials, j, BinVariance(c.common, c.union, c.k), func(seed uint64) float64 {
			a, b := must(NewOnePermutation(params(seed))), must(NewOnePermutation(params(seed)))
			keys.into(seed, a, b)
			return must(a.BinSimilarity(b))
		})
		if c.k < c.union {
			checkMoments(t, "bottom-k", trials, j, BottomKVariance(c.common, c.union, c.k), func(seed uint64) float64 {
				a, b := must(NewBottomK(params(seed))), must(NewBottomK(params(seed)))
				keys.into(seed, a, b)
				return must(a.Similarity(b))
			})
		}
	}
}

// The functions are independent of each other: which key sets the minima of two
// of them, a 5 x 5 table over fresh hashes, for multipliers near and far.
func TestFunctionsAreIndependent(t *testing.T) {
	const trials, keys = 20000, 5
	a := multipliers()
	indices := []int{0, 1, 2, 17, 1023, MaxK - 1}
	counts := map[[2]int]*[keys * keys]int{}
	for trial := range trials {
		var lowest [6]int
		for f, i := range indices {
			least := none
			for x := range keys {
				if v := a[i] * hashing.Mix(uint64(trial*keys+x+1)*hashing.Gamma); v < least {
					least, lowest[f] = v, x
				}
			}
		}
		for f := range indices {
			for g := range f {
				c := counts[[2]int{f, g}]
				if c == nil {
					c = new([keys * keys]int)
					counts[[2]int{f, g}] = c
				}
				c[lowest[f]*keys+lowest[g]]++
			}
		}
	}
	for pair, c := range counts {
		chi, want := 0.0, float64(trials)/(keys*keys)
		for _, n := range c {
			chi += (float64(n) - want) * (float64(n) - want) / want
		}
		// 24 degrees of freedom: above 80 with probability 6e-8.
		if chi > 80 {
			t.Errorf("functions %d and %d: chi-square %.1f of 24", indices[pair[0]], indices[pair[1]], chi)
		}
	}
}

// k·Ĵ is binomial of k and J: each count of matches as often as it says.
func TestMatchesAreBinomial(t *testing.T) {
	const k, trials = 12, 20000
	keys := pairs(20, 50)
	var counts [k + 1]int
	a, b := must(New(Params{k, hashing.XX(1)})), must(New(Params{k, hashing.XX(1)}))
	for seed := range uint64(trials) {
		a.Reset()
		b.Reset()
		keys.into(seed, a, b)
		counts[must(a.Matches(b))]++
	}
	p, chi, cells := math.Pow(0.6, k), 0.0, 0
	for x, n := range counts {
		if want := p * trials; want >= 5 {
			chi += (float64(n) - want) * (float64(n) - want) / want
			cells++
		}
		p *= float64(k-x) / float64(x+1) * 0.4 / 0.6
	}
	// At most 12 degrees of freedom: above 58 with probability 5e-8.
	if chi > 58 || cells < 9 {
		t.Errorf("chi-square %.1f of %d counts: %v", chi, cells, counts)
	}
}

// The chances of matches have the moments of the laws.
func TestChancesHaveTheMomentsOfTheLaws(t *testing.T) {
	check := func(name string, p []float64, j, variance float64) {
		t.Helper()
		k := float64(len(p) - 1)
		var sum, mean, second float64
		for x, c := range p {
			sum += c
			mean += c * float64(x) / k
			second += c * (float64(x)/k - j) * (float64(x)/k - j)
		}
		near(t, name+": sum", sum, 1, 1e-10)
		near(t, name+": mean", mean, j, 1e-10)
		if math.Abs(second-variance) > 1e-9*variance+1e-14 {
			t.Errorf("%s: variance %v, want %v", name, second, variance)
		}
	}
	for _, k := range []int{1, 2, 16, 100, 1024} {
		for _, common := range []int{0, 1, 50, 399, 400} {
			j := float64(common) / 400
			check("binomial", MatchChances(j, k), j, Variance(j, k))
			check("b-bit", MatchChances(BBitMatch(j, 2), k), BBitMatch(j, 2), BBitVariance(j, k, 2)*9/16)
			check("hypergeometric", BottomKChances(common, 400, k), j, BottomKVariance(common, 400, k))
		}
	}
}
