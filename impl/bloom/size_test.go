package bloom

import (
	"math"
	"strconv"
	"testing"
)

// The rule Nearest is the printed program's, row for row.
func TestSizesPrinted(t *testing.T) {
	var printed struct {
		Sizes struct {
			Rows [][6]float64 `json:"rows"`
		} `json:"bloom_sizes"`
	}
	readJSON(t, "printed-outputs.json", &printed)
	if len(printed.Sizes.Rows) != 4 {
		t.Fatalf("%d rows", len(printed.Sizes.Rows))
	}
	round := func(x float64, digits int) float64 {
		scale := math.Pow10(digits)
		return math.Round(x*scale) / scale
	}
	for _, row := range printed.Sizes.Rows {
		n := uint64(row[0])
		m, k, err := Size(n, row[1], Nearest)
		if err != nil || float64(m) != row[2] || float64(k) != row[3] {
			t.Errorf("n=%d p=%g: m=%d k=%d %v, printed %v", n, row[1], m, k, err, row[2:4])
			continue
		}
		if got := round(float64(m)/float64(n), 2); got != row[4] {
			t.Errorf("n=%d p=%g: %g bits per key, printed %g", n, row[1], got, row[4])
		}
		if got := round(FPRClassic(m, k, n), 4); got != row[5] {
			t.Errorf("n=%d p=%g: predicted %g, printed %g", n, row[1], got, row[5])
		}
	}
}

// With x = n ln(1/p) / (ln 2)^2 and y = (m/n) ln 2, one program takes the floor of
// both, one the ceiling, one the ceiling of x and the nearest of y. At p = 0.01
// x = 9585.06, y = 6.644; at p = 1/4 x = 2885.39, y = 1.9997 for the floor of x
// and 2.0004 for its ceiling.
func TestSizesOfTheThreePrograms(t *testing.T) {
	for _, c := range []struct {
		n    uint64
		p    float64
		rule Rounding
		m, k uint64
	}{
		{1000, 0.01, Floor, 9585, 6},
		{1000, 0.01, Nearest, 9586, 7},
		{1000, 0.01, Ceil, 9586, 7},
		{1000, 0.25, Floor, 2885, 1},
		{1000, 0.25, Nearest, 2886, 2},
		{1000, 0.25, Ceil, 2886, 3},
		{1000, 0.9, Floor, 219, 1}, // x = 219.29, 0.152 probes: never below 1
		{1000, 0.9, Nearest, 220, 1},
		{1000, 0.9, Ceil, 220, 1},
		{1, 0.9, Floor, 1, 1}, // x = 0.219: never below 1
		{0, 0.01, Nearest, 10, 7},
		{1, 0.01, Nearest, 10, 7},
	} {
		m, k, err := Size(c.n, c.p, c.rule)
		if err != nil || m != c.m || k != c.k {
			t.Errorf("n=%d p=%g %v: m=%d k=%d %v, want m=%d k=%d", c.n, c.p, c.rule, m, k, err, c.m, c.k)
		}
	}
}

// Every m from 1 up and every k is tried (to 14; the classic optimum is 10 at
// 10^-3): the first m that keeps p at any k.
func TestExactSizeIsTheFirstThatKeepsTheRate(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 10} {
		for _, p := range []float64{0.97, 0.5, 0.25, 0.1, 0.01, 1e-3} {
			m, k, err := Size(n, p, Exact)
			if err != nil {
				t.Fatal(err)
			}
			var wantM, wantK uint64
			least := math.Inf(1)
			for wantM = 1; ; wantM++ {
				for k := uint64(1); k <= 14; k++ {
					if rate := FPRExact(wantM, k, n); rate < least {
						wantK, least = k, rate
					}
				}
				if least <= p {
					break
				}
				least = math.Inf(1)
			}
			if m != wantM || k != wantK {
				t.Errorf("n=%d p=%g: m=%d k=%d, by trial m=%d k=%d", n, p, m, k, wantM, wantK)
			}
		}
	}
}

// At large n the exact rate tends to the classic one, so the smallest m is that
// of the whole k, and one bit less breaks the promise.
func TestExactSizeAtLargeN(t *testing.T) {
	for _, n := range []uint64{1000, 1_000_000, 10_000_000_000} {
		for _, p := range []float64{0.5, 0.01, 1e-6, 1e-12} {
			m, k, err := Size(n, p, Exact)
			if float64(n)*BitsPerKey(p) > float64(MaxBits) {
				if err == nil {
					t.Errorf("n=%d p=%g: m=%d was accepted", n, p, m)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if rate := FPRExact(m, k, n); rate > p {
				t.Errorf("n=%d p=%g: m=%d k=%d gives %g", n, p, m, k, rate)
			}
			for j := max(2, k) - 1; j <= k+1; j++ {
				if rate := FPRExact(m-1, j, n); rate <= p {
					t.Errorf("n=%d p=%g: m-1=%d k=%d gives %g", n, p, m-1, j, rate)
				}
			}
		}
	}
}

func TestSizeRefusals(t *testing.T) {
	for _, rule := range Roundings() {
		for _, p := range []float64{0, 1, -0.1, 1.1, math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, 1e-30} {
			if m, k, err := Size(1000, p, rule); err == nil {
				t.Errorf("%v p=%g: m=%d k=%d", rule, p, m, k)
			}
		}
		for _, n := range []uint64{1 << 40, math.MaxUint64} {
			if m, k, err := Size(n, 0.01, rule); err == nil {
				t.Errorf("%v n=%d: m=%d k=%d", rule, n, m, k)
			}
		}
	}
	// The real-valued formula just fits, a whole number of probes takes more.
	fits := uint64(float64(MaxBits) / BitsPerKey(0.01))
	if m, k, err := Size(fits, 0.01, Exact); err == nil {
		t.Errorf("n=%d: m=%d k=%d", fits, m, k)
	}
	if _, _, err := Size(10, 0.1, 4); err == nil || Rounding(4).String() != "unknown rounding 4" {
		t.Errorf("rounding 4: %v", err)
	}
}

func BenchmarkFPRExact(b *testing.B) {
	for b.Loop() {
		FPRExact(10_000, 7, 1000)
	}
}

func BenchmarkSizeExact(b *testing.B) {
	for _, p := range []float64{0.01, 1e-6} {
		b.Run("eps="+strconv.FormatFloat(p, 'g', -1, 64), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Size(1_000_000, p, Exact); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
