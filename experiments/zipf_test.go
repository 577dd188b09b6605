package experiments

import (
	"math"
	"testing"
)

func TestZipfDrawsItsWeights(t *testing.T) {
	const n, draws = 50, 200_000
	for _, s := range []float64{0, 0.5, 1, 2} {
		z, w := newZipf(n, s), zipfWeights(n, s)
		_, counts := z.stream(keys(7), draws)
		chi := 0.0
		for i, p := range w {
			d := float64(counts[i]) - draws*p
			chi += d * d / (draws * p)
		}
		// Chi-square with 49 degrees of freedom: mean 49, variance 98; the least
		// expected count, 49 at s = 2, is large enough. Seven standard deviations.
		if limit := 49 + 7*math.Sqrt(98); chi > limit {
			t.Errorf("s = %v: chi-square %.0f, at most %.0f", s, chi, limit)
		}
	}
}

func TestZipfWeights(t *testing.T) {
	// s = 1, three ranks: 1, 1/2, 1/3 over 11/6.
	for i, want := range []float64{6. / 11, 3. / 11, 2. / 11} {
		if got := zipfWeights(3, 1)[i]; math.Abs(got-want) > 1e-15 {
			t.Errorf("rank %d: %v, want %v", i, got, want)
		}
	}
	if z := newZipf(1, 1.5); z.rank(0) != 0 || z.rank(math.MaxUint64) != 0 {
		t.Error("one rank has another")
	}
}
