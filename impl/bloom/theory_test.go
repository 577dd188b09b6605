package bloom

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"testing"
)

// readJSON decodes a file of testdata.
func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// near reports whether got is want to a relative 1e-9, the precision at which
// the reference values are compared.
func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want) }

// The reference values were computed apart, with 60 digits.
func TestGoldenFormulas(t *testing.T) {
	var golden struct {
		Rows []struct {
			Formula string
			Args    struct {
				N, M, K, B, C uint64
				Fill          float64
			}
			Value json.RawMessage
		}
	}
	readJSON(t, "formulas.json", &golden)
	if len(golden.Rows) < 20 {
		t.Fatalf("%d rows", len(golden.Rows))
	}
	for _, row := range golden.Rows {
		a := row.Args
		var got []float64
		switch row.Formula {
		case "bloom.fpr.classic":
			got = []float64{FPRClassic(a.M, a.K, a.N)}
		case "bloom.fpr.finite":
			got = []float64{FPRFinite(a.M, a.K, a.N)}
		case "bloom.fpr.exact":
			got = []float64{FPRExact(a.M, a.K, a.N)}
		case "bloom.fpr.partitioned":
			got = []float64{FPRPartitioned(a.M, a.K, a.N)}
		case "bloom.fpr.blocked":
			got = []float64{FPRBlocked(a.M, a.K, a.N, a.B)}
		case "bloom.fpr.splitblock":
			got = []float64{FPRSplitBlock(a.M, a.N)}
		case "bloom.miss_probes":
			got = []float64{MissProbes(a.Fill, a.K)}
		case "counting.cell_overflow":
			got = []float64{CountingCellOverflow(a.M, a.K, a.N, a.C)}
		case "count_estimate.bias_sd":
			bias, sd := CountEstimateBiasSD(a.M, a.K, a.N)
			got = []float64{bias, sd}
		default:
			t.Errorf("no function for %s", row.Formula)
			continue
		}
		want := make([]float64, 1)
		if len(got) == 2 {
			if err := json.Unmarshal(row.Value, &want); err != nil {
				t.Fatal(err)
			}
		} else if err := json.Unmarshal(row.Value, &want[0]); err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if !near(got[i], want[i]) {
				t.Errorf("%s %+v: %.17g, want %.17g", row.Formula, a, got[i], want[i])
			}
		}
	}
}

// off reports whether got is further than tolerance from want, or not a number.
func off(got, want, tolerance float64) bool { return !(math.Abs(got-want) <= tolerance) }

// enumerate calls visit with the occupied bits of every way that the balls can
// fall into m bins, all equally likely.
func enumerate(m, balls int, visit func(bins uint)) {
	var fall func(left int, bins uint)
	fall = func(left int, bins uint) {
		if left == 0 {
			visit(bins)
			return
		}
		for b := range m {
			fall(left-1, bins|1<<b)
		}
	}
	fall(balls, 0)
}

// At tiny m every throw of every key, and of the absent one, can be listed.
func TestExactIsTheEnumeration(t *testing.T) {
	for _, c := range [][3]int{{1, 1, 1}, {1, 3, 2}, {2, 1, 3}, {2, 2, 2}, {3, 2, 2}, {3, 3, 1}, {4, 2, 2}, {5, 2, 2}, {5, 4, 1}, {7, 1, 4}, {2, 3, 2}} {
		m, k, n := c[0], c[1], c[2]
		var hits, all float64
		enumerate(m, k*n, func(filter uint) {
			enumerate(m, k, func(query uint) {
				all++
				if query&^filter == 0 {
					hits++
				}
			})
		})
		if got := FPRExact(uint64(m), uint64(k), uint64(n)); off(got, hits/all, 1e-13) {
			t.Errorf("m=%d k=%d n=%d: %.15g, enumerated %.15g", m, k, n, got, hits/all)
		}
	}
}

func TestNaiveDeleteLossIsTheEnumeration(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {2, 1}, {2, 3}, {4, 2}, {5, 3}, {16, 2}} {
		m, k := c[0], c[1]
		var lost, all float64
		enumerate(m, k, func(cleared uint) {
			enumerate(m, k, func(other uint) {
				all++
				if cleared&other != 0 {
					lost++
				}
			})
		})
		if got := NaiveDeleteLoss(uint64(m), uint64(k)); off(got, lost/all, 1e-13) {
			t.Errorf("m=%d k=%d: %.15g, enumerated %.15g", m, k, got, lost/all)
		}
	}
	// For k << m nearly all k bits are distinct, and the short form is near.
	if got, short := NaiveDeleteLoss(10000, 7), 1-math.Pow(1-7.0/10000, 7); off(got/short, 1, 1e-3) {
		t.Errorf("%g, short form %g", got, short)
	}
}

// alternating is the law as it is printed (Bose et al. 2008; formulas by
// inclusion and exclusion), with enough digits to survive its cancellation: a
// computation that shares nothing with FPRExact.
func alternating(m, k, n uint64) float64 {
	const prec = 1200
	real := func(x uint64) *big.Float { return new(big.Float).SetPrec(prec).SetUint64(x) }
	power := func(x *big.Float, e uint64) *big.Float {
		out := real(1)
		for sq := new(big.Float).Copy(x); e > 0; e >>= 1 {
			if e&1 == 1 {
				out.Mul(out, sq)
			}
			sq = new(big.Float).SetPrec(prec).Mul(sq, sq)
		}
		return out
	}
	// stirling[d] is S(k, d).
	stirling := make([]*big.Int, k+1)
	for d := range stirling {
		stirling[d] = new(big.Int)
	}
	stirling[0].SetInt64(1)
	for range k {
		for d := k; d > 0; d-- {
			stirling[d].Mul(stirling[d], new(big.Int).SetUint64(d)).Add(stirling[d], stirling[d-1])
		}
		stirling[0].SetInt64(0)
	}
	sum, falling := real(0), real(1)
	for d := uint64(1); d <= min(k, m); d++ {
		falling.Mul(falling, real(m-d+1))
		inner := real(0)
		for j := uint64(0); j <= d; j++ {
			term := power(new(big.Float).SetPrec(prec).Quo(real(m-j), real(m)), k*n)
			choose := new(big.Int).Binomial(int64(d), int64(j))
			term.Mul(term, new(big.Float).SetPrec(prec).SetInt(choose))
			if j%2 == 1 {
				term.Neg(term)
			}
			inner.Add(inner, term)
		}
		inner.Mul(inner, falling).Mul(inner, new(big.Float).SetPrec(prec).SetInt(stirling[d]))
		sum.Add(sum, inner)
	}
	got, _ := sum.Quo(sum, power(real(m), k)).Float64()
	return got
}

func TestExactIsTheAlternatingSum(t *testing.T) {
	for _, c := range [][3]uint64{
		{16, 3, 2},
		{3, 7, 4},
		{64, 64, 3},
		{1000, 20, 5},
		{1000, 20, 500},
		{100, 5, 1000},
		{100_000, 7, 10_000},
		{100_000, 20, 50_000},
		{100_000, 10, 1},
		{1 << 30, 20, 30_000_000},
		{1 << 40, 12, 1 << 35},
		{1 << 40, 30, 3},
		{28_756, 64, 300},
		{100, 40, 75}, // weights up to e^1200 times the first: they must be scaled down on the way
	} {
		m, k, n := c[0], c[1], c[2]
		got, want := FPRExact(m, k, n), alternating(m, k, n)
		if off(got, want, 1e-11*want) {
			t.Errorf("m=%d k=%d n=%d: %.15g, want %.15g", m, k, n, got, want)
		}
	}
}

// The formulas' known order: the classic form is below the finite one, and that
// below the truth (Jensen's inequality on X). All meet as m grows.
func TestOrderOfTheForms(t *testing.T) {
	for _, m := range []uint64{32, 1000, 10_000, 1 << 20} {
		n, k := m/10, uint64(7)
		classic, finite, exact := FPRClassic(m, k, n), FPRFinite(m, k, n), FPRExact(m, k, n)
		if !(classic < finite && finite < exact) {
			t.Errorf("m=%d: %g, %g, %g", m, classic, finite, exact)
		}
	}
	// Printed sizes of the error: 14.0 and 8.3 %, "size of the error" in
	// percent below the truth for the exponential form.
	for _, c := range []struct {
		m, k, n uint64
		low     float64
	}{{32, 5, 4, 14.0}, {100, 7, 10, 8.3}, {1000, 7, 100, 0.88}, {10_000, 7, 1000, 0.088}} {
		low := 100 * (1 - FPRClassic(c.m, c.k, c.n)/FPRExact(c.m, c.k, c.n))
		if off(low, c.low, 0.01*c.low) { // they are printed with two or three digits
			t.Errorf("m=%d: %.4g %% low, printed %g", c.m, low, c.low)
		}
	}
}

func TestExtremes(t *testing.T) {
	for name, c := range map[string]struct{ got, want float64 }{
		"exact, no keys":             {FPRExact(100, 7, 0), 0},
		"exact, one bit":             {FPRExact(1, 7, 3), 1},
		"exact, no probes":           {FPRExact(100, 0, 3), 1},
		"exact, saturated":           {FPRExact(1000, 7, 1_000_000), 1},
		"exact, far beyond":          {FPRExact(1<<40, 64, math.MaxUint64), 1},
		"finite, no keys":            {FPRFinite(100, 7, 0), 0},
		"finite, one bit":            {FPRFinite(1, 7, 3), 1},
		"fill, one key, one probe":   {Fill(100, 1, 1), 0.01},
		"partitioned, no keys":       {FPRPartitioned(1, 1, 0), 0},
		"blocked, no keys":           {FPRBlocked(1000, 7, 0, 64), 0},
		"split block, no keys":       {FPRSplitBlock(1024, 0), 0},
		"overflow at 0":              {CountingCellOverflow(100, 3, 5, 0), 1},
		"overflow beyond all":        {CountingCellOverflow(100, 3, 5, 16), 0},
		"overflow of one cell":       {CountingCellOverflow(1, 3, 5, 15), 1},
		"overflow, all in one":       {CountingCellOverflow(10, 1, 3, 3), 1e-3},
		"overflow, far in the tail":  {CountingCellOverflow(1000, 1, 10, 10), 1e-30},
		"overflow, at least one":     {CountingCellOverflow(10, 1, 3, 1), 1 - 0.9*0.9*0.9},
		"scalable, two links":        {ScalableFPR(0.01, 0.5, 2), 0.015},
		"scalable, none":             {ScalableFPR(0.01, 0.5, 0), 0},
		"lower bound at 1/8":         {LowerBoundBits(0.125), 3},
		"bits per key at 1 %":        {BitsPerKey(0.01), 9.585058},
		"optimal k at 10 bits a key": {OptimalK(1000, 100), 10 * math.Ln2},
		"probes of an empty filter":  {MissProbes(0, 7), 1},
		"probes of a full filter":    {MissProbes(1, 7), 7},
	} {
		if off(c.got, c.want, 1e-7*math.Abs(c.want)) {
			t.Errorf("%s: %.12g, want %.12g", name, c.got, c.want)
		}
	}
	for name, got := range map[string]float64{
		"classic": FPRClassic(0, 7, 1), "finite": FPRFinite(0, 7, 0), "exact": FPRExact(0, 7, 0),
		"partitioned": FPRPartitioned(0, 7, 0), "too few bits": FPRPartitioned(6, 7, 1),
		"blocked": FPRBlocked(0, 7, 1, 64), "split block": FPRSplitBlock(0, 1),
	} {
		if !math.IsNaN(got) {
			t.Errorf("%s of no bits: %g", name, got)
		}
	}
}

// Published measurements of blocked filters at B = 64, k = 8, 10 bits a key,
// 2.419 and 2.430 %, and of split blocks at 5, 10 and 20 bits a key.
func TestPublishedBlockedRates(t *testing.T) {
	for _, c := range []struct{ got, percent, tolerance float64 }{
		{FPRBlocked(10_000_000, 8, 1_000_000, 64), 2.420, 0.0005},
		{FPRSplitBlock(5_000_000, 1_000_000), 17.9, 0.05},
		{FPRSplitBlock(10_000_000, 1_000_000), 1.265, 0.0005},
		{FPRSplitBlock(20_000_000, 1_000_000), 0.042, 0.0005},
	} {
		if off(100*c.got, c.percent, c.tolerance) {
			t.Errorf("%.5g %%, published %g", 100*c.got, c.percent)
		}
	}
	// A block holding all keys' bits many times over answers yes.
	if got := FPRBlocked(64_000, 7, 1_000_000_000, 64); !near(got, 1) {
		t.Errorf("saturated blocks: %g", got)
	}
}

// Near t = 0.5 the series and the difference must meet, and near 0 the spread
// of the count estimate must vanish like t/sqrt(2).
func TestCountEstimateSpreadAtSmallLoad(t *testing.T) {
	below, above := expm1MinusT(0.5), expm1MinusT(math.Nextafter(0.5, 1))
	if off(below, above, 1e-14) {
		t.Errorf("%g against %g", below, above)
	}
	_, sd := CountEstimateBiasSD(1e12, 1, 100) // t = 1e-10: sqrt(m) t / sqrt(2)
	if want := 1e6 * 1e-10 / math.Sqrt2; !near(sd, want) {
		t.Errorf("%g, want %g", sd, want)
	}
}
