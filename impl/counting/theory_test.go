package counting

import (
	"math"
	"testing"
)

func TestTheory(t *testing.T) {
	if got := CellMean(1000, 10000, 7); got != 0.7 {
		t.Errorf("cell mean %v, want 7 x 1000 / 10000", got)
	}
	// Fan et al. 2000 print 1.37e-15 m at the optimal k; k = 7
	// for ln 2 / k cells per key: kn/m is ln 2 within 1e-6.
	const m, k = 100_000_000, 7
	n := int(math.Round(m * math.Ln2 / k))
	if got := OverflowBound(n, m, k, 16) / m; math.Abs(got-1.37e-15) > 0.005e-15 {
		t.Errorf("overflow bound %v m, want 1.37e-15 m", got)
	}
	if got := OverflowBound(1000, 10, 5, 2); got != 1 {
		t.Errorf("overflow bound %v, a chance is at most 1", got)
	}
	// The exact chance that one cell of Binomial(7000, 1/9586) reaches 16 is
	// 1.5482800583260167e-16 (60-digit arithmetic); the bound covers m cells.
	if got := OverflowBound(1000, 9586, 7, 16); got < 9586*1.5482800583260167e-16 {
		t.Errorf("overflow bound %v is below the truth", got)
	}
}
