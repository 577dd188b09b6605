package reservoir

import (
	"math"
	"testing"
)

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-13*math.Abs(want) }

func TestInclusion(t *testing.T) {
	for _, c := range []struct {
		k, i         uint64
		single, pair float64
	}{
		{5, 0, 1, 1},
		{5, 5, 1, 1},
		{0, 3, 0, 0},
		{1, 4, 0.25, 0},
		// 3/10 and 3 x 2 / (10 x 9).
		{3, 10, 0.3, 1. / 15},
	} {
		if got := Inclusion(c.k, c.i); !near(got, c.single) {
			t.Errorf("inclusion %d of %d: %v, want %v", c.k, c.i, got, c.single)
		}
		if got := PairInclusion(c.k, c.i); !near(got, c.pair) {
			t.Errorf("pair inclusion %d of %d: %v, want %v", c.k, c.i, got, c.pair)
		}
	}
}

// The sum of k/i itself, around the border between sum and expansion.
func TestExpectedReplacementsIsTheSum(t *testing.T) {
	for _, k := range []uint64{1, 3, 255, 256, 257, 5000} {
		for _, n := range []uint64{1, 2, 255, 256, 257, 300, 5001, 40000} {
			want := 0.0
			for i := n; i > k; i-- {
				want += float64(k) / float64(i)
			}
			if got := ExpectedReplacements(k, n); !near(got, want) {
				t.Errorf("k = %d, n = %d: %v, want %v", k, n, got, want)
			}
		}
	}
	if got := ExpectedReplacements(0, 100); got != 0 {
		t.Errorf("a sample of nothing is replaced %v times", got)
	}
}

// The text's form is high by nearly half a replacement in a long stream:
// H_m = ln m + γ + 1/(2m) - ..., so k ln(n/k) - k(H_n - H_k) = 1/2 - k/(2n) - ...
func TestPrintedReplacementsIsHalfTooHigh(t *testing.T) {
	const k, n = 100, 1_000_000
	over := PrintedReplacements(k, n) - ExpectedReplacements(k, n)
	// The next term of the expansion is -1/(12k).
	if want := 0.5 - 1./(12*k) - float64(k)/(2*n); math.Abs(over-want) > 1e-6 {
		t.Errorf("over by %v, want %v", over, want)
	}
	if PrintedReplacements(5, 5) != 0 || PrintedReplacements(0, 5) != 0 {
		t.Error("a stream that fits, or a sample of nothing, has no replacements")
	}
}

func TestReplacementsVariance(t *testing.T) {
	// k = 1, n = 3: 1/2 x 1/2 + 1/3 x 2/3 = 17/36.
	if got := ReplacementsVariance(1, 3); !near(got, 17./36) {
		t.Errorf("variance %v, want 17/36", got)
	}
	if got := ReplacementsVariance(3, 3); got != 0 {
		t.Errorf("variance %v without replacements", got)
	}
}
