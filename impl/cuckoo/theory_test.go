package cuckoo

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*math.Abs(want)) {
		t.Errorf("%s = %.15g, want %.15g to %g", what, got, want, rel)
	}
}

func TestGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/formulas.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Formula string
		Args    struct {
			F, B int
			Load float64
		}
		Value float64
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 4 {
		t.Errorf("%d golden rows, want 4", len(rows))
	}
	for _, r := range rows {
		near(t, r.Formula, FPR(r.Args.F, r.Args.B, r.Args.Load), r.Value, 1e-9)
	}
}

func TestPrintedFormsDifferForShortTags(t *testing.T) {
	// 1 - (15/16)^(8 * 0.9485) = 0.3872, worked out by hand; the law gives 0.3970.
	near(t, "Printed", Printed(4, 4, 0.9485), 1-math.Pow(15./16, 8*0.9485), 1e-12)
	near(t, "Printed/FPR", Printed(4, 4, 0.9485)/FPR(4, 4, 0.9485), 0.3872/0.3970, 1e-3)
	// With 2^-32 as both the share of a tag and the error, the forms agree.
	near(t, "Printed/FPR", Printed(32, 4, 0.95)/FPR(32, 4, 0.95), 1, 1e-8)
}

func TestFPRKeepsTheBoundAtEveryDesignLoad(t *testing.T) {
	for b := 1; b <= maxSlots; b++ {
		for f := minBits; f <= maxBits; f++ {
			if rate := FPR(f, b, designLoad[b]); rate > Bound(f, b) {
				t.Errorf("f %d, b %d: rate %g over the bound %g", f, b, rate, Bound(f, b))
			}
		}
	}
}

func TestSpaceAndThresholds(t *testing.T) {
	near(t, "BitsPerKey", BitsPerKey(12, 0.955), 12.565445026178, 1e-12)                     // 12/0.955
	near(t, "BitsPerKeySemiSorted", BitsPerKeySemiSorted(12, 0.955), 11.518324607330, 1e-12) // 11/0.955
	for b, want := range map[int]float64{1: 0.5, 2: 0.84, 4: 0.95, 8: 0.98} {
		near(t, "Threshold", Threshold(b), want, 0)
	}
	if !math.IsNaN(Threshold(3)) {
		t.Error("Threshold(3) is not quoted anywhere")
	}
}

func TestCrowding(t *testing.T) {
	// Three keys, one slot: the one group of three fails when two keys hit the
	// first one's tag (1 of 15) and pair (2 of 10 buckets): (1/75)^2.
	near(t, "Crowding", Crowding(3, 10, 4, 1), 1./(75*75), 1e-12)
	// Six keys hold C(6,5) = 6 groups of five: 6 (1/75)^4.
	near(t, "Crowding", Crowding(6, 10, 4, 2), 6/math.Pow(75, 4), 1e-12)
	if got := Crowding(4, 10, 4, 2); got != 0 {
		t.Errorf("four keys always fit two buckets of two, got %g", got)
	}
}
