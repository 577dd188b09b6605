package stats

import (
	"math"
	"testing"
)

func TestBudgetHoldsItsShares(t *testing.T) {
	if got := Affordable(); got != 10_000 { // 1e-3 / 1e-7
		t.Errorf("%d judgements, want 10000", got)
	}
	// Enough for the 500 cells that one run holds, twenty times over.
	if spent := Alpha * float64(Affordable()); spent > ReportBudget*(1+1e-12) {
		t.Errorf("all judgements together spend %g of %g", spent, ReportBudget)
	}
}

func TestRateTolerance(t *testing.T) {
	for _, c := range []struct{ rate, want float64 }{
		{1, 0.02},
		{0.5, 0.02},
		{1e-2, 0.02},
		{1e-3, 0.05},
		{1e-4, 0.1},
		{1e-5, 0.2},
		{1e-6, 0.3},
		{1e-9, 0.3},
		{0, 0.3},
		{-1, 0.3},
		{math.Pow(10, -2.5), math.Sqrt(0.02 * 0.05)}, // half way in logarithms
		{math.Pow(10, -5.25), 0.2 * math.Pow(1.5, 0.25)},
	} {
		if got := RateTolerance(c.rate); !near(got, c.want, 1e-12) {
			t.Errorf("at %g: %g, want %g", c.rate, got, c.want)
		}
	}
	if got := RateTolerance(math.NaN()); !math.IsNaN(got) {
		t.Errorf("at NaN: %g, want NaN", got)
	}
	last := 0.0
	for e := 0.0; e < 8; e += 0.01 {
		tolerance := RateTolerance(math.Pow(10, -e))
		if tolerance < last {
			t.Fatalf("at 10^-%g the tolerance falls to %g", e, tolerance)
		}
		last = tolerance
	}
}

func TestSpreadTolerance(t *testing.T) {
	for p, want := range map[int]float64{4: 0.05, 12: 0.05, 13: 0.1, 18: 0.1} {
		if got := SpreadTolerance(p); got != want {
			t.Errorf("p=%d: %g, want %g", p, got, want)
		}
	}
}
