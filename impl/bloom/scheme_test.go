package bloom

import (
	"math"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func TestSchemeNames(t *testing.T) {
	for _, s := range Schemes() {
		if got, err := ParseScheme(s.String()); got != s || err != nil {
			t.Errorf("%v: %v, %v", s, got, err)
		}
	}
	if _, err := ParseScheme("triple"); err == nil {
		t.Error("scheme triple was accepted")
	}
}

// The step of each scheme is written out again from its formula, in integers
// that cannot overflow at this m.
func TestProbesFollowTheirFormulas(t *testing.T) {
	for _, m := range []uint64{1, 2, 3, 7, 64, 1000, 1_000_003} {
		for key := range uint64(200) {
			hash := hashing.XX(5)
			h1 := hash.Uint64(key) % m
			h2 := hashing.Mix(hash.Uint64(key)+hashing.Gamma) % m
			odd := h2
			if m%2 == 0 {
				odd |= 1
			} else if odd == 0 {
				odd = 1
			}
			for i := range uint64(9) {
				for scheme, want := range map[Scheme]uint64{
					Independent: hashing.XX(5+i).Uint64(key) % m,
					Double:      (h1 + i*h2) % m,
					DoubleOdd:   (h1 + i*odd) % m,
					Enhanced:    (h1 + i*h2 + (i*i*i-i)/6) % m,
				} {
					f := must(t, Params{M: m, K: 9, Scheme: scheme, Hash: hash})
					if got := f.Positions(key)[i]; got != want {
						t.Fatalf("%v m=%d key=%d probe %d: %d, want %d", scheme, m, key, i, got, want)
					}
				}
			}
		}
	}
}

// Probe i of the Derived scheme is floor(m x / 2^64), x = hash c^(i+1) mod 2^64.
// For m = 2^j that is the high j bits of x.
func TestDerivedProbesAreHighBits(t *testing.T) {
	f := must(t, Params{M: 1 << 20, K: 5, Hash: hashing.XX(0)})
	hash, x := uint64(0x0123456789abcdef), uint64(0x0123456789abcdef)
	var want []uint64
	for range 5 {
		x *= 0xd1342543de82ef95
		want = append(want, x>>44)
	}
	if got := f.PositionsHash(hash); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// rate measures false positives over freshly built filters: the mean over
// trials and its standard error.
func rate(t *testing.T, p Params, n, trials, probes uint64) (mean, stderr float64) {
	t.Helper()
	var sum, squares float64
	for trial := range trials {
		p.Hash = hashing.XX(hashing.Mix(trial))
		f := must(t, p)
		for key := range n {
			add(t, f, key)
		}
		var found float64
		for i := range probes {
			if f.Contains(1<<40 + i) {
				found++
			}
		}
		sum += found / float64(probes)
		squares += found / float64(probes) * found / float64(probes)
	}
	mean = sum / float64(trials)
	return mean, math.Sqrt((squares/float64(trials) - mean*mean) / float64(trials))
}

// Five standard errors of the mean are one false alarm in 10^6 seeds.
func TestRateIsTheExactLaw(t *testing.T) {
	for _, c := range []struct{ m, k, n, trials, probes uint64 }{
		{16, 3, 2, 2000, 100},
		{64, 4, 10, 1000, 200},
		{1000, 20, 100, 200, 1000},
		{1024, 14, 51, 100, 5000},
		{20_000, 7, 2000, 20, 5000},
	} {
		want := FPRExact(c.m, c.k, c.n)
		for _, s := range []Scheme{Derived, Independent} {
			got, stderr := rate(t, Params{M: c.m, K: c.k, Scheme: s, Hash: hashing.XX(0)}, c.n, c.trials, c.probes)
			if off(got, want, 5*stderr) {
				t.Errorf("%v m=%d k=%d n=%d: %g ± %g, want %g", s, c.m, c.k, c.n, got, stderr, want)
			}
		}
	}
}

// What double hashing costs at m = 1024, 20 bits a key, k = 14, where the exact
// rate is 6.9e-5: a Monte Carlo apart from this code gave 0.133 % for the plain
// form, 0.065 to 0.084 % for the odd step, 0.0114 % for the enhanced one.
func TestDoubleHashingMissesTheLawAtSmallM(t *testing.T) {
	for scheme, want := range map[Scheme][2]float64{
		Double: {0.00133, 0.00133}, DoubleOdd: {0.00065, 0.00084}, Enhanced: {0.000114, 0.000114},
	} {
		got, stderr := rate(t, Params{M: 1024, K: 14, Scheme: scheme, Hash: hashing.XX(0)}, 51, 200, 5000)
		if !(got >= want[0]-5*stderr && got <= want[1]+5*stderr) {
			t.Errorf("%v: %g ± %g, want %v", scheme, got, stderr, want)
		}
	}
}
