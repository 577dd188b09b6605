package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// missLimit is the most misses that runs with miss probability alpha may show:
// more have probability below 1e-6 (with about a hundred such tests, a wrong
// alarm has probability 1e-4; the seeds are fixed, so it would be a lasting one).
func missLimit(runs int, alpha float64) int {
	for k := 0; ; k++ {
		if logTail, _ := betaTail(float64(k)+1, float64(runs-k), math.Log(alpha)-math.Log1p(-alpha)); logTail < math.Log(1e-6) {
			return k
		}
	}
}

// A source draws readings whose true mean, ratio or root mean square is known.
type source struct {
	name   string
	method Method
	looks  int // skewed readings need more until the method says anything
	truth  float64
	draw   func(*rand.Rand) Count
}

// unit is the resolution of readings that stand for real numbers.
const unit = 1e7

func real(f func(*rand.Rand) float64) func(*rand.Rand) Count {
	return func(r *rand.Rand) Count { return Count{int64(math.Round(f(r) * unit)), unit} }
}

func event(r *rand.Rand, p float64) float64 {
	if r.Float64() < p {
		return 1
	}
	return 0
}

// poisson draws by the product of uniforms (Knuth), for small means.
func poisson(r *rand.Rand, mean float64) int64 {
	least, k := math.Exp(-mean), int64(0)
	for p := r.Float64(); p > least; p *= r.Float64() {
		k++
	}
	return k
}

// gamma draws a Gamma variable of whole shape and mean 1.
func gamma(r *rand.Rand, shape int) float64 {
	sum := 0.0
	for range shape {
		sum += r.ExpFloat64()
	}
	return sum / float64(shape)
}

// clustered draws events among 10^6 probes of a structure whose own rate varies
// with coefficient of variation 1/√shape: a beta-binomial, as near as makes no
// difference at rates this small.
func clustered(mean float64, shape int) func(*rand.Rand) Count {
	return func(r *rand.Rand) Count { return Count{poisson(r, mean*gamma(r, shape)), 1e6} }
}

var sources = []source{
	{"normal", Mean, 3, 0, real(func(r *rand.Rand) float64 { return r.NormFloat64() })},
	{"squared", Mean, 6, 1, real(func(r *rand.Rand) float64 { x := r.NormFloat64(); return x * x })},
	{"exponential", Mean, 5, 1, real((*rand.Rand).ExpFloat64)},
	{"skewed to the left", Mean, 3, -1, real(func(r *rand.Rand) float64 { return -gamma(r, 8) })},
	{"counts of 1", Mean, 3, 1, func(r *rand.Rand) Count { return Count{poisson(r, 1), 1} }},
	{"rare counts", Mean, 6, 0.1, func(r *rand.Rand) Count { return Count{poisson(r, 0.1), 1} }},
	{"mostly ones", Mean, 6, 0.9, func(r *rand.Rand) Count { return Count{int64(event(r, 0.9)), 1} }},
	{"rare events", Rate, 3, 0.1e-6, func(r *rand.Rand) Count { return Count{poisson(r, 0.1), 1e6} }},
	{"few events", Rate, 3, 1e-6, func(r *rand.Rand) Count { return Count{poisson(r, 1), 1e6} }},
	{"few clustered events", Rate, 3, 3e-6, clustered(3, 4)},
	{"clustered events", Rate, 3, 20e-6, clustered(20, 11)},
	{"unequal trials", Rate, 3, 8e-6, func(r *rand.Rand) Count {
		den := int64(1e6) << r.IntN(3)
		return Count{poisson(r, 8e-6*float64(den)), den}
	}},
	{"normal errors", Spread, 3, 1, real(func(r *rand.Rand) float64 { return r.NormFloat64() })},
	{"near normal errors", Spread, 3, 1, real(func(r *rand.Rand) float64 { return (gamma(r, 16) - 1) * 4 })},
	{"uniform errors", Spread, 3, 1, real(func(r *rand.Rand) float64 { return math.Sqrt(3) * (2*r.Float64() - 1) })},
	{"rare bursts", Share, 3, 0.005, real(func(r *rand.Rand) float64 { return event(r, 0.01) * r.Float64() })},
	{"shares", Share, 3, 0.5, real((*rand.Rand).Float64)},
	{"rare whole events", Share, 3, 0.02, func(r *rand.Rand) Count { return Count{int64(event(r, 0.02)), 1} }},
}

// decidesAtTheEdge runs the stopping rule of the harness, 32, 64, 128 trials or
// until decided, for two laws whose bounds are the truth itself. A law that is
// true with nothing to spare, and one that is false by nothing, are the same
// there: every decision is wrong, and nowhere are wrong ones more likely. It
// also says whether the last look gave a finite interval.
func decidesAtTheEdge(s source, r *rand.Rand, alpha float64) (decided, finite bool) {
	trials := make([]Count, 0, Looks(s.looks))
	for look := 1; look <= s.looks; look++ {
		for len(trials) < Looks(look) {
			trials = append(trials, s.draw(r))
		}
		iv := s.method.Assess(trials, look, alpha, Band{}).Interval
		for _, law := range []Band{AtMost(s.truth), AtLeast(s.truth)} {
			// Judge by itself: a decision that Assess withholds for want of
			// events is to be no excuse here.
			if Judge(iv, law) != Undecided {
				return true, true
			}
		}
		finite = !math.IsInf(iv.Hi, 1)
	}
	return false, finite
}

// Each method on each kind of data that it serves. These runs are few, to be
// fast: they see a miss rate of some 4 times alpha at 1e-2 and of 60 times at
// 1e-4, as goes wrong without the care taken: plain Student misses squared
// normals at 90 alpha and rare counts at 460. The package documentation has the
// rates from 100 000 runs and more.
func TestMethodsCover(t *testing.T) {
	runs := map[float64]int{1e-2: 250, 1e-3: 350, 1e-4: 800}
	for _, s := range sources {
		t.Run(s.method.String()+"/"+s.name, func(t *testing.T) {
			t.Parallel()
			for _, alpha := range []float64{1e-2, 1e-3, 1e-4} {
				r := rand.New(rand.NewPCG(21, uint64(1/alpha)))
				missed, claims := 0, 0
				for range runs[alpha] {
					decided, finite := decidesAtTheEdge(s, r, alpha)
					if decided {
						missed++
					}
					if finite {
						claims++
					}
				}
				if claims < runs[alpha]/2 {
					t.Errorf("alpha=%g: only %d of %d runs end with a finite interval: this test sees little", alpha, claims, runs[alpha])
				}
				if limit := missLimit(runs[alpha], alpha); missed > limit {
					t.Errorf("alpha=%g: %d of %d runs decided wrongly, more than %d", alpha, missed, runs[alpha], limit)
				}
			}
		})
	}
}

// The test above must be able to fail: plain Student, on squared normals and on
// clustered events, and plain Clopper-Pearson on the latter, do.
func TestPlainIntervalsDoNotCover(t *testing.T) {
	const runs, alpha = 1600, 1e-4
	squared, events := sources[1], source{"", Rate, 1, 3e-6, clustered(3, 1)}
	student := func(trials []Count) Interval {
		m := momentsOf(trials)
		return StudentMean(int64(m.n), m.mean, m.sd, alpha)
	}
	pooled := func(trials []Count) Interval {
		m := momentsOf(trials)
		return clopperPearson(m.sumNum, m.sumDen, alpha)
	}
	for _, c := range []struct {
		name     string
		s        source
		interval func([]Count) Interval
	}{
		{"Student on squares", squared, student},
		{"Clopper-Pearson on clustered events", events, pooled},
	} {
		r := rand.New(rand.NewPCG(31, 32))
		missed := 0
		for range runs {
			trials := make([]Count, Looks(1))
			for i := range trials {
				trials[i] = c.s.draw(r)
			}
			if iv := c.interval(trials); c.s.truth < iv.Lo || c.s.truth > iv.Hi {
				missed++
			}
		}
		if limit := missLimit(runs, alpha); missed <= limit {
			t.Errorf("%s: only %d of %d missed: this test sees nothing", c.name, missed, runs)
		}
	}
}

// Clopper-Pearson at its own task: one fixed n, at alphas that a run of this
// length can see; it is exact, so the misses are summed, not drawn.
func TestClopperPearsonCoversExactly(t *testing.T) {
	const n = 60
	for _, alpha := range []float64{0.1, 1e-2, 1e-4, 1e-7} {
		var ivs [n + 1]Interval
		for x := range ivs {
			ivs[x] = ClopperPearsonAlpha(int64(x), n, alpha)
		}
		for _, p := range []float64{1e-3, 0.01, 0.07, 0.3, 0.5, 0.95} {
			miss := 0.0
			for x, iv := range ivs {
				if p < iv.Lo || p > iv.Hi {
					miss += binomial(n, x, p)
				}
			}
			if miss > alpha {
				t.Errorf("alpha=%g p=%g: misses with probability %g", alpha, p, miss)
			}
		}
	}
}

func binomial(n, x int, p float64) float64 {
	mass := 1.0
	for i := range x {
		mass *= float64(n-i) / float64(i+1)
	}
	return mass * math.Pow(p, float64(x)) * math.Pow(1-p, float64(n-x))
}

// StudentMean and ChiSquareRMS at their own task, normal observations at one
// fixed n: few and many. The miss rate must not be below alpha either.
func TestPivotsCoverNormalObservations(t *testing.T) {
	const runs = 4000
	for _, n := range []int{2, 5, 40} {
		for _, alpha := range []float64{0.1, 0.01} {
			t.Run(fmt.Sprintf("n=%d/alpha=%g", n, alpha), func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(n), 41))
				missedMean, missedSpread := 0, 0
				for range runs {
					var sum, square float64
					for range n {
						x := r.NormFloat64()
						sum += x
						square += x * x
					}
					mean := sum / float64(n)
					sd := math.Sqrt((square - sum*mean) / float64(n-1))
					if iv := StudentMean(int64(n), mean, sd, alpha); iv.Lo > 0 || iv.Hi < 0 {
						missedMean++
					}
					if iv := ChiSquareRMS(square, int64(n), alpha); iv.Lo > 1 || iv.Hi < 1 {
						missedSpread++
					}
				}
				// Five standard deviations either way.
				expected := alpha * runs
				slack := 5 * math.Sqrt(expected)
				for name, missed := range map[string]int{"StudentMean": missedMean, "ChiSquareRMS": missedSpread} {
					if math.Abs(float64(missed)-expected) > slack {
						t.Errorf("%s: %d of %d missed, want %g +- %.0f", name, missed, runs, expected, slack)
					}
				}
			})
		}
	}
}
