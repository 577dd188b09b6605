package cuckoo

import (
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func TestSizeHoldsItsKeysAtItsRate(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 100, 1000, 20000} {
		for _, eps := range []float64{0.5, 0.1, 0.01, 1e-4, 1e-6} {
			for _, slots := range []int{2, 3, 4, 8} {
				p, err := Size(n, eps, slots)
				if err != nil {
					t.Fatal(err)
				}
				if Bound(p.FingerprintBits, slots) > eps {
					t.Errorf("%d keys, rate %g: tags of %d bits", n, eps, p.FingerprintBits)
				}
				p.Hash = hashing.XX(11)
				f, err := New(p)
				if err != nil {
					t.Fatal(err)
				}
				for key := range uint64(n) {
					if err := f.Add(key); err != nil {
						t.Errorf("%d keys, rate %g, %d slots: refused at %d", n, eps, slots, key)
						break
					}
				}
			}
		}
	}
}

func TestSizeIsTight(t *testing.T) {
	// 2*4/2^10 = 0.0078 <= 0.01 < 2*4/2^9, and 10^6/(4*0.94) = 265957.4 buckets
	// and 4*1000/16 = 250 more, rounded up.
	p, err := Size(1_000_000, 0.01, 4)
	if err != nil || p.FingerprintBits != 10 || p.Buckets != 266208 || p.Slots != 4 {
		t.Errorf("got %+v, %v", p, err)
	}
	// One slot: 2/2^8 would do, but triples of keys crowd into one pair until
	// C(n,3) (2/((2^f - 1) m))^2 <= 1e-4. With n = 10^4 and m = 22623 that is
	// 1302.5/(2^f - 1)^2, so 2^f - 1 >= 3609: f = 12.
	p, err = Size(10_000, 0.01, 1)
	if err != nil || p.FingerprintBits != 12 {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestSizeRefuses(t *testing.T) {
	for name, err := range map[string]error{
		"no keys":      sizeErr(0, 0.01, 4),
		"minus keys":   sizeErr(-1, 0.01, 4),
		"rate 0":       sizeErr(10, 0, 4),
		"rate 1":       sizeErr(10, 1, 4),
		"rate NaN":     sizeErr(10, math.NaN(), 4),
		"no slots":     sizeErr(10, 0.01, 0),
		"nine slots":   sizeErr(10, 0.01, 9),
		"rate too low": sizeErr(10, Bound(32, 4)*0.99, 4),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := sizeErr(10, Bound(32, 4), 4); err != nil {
		t.Errorf("the lowest rate: %v", err)
	}
}

func sizeErr(n int, eps float64, slots int) error {
	_, err := Size(n, eps, slots)
	return err
}

func TestSizeSemiSorted(t *testing.T) {
	for _, eps := range []float64{0.9, 0.1, 1e-3, 1e-6} {
		plain, err := Size(1000, eps, 4)
		if err != nil {
			t.Fatal(err)
		}
		p, err := SizeSemiSorted(1000, eps)
		if err != nil {
			t.Fatal(err)
		}
		plain.SemiSorted, plain.FingerprintBits = true, max(5, plain.FingerprintBits)
		if p != plain {
			t.Errorf("rate %g: %+v, want %+v", eps, p, plain)
		}
		p.Hash = hashing.XX(1)
		if _, err := New(p); err != nil {
			t.Errorf("rate %g: %v", eps, err)
		}
	}
	if _, err := SizeSemiSorted(0, 0.1); err == nil {
		t.Error("no keys: accepted")
	}
}
