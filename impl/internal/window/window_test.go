package window

import (
	"math"
	"math/rand/v2"
	"testing"
)

var geometries = []Geometry{{4, 0, 0}, {6, 0, 2}, {5, 1, 9}, {4, 2, 20}, {10, 2, 16}, {4, 3, 40}, {18, 0, 1}}

// byDefinition is the register that a set of values makes, bit by bit.
func byDefinition(g Geometry, values map[uint64]bool) uint64 {
	u := uint64(0)
	for v := range values {
		u = max(u, v)
	}
	r := u << g.D
	for v := range values {
		if v < u && u-v <= uint64(g.D) {
			r |= 1 << (uint64(g.D) - (u - v))
		}
	}
	return r
}

// TestGiveWithoutBranch: it is Give and Given, of every register and value that
// there are.
func TestGiveWithoutBranch(t *testing.T) {
	for _, p := range []uint{4, 5, 12, 18} {
		g := Geometry{p, 0, 2}
		for r := range uint64(256) {
			for k := uint64(1); g.Valid(r) && k <= g.Top(); k++ {
				want := g.Given(r, k)
				if want == r {
					continue
				}
				var start Tally
				start.Count(g, r)
				a, b := start, start
				a.Give(g, r, k)
				if got := b.GiveWithoutBranch(p, r, k); got != want || a != b {
					t.Fatalf("p %d: register %#x given %d is %#x, want %#x; tallies %+v, %+v", p, r, k, got, want, b, a)
				}
			}
		}
	}
}

func TestRegisterByDefinition(t *testing.T) {
	for _, g := range geometries {
		r := rand.New(rand.NewPCG(1, uint64(g.D)))
		for range 300 {
			all, left, right := map[uint64]bool{}, map[uint64]bool{}, map[uint64]bool{}
			var whole, a, b uint64
			tally := Tally{}
			most := 1 + r.Uint64N(g.Top())
			for range r.IntN(30) {
				v := 1 + r.Uint64N(most)
				if next := g.Given(whole, v); next != whole {
					tally.Give(g, whole, v)
					whole = next
				}
				all[v] = true
				if r.IntN(2) == 0 {
					left[v] = true
					a = g.Given(a, v)
				} else {
					right[v] = true
					b = g.Given(b, v)
				}
			}
			if want := byDefinition(g, all); whole != want || g.Union(a, b) != want || g.Union(b, a) != want {
				t.Fatalf("%+v, %v: given %#x, union %#x, want %#x", g, all, whole, g.Union(a, b), want)
			}
			if !g.Valid(whole) || whole >= 1<<g.Bits() {
				t.Fatalf("%+v: %#x is not valid", g, whole)
			}
			// The tally kept up is that of the registers: this one and 2^P - 1 empty.
			var counted Tally
			counted.Count(g, whole)
			counted.open += (1<<g.P - 1) << (64 - g.P)
			if counted != tally {
				t.Fatalf("%+v, %v: tally %+v, counted %+v", g, all, tally, counted)
			}
			// What is open, by its definition.
			open := 0.0
			for v := uint64(1); v <= g.Top(); v++ {
				if g.Given(whole, v) != whole {
					open += math.Exp2(-float64(g.Level(v)))
				}
			}
			var one Tally
			one.Count(g, whole)
			if whole != 0 && math.Abs(math.Ldexp(float64(one.open), int(g.P)-64)-open) > 1e-12 {
				t.Fatalf("%+v, %#x: open %g, want %g", g, whole, math.Ldexp(float64(one.open), int(g.P)-64), open)
			}
		}
	}
}

func TestValidRefuses(t *testing.T) {
	g := Geometry{4, 0, 2}
	for r := range uint64(256) {
		u, marks := r>>2, r&3
		want := u <= 61 && (u > 0 || marks == 0) && (u != 1 || marks == 0) && (u != 2 || marks&1 == 0)
		if g.Valid(r) != want {
			t.Errorf("register %#x: valid %v, want %v", r, g.Valid(r), want)
		}
	}
}

func TestChancesAddUpToOne(t *testing.T) {
	for _, g := range geometries {
		sum := uint64(0)
		for v := g.Top(); v > 0; v-- {
			if g.above(v) != sum {
				t.Fatalf("%+v: above %d is %d, want %d", g, v, g.above(v), sum)
			}
			sum += g.chance(v)
		}
		if sum != 1<<(64-g.P) || g.above(0) != sum {
			t.Errorf("%+v: the chances add up to %g", g, float64(sum)/math.Exp2(float64(64-g.P)))
		}
	}
}

func TestSolveIsTheGreatestLikelihood(t *testing.T) {
	g := Geometry{8, 2, 20}
	r := rand.New(rand.NewPCG(3, 0))
	for _, scale := range []int{1, 30, 3000, 300000} {
		regs := make([]uint64, 1<<g.P)
		for range scale {
			h := r.Uint64()
			lz := uint64(0)
			for lz < 50 && r.Uint64()&1 == 0 {
				lz++
			}
			i := h >> 56
			regs[i] = g.Given(regs[i], lz<<2+h&3+1)
		}
		var tally Tally
		for _, v := range regs {
			tally.Count(g, v)
		}
		x := tally.Solve(g)
		alpha := tally.Open() * float64(len(regs))
		likelihood := func(x float64) float64 {
			l := -alpha * x
			for j, b := range tally.beta {
				if b != 0 {
					l += float64(b) * math.Log(-math.Expm1(-x*inverse[j]))
				}
			}
			return l
		}
		// A step of 1e-4 x loses about 5e-9 of (x/sd)^2 in ln L.
		if best := likelihood(x); best < likelihood(x*(1+1e-4)) || best < likelihood(x*(1-1e-4)) {
			t.Errorf("%d keys: %g is no maximum", scale, x)
		}
		if rel := x*256/float64(scale) - 1; math.Abs(rel) > 0.15 { // six errors of 0.37/16
			t.Errorf("%d keys: estimate %g", scale, x*256)
		}
	}
}

func TestConstants(t *testing.T) {
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		// The memory-variance products that Ertl 2023 (section 1) and 2024 (table 1)
		// print, to their digits.
		{"HLL ML", 6 * Shape{0, 0}.Variance(1e9), 6.45},
		{"HLL martingale", 6 * Shape{0, 0}.MartingaleVariance(1e9), 6 * math.Ln2},
		{"ULL ML", 8 * Shape{0, 2}.Variance(1e9), 4.63},
		{"ULL martingale", 8 * Shape{0, 2}.MartingaleVariance(1e9), 3.47},
		{"ELL(2,20) ML", 28 * Shape{2, 20}.GeometricVariance(), 3.67},
		{"ELL(2,16) martingale", 24 * Shape{2, 16}.GeometricMartingaleVariance(), 2.77},
		{"ULL bias", Shape{0, 2}.Bias(1e9), 0.4815},
	} {
		if math.Abs(c.got-c.want) > 0.0051 {
			t.Errorf("%s: %.5f, want %.4g", c.what, c.got, c.want)
		}
	}
	for _, s := range []Shape{{0, 0}, {0, 1}, {0, 2}} { // where both distributions are the same
		near(t, s, s.Variance(1e9), s.GeometricVariance(), 1e-4)
		near(t, s, s.MartingaleVariance(1e9), s.GeometricMartingaleVariance(), 1e-4)
	}
	for _, s := range []Shape{{1, 9}, {2, 16}, {2, 20}, {2, 24}} { // where they are not
		if r := s.Variance(1e9) / s.GeometricVariance(); r < 1 || r > 1.02 {
			t.Errorf("%+v: %g of the printed variance", s, r)
		}
	}
	// Few keys collide in a register and a value with probability sum rho^2 a pair:
	// 1/3 of 1/m for t = 0. Before d = 0 a lower value hides too: all of 1/m.
	near(t, Shape{0, 60}, Shape{0, 60}.Variance(1e-3), 1./6, 1e-2)
	near(t, Shape{0, 0}, Shape{0, 0}.Variance(1e-3), 1./2, 1e-2)
	s := Shape{2, 20}
	for _, x := range []float64{0.01, 1.3, 77} {
		near(t, s, s.Correction(x), s.Bias(x), 1e-2)
	}
}

func near(t *testing.T, s Shape, got, want, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*math.Abs(want)) {
		t.Errorf("%+v: %.9g, want %.9g to %g", s, got, want, rel)
	}
}
