package quotient

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// The reference values were computed apart, with 60 digits.
func TestGoldenFormulas(t *testing.T) {
	data, err := os.ReadFile("testdata/formulas.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Rows []struct {
			Formula string
			Args    struct {
				R    uint
				Load float64
			}
			Value float64
		}
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Rows) != 2 {
		t.Fatalf("%d rows", len(golden.Rows))
	}
	for _, row := range golden.Rows {
		if row.Formula != "quotient.fpr" {
			t.Errorf("no function for %s", row.Formula)
		}
		if got := FPR(row.Args.R, row.Args.Load); !(math.Abs(got-row.Value) <= 1e-9*row.Value) {
			t.Errorf("%+v: %.17g, want %.17g", row.Args, got, row.Value)
		}
	}
}

// With q slots, keys fill 2^r q equally likely fingerprints; the share held is
// both the rate and, in slots, the occupied load over 2^r. At r = 4 and load
// 0.9 keys a slot, 1 - e^(-0.9/16) = 0.0547 of the fingerprints are held.
func TestTheTwoLoadsAgree(t *testing.T) {
	for r := uint(1); r <= 16; r++ {
		for _, load := range []float64{0.1, MaxLoad, MaxLoadRankSelect} {
			held := 1 - math.Exp(-load/math.Pow(2, float64(r)))
			occupied := held * math.Pow(2, float64(r))
			if got := FPROccupied(r, occupied); !(math.Abs(got-FPR(r, load)) <= 1e-12*got+1e-15) {
				t.Errorf("r=%d load=%g: %g and %g", r, load, got, FPR(r, load))
			}
			if FPR(r, load) >= FPRBound(r) {
				t.Errorf("r=%d load=%g: %g is not below 2^-r", r, load, FPR(r, load))
			}
		}
	}
	if got := FPRBound(3); got != 0.125 {
		t.Errorf("2^-3 is %g", got)
	}
}

// 8 remainder bits: 11 bits a slot at load 0.75 are 14.67 a key; with rank and
// select 10.125 at 0.95 are 10.66.
func TestSpace(t *testing.T) {
	if got := BitsPerKey(BitsPerSlot(8), MaxLoad); !(math.Abs(got-44.0/3) <= 1e-12) {
		t.Errorf("%g bits a key", got)
	}
	if got := BitsPerKey(BitsPerSlotRankSelect(8), MaxLoadRankSelect); !(math.Abs(got-10.125/0.95) <= 1e-12) {
		t.Errorf("%g bits a key with rank and select", got)
	}
}
