package countsketch

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func mustNew(t testing.TB, w, d int, h hashing.Hasher) *Sketch {
	t.Helper()
	s, err := New(Params{w, d, h})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNewRefuses(t *testing.T) {
	hash := hashing.XX(1)
	for _, c := range []struct {
		p    Params
		says string
	}{
		{Params{0, 5, hash}, "width 0, must be at least 1"},
		{Params{9, 0, hash}, "depth 0, must be odd and from 1 to 63"},
		{Params{9, 4, hash}, "depth 4, must be odd"},
		{Params{9, 65, hash}, "depth 65, must be odd and from 1 to 63"},
		{Params{9, -1, hash}, "depth -1, must be odd"},
		{Params{Width: 9, Depth: 5}, "unknown hash family"},
		{Params{math.MaxInt32, 63, hash}, "bytes, at most"},
		{Params{math.MaxInt, 63, hash}, "bytes, at most"},
	} {
		if s, err := New(c.p); s != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want an error with %q", c.p, err, c.says)
		}
	}
}

// One key alone has one counter in each row, and each row knows its weight.
func TestOneKeyIsExact(t *testing.T) {
	for _, d := range []int{1, 3, 31, 63} {
		s := mustNew(t, 100, d, hashing.XX(uint64(d)))
		s.Add(7, 20)
		s.AddBytes([]byte("word"), 0)
		s.Add(7, -50)
		want := slices.Repeat([]int64{-30}, d)
		if got := s.Rows(7); !slices.Equal(got, want) || s.Count(7) != -30 {
			t.Errorf("depth %d: rows %v, count %d", d, got, s.Count(7))
		}
		held := 0
		for _, c := range s.cells {
			if c == 30 || c == -30 {
				held++
			} else if c != 0 {
				t.Fatalf("a counter is %d", c)
			}
		}
		if held != d || s.Total() != 70 || s.SecondMoment() != 900 || s.SizeBytes() != 800*d || s.Width() != 100 || s.Depth() != d {
			t.Errorf("depth %d: %d counters, total %d, F2 %v", d, held, s.Total(), s.SecondMoment())
		}
	}
}

// within checks a mean of n independent values of standard deviation sd, to
// six standard errors.
func within(t *testing.T, what string, got, want, sd float64, n int) {
	t.Helper()
	if se := sd / math.Sqrt(float64(n)); !(math.Abs(got-want) <= 6*se) {
		t.Errorf("%s: %v, want %v within six standard errors of %v", what, got, want, se)
	}
}

// The error of a row over fresh hash functions: mean 0, variance (F2 - f^2)/w,
// of each row and of the product of two rows, which is 0 for independent ones.
// Twenty other keys weigh 1 to 20, every third less than nothing.
func TestRowMomentsHold(t *testing.T) {
	const trials, w, d, f = 3000, 7, 5, 5
	f2, fourth := float64(f*f), 0.0
	for c := 1.0; c <= 20; c++ {
		f2 += c * c
		// E[X^4] of a sum of independent X_i of mean 0 is 3 V^2 and the sum of
		// their E[X_i^4] - 3 V_i^2; here c^4/w - 3 c^4/w^2.
		fourth += c * c * c * c * (1.0/w - 3.0/(w*w))
	}
	variance := RowVariance(f2, f, w)
	fourth += 3 * variance * variance
	sums, squares, products, medians := make([]float64, d), make([]float64, d), make([]float64, d), 0.0
	for trial := range uint64(trials) {
		s := mustNew(t, w, d, hashing.XX(hashing.Mix(trial)))
		s.Add(0, f)
		for key := int64(1); key <= 20; key++ {
			s.Add(uint64(key), key*(1-2*(key%3/2)))
		}
		rows := s.Rows(0)
		for r := range d {
			off := float64(rows[r] - f)
			sums[r] += off
			squares[r] += off * off
			products[r] += off * float64(rows[(r+1)%d]-f)
		}
		medians += float64(s.Count(0) - f)
	}
	for r := range d {
		within(t, "mean", sums[r]/trials, 0, math.Sqrt(variance), trials)
		within(t, "variance", squares[r]/trials, variance, math.Sqrt(fourth-variance*variance), trials)
		within(t, "covariance", products[r]/trials, 0, variance, trials)
	}
	within(t, "median", medians/trials, 0, math.Sqrt(variance), trials)
}

// The second moment of a row: mean F2, variance at most 2 F2^2/w (Alon, Matias,
// Szegedy 1996).
func TestSecondMomentIsUnbiased(t *testing.T) {
	const trials, w = 2000, 16
	sum, f2 := 0.0, 0.0
	for c := 1.0; c <= 30; c++ {
		f2 += c * c
	}
	for trial := range uint64(trials) {
		s := mustNew(t, w, 1, hashing.XX(hashing.Mix(trial)))
		for key := int64(1); key <= 30; key++ {
			s.Add(uint64(key), key)
		}
		sum += s.SecondMoment()
	}
	within(t, "F2", sum/trials, f2, f2*math.Sqrt(2.0/w), trials)
}

// The tail of the median is under its bound, and Size keeps what it promises.
func TestSizeKeepsItsPromise(t *testing.T) {
	const eps, delta, trials = 0.3, 0.05, 2000
	w, d, err := Size(eps, delta)
	if err != nil || w != 45 || Tail(2, d) > delta || d > 1 && Tail(2, d-2) <= delta {
		t.Fatalf("%d x %d, %v", d, w, err)
	}
	f2, over := 0.0, 0
	for c := 1.0; c <= 30; c++ {
		f2 += 900 / (c * c)
	}
	for trial := range uint64(trials) {
		s := mustNew(t, w, d, hashing.XX(hashing.Mix(trial)))
		for key := int64(1); key <= 30; key++ {
			s.Add(uint64(key), 30/key)
		}
		if math.Abs(float64(s.Count(99))) > eps*math.Sqrt(f2) {
			over++
		}
	}
	if limit := trials*delta + 6*math.Sqrt(trials*delta); float64(over) > limit {
		t.Errorf("%d of %d are off by more than eps, at most %v", over, trials, limit)
	}
	for _, c := range [][2]float64{{0, 0.1}, {1, 0.1}, {math.NaN(), 0.1}, {0.1, 0}, {0.1, 1}, {0.1, math.NaN()}, {1e-9, 0.1}, {0.5, 1e-30}} {
		if _, _, err := Size(c[0], c[1]); err == nil {
			t.Errorf("eps %v, delta %v were taken", c[0], c[1])
		}
	}
}

func TestTailOfThreeRows(t *testing.T) {
	// q = 1/4: 3 q^2 (1-q) + q^3.
	if got, want := Tail(2, 3), 3.0/16*3/4+1.0/64; math.Abs(got-want) > 1e-12 {
		t.Errorf("got %v, want %v", got, want)
	}
	if Tail(2, 1) != 0.25 && math.Abs(Tail(2, 1)-0.25) > 1e-12 || Tail(1, 3) != 1 || Tail(0, 3) != 1 {
		t.Error("the tail of one row, or of no deviation")
	}
}

func draw(seed uint64, s *Sketch, events int) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range events {
		s.Add(r.Uint64N(200), r.Int64N(2000)-700)
	}
}

func TestMergeAndSubtractAreLinear(t *testing.T) {
	for _, w := range []int{1, 3, 64, 5000} {
		a, b, both := mustNew(t, w, 5, hashing.XX(1)), mustNew(t, w, 5, hashing.XX(1)), mustNew(t, w, 5, hashing.XX(1))
		draw(1, a, 500)
		draw(2, b, 300)
		draw(1, both, 500)
		draw(2, both, 300)
		before := b.Clone()
		sum, onlyA := a.Clone(), a.Clone()
		if err := sum.Merge(b); err != nil || !sum.Equal(both) || !b.Equal(before) {
			t.Errorf("width %d: the sum is not the sketch of both, %v", w, err)
		}
		if err := sum.Subtract(b); err != nil || !slices.Equal(sum.cells, onlyA.cells) {
			t.Errorf("width %d: the difference is not the sketch of the first, %v", w, err)
		}
	}
}

func TestMergeNamesTheDifference(t *testing.T) {
	for says, other := range map[string]*Sketch{
		"width 10 against 11": mustNew(t, 11, 3, hashing.XX(1)),
		"depth 3 against 5":   mustNew(t, 10, 5, hashing.XX(1)),
		"hash function":       mustNew(t, 10, 3, hashing.XX(2)),
	} {
		s := mustNew(t, 10, 3, hashing.XX(1))
		draw(3, s, 100)
		draw(4, other, 100)
		before := s.Clone()
		for _, err := range []error{s.Merge(other), s.Subtract(other)} {
			if err == nil || !strings.Contains(err.Error(), says) || !s.Equal(before) {
				t.Errorf("%v, want %q and no change", err, says)
			}
		}
	}
}

func TestWeightsSaturate(t *testing.T) {
	s := mustNew(t, 1000, 3, hashing.XX(1))
	s.Add(1, math.MinInt64)
	s.Add(2, math.MaxInt64)
	s.Add(1, -5)
	s.Add(2, 5)
	if !s.Saturated() || s.Count(1) != -math.MaxInt64 || s.Count(2) != math.MaxInt64 || s.Total() != math.MaxInt64 {
		t.Errorf("counts %d and %d, total %d", s.Count(1), s.Count(2), s.Total())
	}
	s.Add(3, 9)
	if s.Count(3) != 9 {
		t.Errorf("a key with counters of its own reads %d", s.Count(3))
	}
	other := s.Clone()
	if err := s.Merge(other); err != nil || s.Count(1) != -math.MaxInt64 || s.Count(3) != 18 {
		t.Errorf("merged: %d and %d, %v", s.Count(1), s.Count(3), err)
	}
	var back Sketch
	if err := back.UnmarshalBinary(marshal(t, s)); err != nil || !back.Equal(s) {
		t.Errorf("read back: %v", err)
	}
	s.Reset()
	if s.Total() != 0 || s.Saturated() || s.Count(1) != 0 {
		t.Error("not empty after Reset")
	}
}

// With w = 1 the places are the signs alone: all 2^6 of six rows, in one word
// and across two, are equally frequent; so are the 22 places of w = 11.
func TestSignsAndColumnsAreUniform(t *testing.T) {
	const n = 1 << 14
	counts := map[string][]int{"signs": make([]int, 64), "signs of two words": make([]int, 64), "places": make([]int, 22)}
	ones, small := mustNew(t, 1, 63, hashing.XX(3)), mustNew(t, 11, 3, hashing.XX(3))
	if got := rowsPerWord(1, 63); got != 58 {
		t.Fatalf("a word serves %d rows, want 58", got)
	}
	for i := range uint64(n) {
		ones.Reset()
		ones.AddHash(hashing.Mix(i), 1)
		at := func(first int) (place int) {
			for r := range 6 {
				place = 2*place + int(1+ones.cells[first+r])/2
			}
			return place
		}
		counts["signs"][at(0)]++
		counts["signs of two words"][at(55)]++
		small.Reset()
		small.AddHash(hashing.Mix(i), 1)
		for c, v := range small.cells[:11] {
			if v != 0 {
				counts["places"][2*c+int(1+v)/2]++
			}
		}
	}
	for what, list := range counts {
		fair, x, free := n/float64(len(list)), 0.0, float64(len(list)-1)
		for _, c := range list {
			x += (float64(c) - fair) * (float64(c) - fair) / fair
		}
		if limit := free + 7*math.Sqrt(2*free); x > limit {
			t.Errorf("%s: chi-square %.0f, at most %.0f", what, x, limit)
		}
	}
}

func TestHashesBytesAndAllocations(t *testing.T) {
	h := hashing.XX(6)
	a, b := mustNew(t, 64, 5, h), mustNew(t, 64, 5, h)
	for i := range 100 {
		text := []byte(strings.Repeat("x", i))
		a.AddBytes(text, int64(i))
		b.AddHash(h.Bytes(text), int64(i))
		if a.CountBytes(text) != b.CountHash(h.Bytes(text)) {
			t.Fatalf("text %d: two counts", i)
		}
	}
	if !a.Equal(b) || a.Hash() != h {
		t.Error("the tables differ")
	}
	if n := testing.AllocsPerRun(100, func() { a.Add(1, a.Count(1)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestMedian(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for d := 1; d <= MaxDepth; d += 2 {
		values := make([]int64, d)
		for i := range values {
			values[i] = r.Int64N(20) - 10
		}
		sorted := slices.Sorted(slices.Values(values))
		if got := median(values); got != sorted[d/2] {
			t.Errorf("of %v: %d", sorted, got)
		}
	}
}
