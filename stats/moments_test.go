package stats

import (
	"math"
	"testing"
)

// A spread of ±1 on top of 10^12, over 1000: squares of 10^24 leave nothing of
// it in 64 bits, nor in a float64. Exactly: mean 10^9, variance 10^-6·1000/999.
func TestExactMoments(t *testing.T) {
	trials := repeat(1000, Count{1e12 - 1, 1000}, Count{1e12 + 1, 1000})
	m := momentsOf(trials)
	if m.mean != 1e9 || m.sd != math.Sqrt(1e-6*1000/999) {
		t.Errorf("mean %.17g, sd %.17g", m.mean, m.sd)
	}
	// The sums themselves pass 2^63.
	huge := momentsOf(repeat(100_000, Count{math.MaxInt64, 2}))
	if huge.mean != 0x1p62 || huge.sd != 0 || !near(huge.meanSquare, 0x1p124, 1e-15) {
		t.Errorf("mean %g, sd %g, mean square %g, want 2^62, 0, 2^124", huge.mean, huge.sd, huge.meanSquare)
	}
}

// The same readings over one Den and over mixed ones, in whole numbers of 1/12.
func TestMomentsDoNotDependOnDen(t *testing.T) {
	one := momentsOf(repeat(8, Count{3, 12}, Count{-8, 12}, Count{24, 12}, Count{6, 12}))
	mixed := momentsOf(repeat(8, Count{1, 4}, Count{-2, 3}, Count{2, 1}, Count{1, 2}))
	for name, pair := range map[string][2]float64{
		"mean":        {one.mean, mixed.mean},
		"sd":          {one.sd, mixed.sd},
		"skew":        {one.skew, mixed.skew},
		"mean square": {one.meanSquare, mixed.meanSquare},
		"kurtosis":    {one.kurtosis, mixed.kurtosis},
	} {
		if !near(pair[0], pair[1], 1e-14) {
			t.Errorf("%s: %.17g over one den, %.17g over several", name, pair[0], pair[1])
		}
	}
	if mixed.resolution != 1 || one.resolution != 1./12 {
		t.Errorf("resolutions %g, %g, want 1/12 and 1", one.resolution, mixed.resolution)
	}
}

// 0, 0, 0, 4: mean 1, squares of deviations 1, 1, 1, 9, cubes -1, -1, -1, 27:
// skewness 6/3^1.5; about zero 256/4 over (16/4)², less 3, is 1.
func TestStandardisedMoments(t *testing.T) {
	m := momentsOf(repeat(4, Count{0, 1}, Count{0, 1}, Count{0, 1}, Count{4, 1}))
	if !near(m.skew, 6/math.Pow(3, 1.5), 1e-14) || !near(m.kurtosis, 1, 1e-14) {
		t.Errorf("skewness %g, kurtosis %g", m.skew, m.kurtosis)
	}
}

// 1, 10^100, 1, -10^100 sums to 2: plain summation gives 0.
func TestCompensatedSum(t *testing.T) {
	values := []float64{1, 1e100, 1, -1e100}
	i := -1
	got := meanOf(make([]Count, 4), func(Count) float64 { i++; return values[i] })
	if got != 0.5 {
		t.Errorf("mean %g, want 0.5", got)
	}
}
