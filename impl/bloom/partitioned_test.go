package bloom

import (
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Probe i lies in slice i, at the place where a filter of that slice's length
// alone would have it.
func TestPartitionedProbesStayInTheirSlices(t *testing.T) {
	for _, slice := range []uint64{1, 2, 63, 64, 1000} {
		f := must(t, Params{M: 9 * slice, K: 9, Scheme: Partitioned, Hash: hashing.XX(0)})
		alone := must(t, Params{M: slice, K: 9, Hash: hashing.XX(0)})
		for key := range uint64(200) {
			want := alone.Positions(key)
			for i, p := range f.Positions(key) {
				if p != uint64(i)*slice+want[i] {
					t.Fatalf("slices of %d, key %d: probe %d is bit %d", slice, key, i, p)
				}
			}
		}
	}
}

// Five standard errors of the mean are one false alarm in 10^6 seeds. At 64
// bits the law is a third above that of Derived.
func TestPartitionedRateIsItsLaw(t *testing.T) {
	for _, c := range []struct{ m, k, n, trials, probes uint64 }{
		{16, 4, 2, 2000, 100},
		{64, 8, 5, 2000, 200},
		{1000, 20, 100, 200, 1000},
		{21_000, 7, 2000, 20, 5000},
	} {
		want := FPRPartitioned(c.m, c.k, c.n)
		got, stderr := rate(t, Params{M: c.m, K: c.k, Scheme: Partitioned, Hash: hashing.XX(0)}, c.n, c.trials, c.probes)
		if off(got, want, 5*stderr) {
			t.Errorf("m=%d k=%d n=%d: %g ± %g, want %g", c.m, c.k, c.n, got, stderr, want)
		}
	}
}

// Every slice length from 1 up and every k is tried.
func TestPartitionedSizeIsTheFirstThatKeepsTheRate(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 10, 1000} {
		for _, p := range []float64{0.97, 0.5, 0.25, 0.1, 0.01, 1e-3} {
			m, k, err := SizePartitioned(n, p)
			if err != nil {
				t.Fatal(err)
			}
			wantM, wantK, least := uint64(math.MaxUint64), uint64(0), 1.0
			for j := uint64(1); j <= 14; j++ {
				slice := uint64(1)
				for FPRPartitioned(j*slice, j, n) > p {
					slice++
				}
				if r := FPRPartitioned(j*slice, j, n); j*slice < wantM || j*slice == wantM && r < least {
					wantM, wantK, least = j*slice, j, r
				}
			}
			if m != wantM || k != wantK {
				t.Errorf("n=%d p=%g: m=%d k=%d, by trial m=%d k=%d", n, p, m, k, wantM, wantK)
			}
		}
	}
}

func TestPartitionedSizesAndRefusals(t *testing.T) {
	for _, n := range []uint64{0, 1_000_000, 1e10} {
		for _, p := range []float64{0.5, 0.01, 1e-12} {
			f, err := ForRatePartitioned(min(n, 1_000_000), p, hashing.XX(1))
			if err != nil || f.M()%f.K() != 0 || f.Scheme() != Partitioned {
				t.Errorf("n=%d p=%g: %v", n, p, err)
			}
			m, k, err := SizePartitioned(n, p)
			if err != nil || FPRPartitioned(m, k, max(n, 1)) > p {
				t.Errorf("n=%d p=%g: m=%d k=%d, %v", n, p, m, k, err)
			}
			// Slices of one length cost less than one bit a probe of the ideal.
			if ideal := float64(n) * BitsPerKey(p); n > 0 && float64(m) > ideal*1.03+float64(k) {
				t.Errorf("n=%d p=%g: m=%d, the formula has %.0f", n, p, m, ideal)
			}
		}
	}
	for _, p := range []float64{0, 1, -0.1, math.NaN(), math.Inf(1), 1e-30} {
		if m, k, err := SizePartitioned(10, p); err == nil {
			t.Errorf("p=%g: m=%d k=%d", p, m, k)
		}
	}
	if m, k, err := SizePartitioned(1<<40, 0.01); err == nil {
		t.Errorf("2^40 keys: m=%d k=%d", m, k)
	}
	if f, err := ForRatePartitioned(1<<40, 0.01, hashing.XX(1)); err == nil {
		t.Errorf("2^40 keys: %v", f)
	}
}

// A rate next to one asks for next to nothing, at any number of keys, and at once.
func TestSizePartitionedAtTheEdge(t *testing.T) {
	for _, n := range []uint64{1e10, 1e13} {
		if m, k, err := SizePartitioned(n, math.Nextafter(1, 0)); err == nil && FPRPartitioned(m, k, n) > math.Nextafter(1, 0) {
			t.Errorf("n=%d: m=%d k=%d", n, m, k)
		}
	}
}
