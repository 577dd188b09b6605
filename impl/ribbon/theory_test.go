package ribbon

import (
	"math"
	"math/bits"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func TestFPRIsAStraightLineBetweenWholeBits(t *testing.T) {
	for _, c := range []struct{ r, want float64 }{
		{1, 0.5}, {1.5, 0.375}, {7, 1. / 128}, {7.5, 3. / 512}, {8, 1. / 256}, {32, 1. / (1 << 32)},
	} {
		if got := FPR(c.r); got != c.want {
			t.Errorf("FPR(%v) = %v, want %v", c.r, got, c.want)
		}
	}
}

func TestBitsForIsTheLeastThatKeepsTheRate(t *testing.T) {
	for _, eps := range []float64{0.9, 0.5, 0.3, 0.25, 0.1, 0.01, 0.001, 1e-6, 1. / 256, math.Nextafter(1./256, 0), math.Nextafter(1./256, 1), 1e-9} {
		r := BitsFor(eps)
		if FPR(r) > eps || r > 1 && FPR(r-1e-6) <= eps {
			t.Errorf("eps %v: r = %v, rate %v", eps, r, FPR(r))
		}
	}
}

func TestDecaySolvesItsEquation(t *testing.T) {
	for _, overhead := range []float64{0.001, 0.01, 0.1, 0.5, 3, 100} {
		d := Decay(overhead)
		if got := math.Expm1(d) / d; !(d > 0) || math.Abs(got/(1+overhead)-1) > 1e-9 {
			t.Errorf("overhead %v: t = %v gives 1 + overhead = %v", overhead, d, got)
		}
	}
	if Decay(0) != 0 || Decay(-0.1) != 0 || Follows(0, 64) != 1 {
		t.Error("without room everything follows")
	}
}

// follows reports whether the equation of h follows from those in the band.
func (b *band) follows(h uint64) bool {
	lo, hi := fold(h, first)&b.mask|1, uint64(0)
	if b.width > 64 {
		hi = fold(h, second)
	}
	at := hashing.Reduce(h, b.starts)
	for {
		if b.rows[at] == 0 {
			return false
		}
		lo ^= b.rows[at]
		if b.width > 64 {
			hi ^= b.high[at]
		}
		if lo|hi == 0 {
			return true
		}
		for lo&1 == 0 {
			lo, hi, at = lo>>1|hi<<63, hi>>1, at+1
		}
	}
}

// TestFollowsAndRowAdditionsAreWhatIsMeasured compares the fitted laws with
// measurement: within what the bursts of a few crowded stretches leave uncertain.
func TestFollowsAndRowAdditionsAreWhatIsMeasured(t *testing.T) {
	const n = 30000
	for _, c := range []struct {
		w        int
		overhead float64
	}{{32, 0.03}, {32, 0.06}, {64, 0.015}, {128, 0.007}} {
		p := Params{Width: c.w, Bits: 8, Form: Homogeneous, Overhead: c.overhead, Hash: hashing.XX(0)}
		s := p.shapeFor(n, 0)
		b := newBand(s, saltOf(1))
		if o := b.addAll(hashesOf(0, n)); o != solved {
			t.Fatal(o)
		}
		follow := 0
		for i := range n {
			if b.follows(remixed(hashOf(n+i), b.salt)) {
				follow++
			}
		}
		built := float64(s.starts)/n - 1
		if got, want := float64(follow)/n, Follows(built, c.w); got < 0.4*want || got > 2.5*want {
			t.Errorf("w=%d, overhead %v: %v follow, the law says %v", c.w, c.overhead, got, want)
		}
		if got, want := float64(b.ops)/n, RowAdditions(built); c.overhead*float64(c.w) > 3 && math.Abs(got/want-1) > 0.1 {
			t.Errorf("w=%d, overhead %v: %v additions a key, the law says %v", c.w, c.overhead, got, want)
		}
	}
}

func TestSizeKeepsThePromise(t *testing.T) {
	for _, form := range []Form{Standard, Homogeneous} {
		for _, w := range []int{32, 64, 128} {
			for _, n := range []int{0, 1, 100, 1000000} {
				for _, eps := range []float64{0.99, 0.5, 0.1, 0.01, 1. / 256, 1e-4, 1e-8} {
					p, err := Size(n, eps, w, form)
					if err != nil {
						t.Errorf("%v w=%d n=%d eps=%v: %v", form, w, n, eps, err)
						continue
					}
					rate := FPR(p.Bits)
					if form == Homogeneous {
						rate = FPRHomogeneous(p.Bits, Follows(Overhead(n, w, p.Bits, form), w))
					}
					if p.Bits > 1 && (rate > eps*(1+1e-4) || rate < 0.7*eps) || p.Bits == 1 && rate > eps {
						t.Errorf("%v w=%d n=%d: r = %v gives %v, asked for %v", form, w, n, p.Bits, rate, eps)
					}
				}
			}
		}
	}
	for _, eps := range []float64{0, 1, -1, 1e-10, math.NaN(), math.Inf(1)} {
		if _, err := Size(10, eps, 64, Standard); err == nil {
			t.Errorf("rate %v is taken", eps)
		}
	}
	if _, err := Size(10, 0.1, 65, Standard); err == nil {
		t.Error("width 65 is taken")
	}
	if _, err := Size(-1, 0.1, 64, Standard); err == nil {
		t.Error("-1 keys are taken")
	}
}

// TestRates counts wrong answers: six standard deviations of the binomial. A
// homogeneous filter of so few keys has no redundant equation, and no excess that
// would show.
func TestRates(t *testing.T) {
	const n, absent = 20000, 400000
	everyKind(t, func(t *testing.T, p Params) {
		for _, r := range []float64{1, 4, 5.5, 8} {
			p.Bits = r
			f := mustHashes(t, hashesOf(0, n), p)
			law := FPR(f.Bits())
			got := float64(f.CountHashBatch(hashesOf(n, n+absent))) / absent
			if math.Abs(got-law) > 6*math.Sqrt(law/absent) {
				t.Errorf("r=%v: rate %v, the law says %v", r, got, law)
			}
		}
	})
}

// TestSpace: at most 8.75 bits a key at 10^6 keys, by arithmetic alone.
func TestSpace(t *testing.T) {
	s := Params{Width: 64, Bits: 8, Form: Homogeneous, Hash: hashing.XX(0)}.shapeFor(1e6, 0)
	if got := 64 * float64(s.size()) / 1e6; got > 8.75 {
		t.Errorf("%v bits a key", got)
	}
	if bits.Len64(s.starts) != 21 {
		t.Errorf("%d starts", s.starts)
	}
}
