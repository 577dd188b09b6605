package counting

import (
	"math"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func TestSizeKeepsItsPromise(t *testing.T) {
	for _, n := range []uint64{0, 1, 2, 16, 1000, 1_000_000} {
		for _, eps := range []float64{0.5, 0.1, 0.01, 1e-6} {
			for _, bits := range []int{4, 8, 16} {
				p, err := Size(n, eps, bits)
				if err != nil {
					t.Fatal(err)
				}
				if p.CellBits != bits || p.Scheme != Derived || p.Hash != (hashing.Hasher{}) {
					t.Errorf("got %+v", p)
				}
				if rate := FPR(int(max(n, 1)), p.Cells, p.Hashes); rate > eps {
					t.Errorf("n=%d: rate %v, promised %v", n, rate, eps)
				}
				if rate := bloom.FPRExact(uint64(p.Cells-1), uint64(p.Hashes), max(n, 1)); p.Cells > 1 && rate <= eps {
					t.Errorf("n=%d, eps=%v: a cell less keeps the promise too", n, eps)
				}
			}
		}
	}
}

func TestSizeRefuses(t *testing.T) {
	for _, c := range []struct {
		n    uint64
		eps  float64
		bits int
		says string
	}{
		{10, 0, 4, "not inside (0, 1)"},
		{10, 1, 4, "not inside (0, 1)"},
		{10, math.NaN(), 4, "not inside (0, 1)"},
		{10, 1e-30, 4, "at most 64"},
		{10, 0.01, 5, "must be 4, 8 or 16"},
		{10, 0.01, 0, "must be 4, 8 or 16"},
		{10, 0.01, -4, "must be 4, 8 or 16"},
		{math.MaxUint64, 0.01, 4, "at most"},
		{10_000_000_000, 0.01, 16, "at most"},
	} {
		if _, err := Size(c.n, c.eps, c.bits); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: got %v", c, err)
		}
		if f, err := ForRate(c.n, c.eps, c.bits, hashing.XX(1)); f != nil || err == nil {
			t.Errorf("%+v: a filter was made", c)
		}
	}
	if f, err := ForRate(10, 0.01, 4, hashing.Hasher{}); f != nil || err == nil {
		t.Error("the zero hash was taken")
	}
}
