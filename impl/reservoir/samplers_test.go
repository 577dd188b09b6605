package reservoir

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof"
)

var (
	_ sketchproof.Sampler         = (*R[uint64])(nil)
	_ sketchproof.Sampler         = (*L[uint64])(nil)
	_ sketchproof.Sampler         = (*Weighted[uint64])(nil)
	_ sketchproof.WeightedSampler = (*Weighted[uint64])(nil)
)

func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

// chiSquare is the statistic of counts against expected ones, and six standard
// deviations above its mean: (O-E)^2/E adds up to the degrees of freedom, with
// twice that for a variance.
func chiSquare(t *testing.T, what string, counts []int, expected []float64) {
	t.Helper()
	sum, cells := 0.0, 0.0
	for i, e := range expected {
		if e == 0 {
			if counts[i] != 0 {
				t.Errorf("%s: cell %d is impossible, and came %d times", what, i, counts[i])
			}
			continue
		}
		sum += (float64(counts[i]) - e) * (float64(counts[i]) - e) / e
		cells++
	}
	if most := cells + 6*math.Sqrt(2*cells) + 6; sum > most {
		t.Errorf("%s: chi-square %v of %v cells: %v, want %v", what, sum, cells, counts, expected)
	}
}

// set is the number of a set of items below 16.
func set(items []int) int {
	n := 0
	for _, i := range items {
		n |= 1 << i
	}
	return n
}

// All sets of k of n items must be equally likely, whichever way a sample came
// about. Six items, three sampled: 20 sets.
func TestEverySetIsEquallyLikely(t *testing.T) {
	const n, k, trials = 6, 3, 20000
	add := func(s interface{ Add(int) }, from, to int) {
		for i := from; i < to; i++ {
			s.Add(i)
		}
	}
	expected := make([]float64, 1<<n)
	for s := range expected {
		var items []int
		for i := range n {
			if s>>i&1 == 1 {
				items = append(items, i)
			}
		}
		if len(items) == k {
			expected[s] = trials / 20.
		}
	}
	ways := map[string]func(seed uint64) []int{
		"R": func(seed uint64) []int { r := must(New[int](k, seed)); add(r, 0, n); return r.Sample() },
		"L": func(seed uint64) []int { l := must(NewL[int](k, seed)); add(l, 0, n); return l.Sample() },
		"weighted, equal": func(seed uint64) []int {
			s := must(NewWeighted[int](k, seed))
			add(s, 0, n)
			return s.Sample()
		},
	}
	for _, split := range []int{0, 1, 2, 3, 4, 6} { // short, full and empty parts
		ways["L merged at "+string(rune('0'+split))] = func(seed uint64) []int {
			a, b := must(NewL[int](k, 2*seed)), must(NewL[int](k, 2*seed+1))
			end := max(split, n-1) // one more item after the merge, if there is one left
			add(a, 0, split)
			add(b, split, end)
			if err := a.Merge(b); err != nil {
				t.Fatal(err)
			}
			add(a, end, n)
			return a.Sample()
		}
		ways["weighted merged at "+string(rune('0'+split))] = func(seed uint64) []int {
			a, b := must(NewWeighted[int](k, 2*seed)), must(NewWeighted[int](k, 2*seed+1))
			end := max(split, n-1)
			add(a, 0, split)
			add(b, split, end)
			if err := a.Merge(b); err != nil {
				t.Fatal(err)
			}
			add(a, end, n)
			return a.Sample()
		}
		ways["combined at "+string(rune('0'+split))] = func(seed uint64) []int {
			a, b := must(New[int](k, 2*seed)), must(New[int](k, 2*seed+1))
			add(a, 0, split)
			add(b, split, n)
			return must(Combine(k, seed, Part[int]{a.Sample(), a.Seen()}, Part[int]{b.Sample(), b.Seen()})).Sample
		}
	}
	for name, way := range ways {
		counts := make([]int, 1<<n)
		for seed := range uint64(trials) {
			sample := way(seed)
			if len(sample) != k {
				t.Fatalf("%s: a sample of %v", name, sample)
			}
			counts[set(sample)]++
		}
		chiSquare(t, name, counts, expected)
	}
}

// The split between two parts is hypergeometric.
func TestCombineSplit(t *testing.T) {
	const a, b, k, trials = 30, 10, 6, 20000
	counts, expected := make([]int, k+1), make([]float64, k+1)
	sum := 0.0
	for j := range expected {
		p := HypergeometricSplit(a, b, k, uint64(j))
		expected[j] = trials * p
		sum += p
	}
	if math.Abs(sum-1) > 1e-12 || HypergeometricSplit(2, 3, 2, 1) < 0.6-1e-12 || HypergeometricSplit(2, 3, 3, 3) != 0 {
		t.Errorf("chances add up to %v", sum)
	}
	for seed := range uint64(trials) {
		all, err := Combine(k, seed, Part[int]{[]int{0, 0, 0, 0, 0, 0}, a}, Part[int]{[]int{1, 1, 1, 1, 1, 1}, b})
		if err != nil || all.Seen != a+b {
			t.Fatal(err)
		}
		first := 0
		for _, part := range all.Sample {
			first += 1 - part
		}
		counts[first]++
	}
	chiSquare(t, "split", counts, expected)
}

func TestCombineRefusals(t *testing.T) {
	for what, parts := range map[string][]Part[int]{
		"too small": {{[]int{1}, 2}},
		"too large": {{[]int{1, 2}, 1}},
		"too many":  {{[]int{1, 2}, math.MaxUint64}, {[]int{1, 2}, 3}},
	} {
		if _, err := Combine(2, 1, parts...); err == nil {
			t.Errorf("%s: combined", what)
		}
	}
	if _, err := Combine[int](-1, 1); err == nil {
		t.Error("capacity -1")
	}
	if all, err := Combine[int](3, 1); err != nil || len(all.Sample) != 0 || all.Seen != 0 {
		t.Errorf("nothing combined: %v, %v", all, err)
	}
	sample := []int{1, 2, 3}
	if all := must(Combine(2, 1, Part[int]{sample, 9}, Part[int]{})); len(all.Sample) != 2 || all.Seen != 9 || !slices.Equal(sample, []int{1, 2, 3}) {
		t.Errorf("combined to %v, left %v", all, sample)
	}
}

// Draws one after the other, each of what is left by weight: the chance of an
// ordered sample of two of items a, b, c is w_a/W x w_b/(W-w_a).
func TestWeightedIsSuccessiveDraws(t *testing.T) {
	weights := []float64{1, 2, 5, 0.5}
	const trials = 30000
	for _, merged := range []bool{false, true} {
		counts, expected := make([]int, 16), make([]float64, 16)
		for i, wi := range weights {
			for j, wj := range weights {
				if i != j {
					expected[4*i+j] = trials * wi / 8.5 * wj / (8.5 - wi)
				}
			}
		}
		for seed := range uint64(trials) {
			a, b := must(NewWeighted[int](2, 2*seed)), must(NewWeighted[int](2, 2*seed+1))
			for i, w := range weights {
				to := a
				if merged && (i == 1 || i == 2) {
					to = b
				}
				if err := to.AddWeighted(i, w); err != nil {
					t.Fatal(err)
				}
			}
			if err := a.Merge(b); err != nil {
				t.Fatal(err)
			}
			s := a.Sample()
			counts[4*s[0]+s[1]]++
		}
		chiSquare(t, "weighted", counts, expected)
	}
}

func TestWeightsOutOfRange(t *testing.T) {
	s := must(NewWeighted[int](2, 1))
	for _, w := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if err := s.AddWeighted(1, w); err == nil || s.Seen() != 0 {
			t.Errorf("weight %v: %v", w, err)
		}
	}
	for range 100 {
		for i, w := range []float64{math.SmallestNonzeroFloat64, math.MaxFloat64, 1} {
			if err := s.AddWeighted(i, w); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := s.Sample(); !slices.Equal(got, []int{1, 1}) {
		t.Errorf("%v, want the heaviest", got)
	}
}

func TestMergeRefusals(t *testing.T) {
	a, b, c := must(NewL[int](2, 1)), must(NewL[int](3, 1)), must(NewL[int](2, 2))
	a.Add(1)
	a.Add(2)
	c.Add(3)
	c.Add(4)
	if err := errors.Join(c.Skip(0), a.Merge(c)); err != nil {
		t.Fatal(err)
	}
	if got := c.Sample(); !slices.Equal(got, []int{3, 4}) || c.Seen() != 2 || a.Seen() != 4 {
		t.Errorf("the source has %v", got)
	}
	before := a.Sample()
	a.seen = math.MaxUint64
	if a.Merge(a) == nil || a.Merge(b) == nil || a.Merge(c) == nil || !slices.Equal(a.Sample(), before) {
		t.Error("merged with itself, another capacity or too many items")
	}
	x, y := must(NewWeighted[int](2, 1)), must(NewWeighted[int](3, 1))
	if x.Merge(x) == nil || x.Merge(y) == nil {
		t.Error("merged with itself or another capacity")
	}
	x.seen, y = math.MaxUint64, must(NewWeighted[int](2, 1))
	y.Add(1)
	if x.Merge(y) == nil {
		t.Error("merged too many")
	}
	if must(NewL[int](0, 1)).Merge(must(NewL[int](0, 2))) != nil {
		t.Error("nothing to merge is refused")
	}
	if _, err := NewL[int](-1, 1); err == nil {
		t.Error("capacity -1")
	}
	if _, err := NewWeighted[int](-1, 1); err == nil {
		t.Error("capacity -1")
	}
}

// Passing over what will not get in changes nothing.
func TestSkipIsAddOfWhatDoesNotGetIn(t *testing.T) {
	const n = 100000
	a, b := must(NewL[uint64](5, 3)), must(NewL[uint64](5, 3))
	for i := range uint64(n) {
		a.Add(i)
	}
	shown := 0
	for b.Seen() < n {
		pass := min(b.Skippable(), n-b.Seen())
		if err := b.Skip(pass); err != nil {
			t.Fatal(err)
		}
		if b.Seen() < n {
			b.Add(b.Seen())
			shown++
		}
	}
	if !slices.Equal(a.Sample(), b.Sample()) || a.Seen() != b.Seen() || uint64(shown) != 5+a.Replacements() {
		t.Errorf("%v and %v, %d shown", a.Sample(), b.Sample(), shown)
	}
	if err := b.Skip(b.Skippable() + 1); err == nil {
		t.Error("skipped an item that gets in")
	}
	none := must(NewL[int](0, 1))
	none.Add(1)
	if none.Skippable() != math.MaxUint64-1 || len(none.Sample()) != 0 {
		t.Errorf("a sample of nothing: %d", none.Skippable())
	}
}

// Replacements have the mean and variance of R's: a sum of independent chances
// k/i.
func TestLReplacements(t *testing.T) {
	const k, n, trials = 10, 2000, 3000
	sum := 0.0
	for seed := range uint64(trials) {
		l := must(NewL[int](k, seed))
		for i := range n {
			l.Add(i)
		}
		sum += float64(l.Replacements())
	}
	want, sd := ExpectedReplacements(k, n), math.Sqrt(ReplacementsVariance(k, n)/trials)
	if math.Abs(sum/trials-want) > 6*sd {
		t.Errorf("%v replacements on average, want %v, standard error %v", sum/trials, want, sd)
	}
	if got := ExpectedDraws(k, n); math.Abs(got-2-3*want) > 1e-9 || ExpectedDraws(5, 4) != 0 || ExpectedDraws(0, 4) != 0 {
		t.Errorf("%v draws", got)
	}
}

// A stream too long for its tags ends in passing over all of it.
func TestLTooLong(t *testing.T) {
	l := must(NewL[int](1, 1))
	l.Add(1)
	for range 200 {
		if err := l.Skip(l.Skippable()); err != nil {
			t.Fatal(err)
		}
		if l.Seen() >= math.MaxUint64-1 {
			return
		}
		l.Add(2)
	}
	t.Errorf("seen %d after 200 replacements", l.Seen())
}
