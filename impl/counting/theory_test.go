package counting

import (
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
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

// The sum over all c >= 16 of the chance to reach c, for Binomial(kn, 1/m) near
// Poisson(8): the sum over j of (j-15) P(j) by hand.
func TestLost(t *testing.T) {
	const n, m, k = 80000, 30000, 3
	want, p := 0.0, math.Exp(float64(n*k)*math.Log1p(-1.0/m))
	for j := 0; j < 200; j++ {
		want += math.Max(0, float64(j-15)) * p
		p *= float64(n*k-j) / float64(j+1) / (m - 1)
	}
	if got := Lost(n, m, k, 4); math.Abs(got/want-1) > 1e-6 {
		t.Errorf("%v increments lost a cell, want %v", got, want)
	}
	if got := Lost(3, 10, 4, 4); got != 0 {
		t.Errorf("12 increments cannot overflow a cell: %v", got)
	}
}

// Both laws of strangers against filters: 20 of them, 16-bit cells. One filter's
// share strays by a few percent, their mean by one.
func TestStrangers(t *testing.T) {
	const n, m, k, filters = 2000, 12000, 4, 20
	for _, s := range []int{500, 2000, 8000} {
		lostBare, lostGuarded, passed := 0, 0, 0
		for seed := range uint64(filters) {
			p := Params{Cells: m, Hashes: k, CellBits: 16, Hash: hashing.XX(seed)}
			bare, guarded := mustNew(t, p), mustNew(t, p)
			for key := range uint64(n) {
				_, _ = bare.Add(key), guarded.Add(key)
			}
			for key := range uint64(s) {
				bare.RemoveUnguarded(1<<32 + key)
				if guarded.Remove(1<<32+key) == nil {
					passed++
				}
			}
			for key := range uint64(n) {
				if !bare.Contains(key) {
					lostBare++
				}
				if !guarded.Contains(key) {
					lostGuarded++
				}
			}
		}
		wantGuarded, wantPassed := StrangersGuarded(n, m, k, s)
		for name, c := range map[string]struct{ got, want float64 }{
			"lost, unguarded": {float64(lostBare) / filters / n, StrangersUnguarded(n, m, k, s)},
			"lost, guarded":   {float64(lostGuarded) / filters / n, wantGuarded},
			"passed":          {float64(passed) / filters, wantPassed},
		} {
			if math.Abs(c.got/c.want-1) > 0.05 {
				t.Errorf("%d strangers, %s: %.4g, law %.4g", s, name, c.got, c.want)
			}
		}
	}
}
