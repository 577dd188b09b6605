package hll

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*math.Abs(want)) {
		t.Errorf("%s = %.15g, want %.15g to %g", what, got, want, rel)
	}
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

func TestGolden(t *testing.T) {
	var rows []struct {
		Formula string
		Args    struct{ N, M int }
		Value   float64
	}
	readJSON(t, "formulas.json", &rows)
	seen := map[string]int{}
	for _, r := range rows {
		seen[r.Formula]++
		switch r.Formula {
		case "hll.alpha":
			near(t, r.Formula, Alpha(r.Args.M), r.Value, 1e-9)
		case "linearcounting.rse":
			near(t, r.Formula, LinearCountingRSE(float64(r.Args.N), float64(r.Args.M)), r.Value, 1e-9)
		default:
			t.Errorf("no function for %s", r.Formula)
		}
	}
	if seen["hll.alpha"] != 3 || seen["linearcounting.rse"] != 2 {
		t.Errorf("golden rows: %v", seen)
	}
}

func TestConstants(t *testing.T) {
	// Flajolet et al. 2007, theorem 1 and the lines under it, to the digits printed.
	for m, want := range map[int]float64{16: 1.106, 32: 1.070, 64: 1.054, 128: 1.046} {
		near(t, "Beta", Beta(m), want, 1e-3)
	}
	limit := math.Sqrt(3*math.Ln2 - 1)
	near(t, "Beta in the limit", Beta(1<<18), limit, 1e-5)
	near(t, "Alpha in the limit", Alpha(1<<18), 1/(2*math.Ln2), 1e-5)
	for _, m := range []int{16, 32, 64, 128, 1024, 1 << 18} {
		// The printed constants have three or four digits.
		near(t, "AlphaApprox", AlphaApprox(m), Alpha(m), 3e-4)
	}
	if AlphaApprox(16) != 0.673 || AlphaApprox(32) != 0.697 || AlphaApprox(64) != 0.709 {
		t.Error("AlphaApprox differs from the printed constants")
	}
	near(t, "StandardError", StandardError(1024), 0.0325, 1e-3) // 1.04/32
}

func TestLinearCounting(t *testing.T) {
	near(t, "LinearCounting", LinearCounting(64, 32), 64*math.Ln2, 1e-15)
	if !math.IsInf(LinearCounting(64, 0), 1) {
		t.Error("no zero register: want +Inf")
	}
	// Bias and spread against a simulation of the zeros alone: n balls in m cells.
	const m, n, trials = 64, 64, 40000
	r := rand.New(rand.NewPCG(1, 0))
	sum, square := 0.0, 0.0
	for range trials {
		var hit uint64
		for range n {
			hit |= 1 << r.Uint64N(m)
		}
		zeros := m
		for ; hit != 0; hit &= hit - 1 {
			zeros--
		}
		e := LinearCounting(m, zeros)/n - 1
		sum += e
		square += e * e
	}
	mean := sum / trials
	sd := math.Sqrt(square/trials - mean*mean)
	// Five standard errors of the mean, and of the spread: 1/sqrt(2 trials) of it.
	// The formulas leave out terms of relative size 1/m.
	if want := LinearCountingBias(n, m); math.Abs(mean-want) > 5*sd/math.Sqrt(trials)+want*3/m {
		t.Errorf("bias %.5f, want %.5f", mean, want)
	}
	near(t, "spread", sd, LinearCountingRSE(n, m), 5/math.Sqrt(2*trials)+3./m)
}

func TestSeriesMeetsTheClosedForm(t *testing.T) {
	for _, x := range []float64{0.05, 0.0999999, 0.1000001} {
		near(t, "expTail", expTail(x), math.Expm1(x)-x, 1e-13)
	}
	near(t, "expTail", expTail(1e-9), 5e-19, 1e-9) // t^2/2
}

func TestErtlLawsMeetTheirLimits(t *testing.T) {
	const m = 1024.
	// At n = 20m the spread is 2.3 % under the limit: 1/n off the variance.
	limit := math.Sqrt((3*math.Ln2 - 1) / m)
	near(t, "spread at 20m", ErtlSpread(m, 20*m)/limit, math.Sqrt(1-1/(20*(3*math.Ln2-1))), 1e-4)
	near(t, "spread at 10^18", ErtlSpread(m, 1e18), limit, 1e-4)
	near(t, "bias at 10^18", ErtlBias(m, 1e18), (3*math.Ln2-1)/m, 1e-3)
	near(t, "bias from alpha", 1/(2*math.Ln2)/Alpha(m)-1, (3*math.Ln2-1)/m, 1e-2)
	// The two forms meet where one takes over from the other.
	below, above := expected(fewKeys*(1-1e-9)), expected(fewKeys)
	near(t, "variance at the seam", below.variance, above.variance, 0.02)
	near(t, "bias at the seam", below.bias, above.bias, 0.02)
	near(t, "spread of few keys", ErtlSpread(m, 20), math.Sqrt(1/(2*m)), 0.01)
}
