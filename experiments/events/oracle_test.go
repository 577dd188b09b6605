package events

import (
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/sketchproof/sketchproof/impl/ell"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/impl/ull"
)

var estimators = hll.Estimators()

func newHLL(t testing.TB, p int) *hll.Sketch {
	s, err := hll.New(hll.Params{Precision: p, Hash: hashing.XX(1)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// exactly gives the visitor every state of a sketch of precision p after n
// keys, n at most 3, with its probability. Registers are alike, so the first ones
// stand for all; a value of 20 or more, chance 2^-19, counts as 20.
func exactly(t *testing.T, p, n int, visit func(s *hll.Sketch, probability float64)) {
	const greatest = 20
	m := math.Exp2(float64(p))
	// Keys in one, two, three registers.
	places := map[int][][]int{
		1: {{0}},
		2: {{0, 0}, {0, 1}},
		3: {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 2}},
	}[n]
	values := make([]int, n)
	total := 0.
	for _, place := range places {
		chance := 1.
		for i := range slices.Max(place) {
			chance *= m - float64(i+1)
		}
		chance /= math.Pow(m, float64(n-1))
		var each func(key int, chance float64)
		each = func(key int, chance float64) {
			if key == n {
				s := newHLL(t, p)
				for i, v := range values {
					s.AddHash(uint64(place[i])<<(64-p) | 1<<(64-p-v))
				}
				visit(s, chance)
				total += chance
				return
			}
			for v := 1; v <= greatest; v++ {
				values[key] = v
				each(key+1, chance*math.Exp2(-float64(min(v, greatest-1))))
			}
		}
		each(0, chance)
	}
	if math.Abs(total-1) > 1e-12 {
		t.Fatalf("the probabilities add up to %v", total)
	}
}

// TestFirstThreeKeys: the mean of every estimator's error and that of its square
// at n = 1, 2, 3, by all states there are and by streams, agree within five
// standard errors, which the states tell too; 2^-18 is for values of 20 and more.
func TestFirstThreeKeys(t *testing.T) {
	const p, trials = 4, 8000
	for n := 1; n <= 3; n++ {
		want := make([][5]float64, len(estimators)) // of the error's powers
		exactly(t, p, n, func(s *hll.Sketch, probability float64) {
			for i, e := range estimators {
				x := s.EstimateWith(e)/float64(n) - 1
				for k := range want[i] {
					want[i][k] += probability * math.Pow(x, float64(k))
				}
			}
		})
		got := make([][5]float64, len(estimators))
		for seed := range uint64(trials) {
			s := newHLL(t, p)
			Records(p, seed).To(uint64(n), s.AddHash)
			for i, e := range estimators {
				x := s.EstimateWith(e)/float64(n) - 1
				for k := range got[i] {
					got[i][k] += math.Pow(x, float64(k)) / trials
				}
			}
		}
		for i, e := range estimators {
			for k := 1; k <= 2; k++ {
				se := math.Sqrt(max(0, want[i][2*k]-want[i][k]*want[i][k]) / trials)
				if d := math.Abs(got[i][k] - want[i][k]); !(d <= 5*se+0x1p-18) {
					t.Errorf("n %d, %v: mean of error^%d %.6f, want %.6f (%.6f)", n, e, k, got[i][k], want[i][k], se)
				}
			}
		}
	}
}

// TestEstimatesHaveOneLaw: estimates of streams told by news, of those that
// jump and of those inserted key by key are distributed alike (Kolmogorov and
// Smirnov: the greatest distance of two empirical distributions of N each is above
// x sqrt(2/N) with chance at most 2 exp(-2x^2), 1e-7 at x = 2.9; estimates are
// discrete, which makes it less).
func TestEstimatesHaveOneLaw(t *testing.T) {
	const p, trials = 6, 1000
	inserted := func(s *Stream, n uint64, add func(uint64)) { s.Insert(n, add) }
	told := func(s *Stream, n uint64, add func(uint64)) { s.To(n, add) }
	part := func(s *Stream, n uint64, add func(uint64)) { s.Insert(n/2, add); s.To(n, add) }
	jumped := func(s *Stream, n uint64, add func(uint64)) { s.Jump(n, 0, add) }
	late := func(s *Stream, n uint64, add func(uint64)) { s.To(n/3, add); s.Jump(n, 0, add) }
	type way func(*Stream, uint64, func(uint64))
	for _, c := range []struct {
		n    uint64
		a, b way
	}{
		{1000, inserted, told},
		{10000, inserted, told},
		{10000, inserted, part},
		{1e7, told, jumped},
		{1e7, told, late},
		{1e19, told, jumped},
	} {
		sample := func(way way, first uint64) map[hll.Estimator][]float64 {
			all := map[hll.Estimator][]float64{}
			for seed := range uint64(trials) {
				s := newHLL(t, p)
				way(Records(p, first+seed), c.n, s.AddHash)
				for _, e := range estimators {
					all[e] = append(all[e], s.EstimateWith(e))
				}
			}
			return all
		}
		a, b := sample(c.a, 0), sample(c.b, trials)
		for _, e := range estimators {
			if d := distance(a[e], b[e]); d > 2.9*math.Sqrt(2./trials) {
				t.Errorf("n %d, %v: distributions differ by %.4f", c.n, e, d)
			}
		}
	}
}

// distance is that of Kolmogorov and Smirnov.
func distance(a, b []float64) (greatest float64) {
	slices.Sort(a)
	slices.Sort(b)
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x := min(a[i], b[j])
		for i < len(a) && a[i] == x {
			i++
		}
		for j < len(b) && b[j] == x {
			j++
		}
		greatest = max(greatest, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return greatest
}

// TestJumpTellsWhatIsRightBelow: among the values under an address's greatest,
// those that Jump says came have the law of those that To says came: counts of
// 2000 streams of 16 addresses, within five standard errors of their difference.
func TestJumpTellsWhatIsRightBelow(t *testing.T) {
	const p, m, below, trials, n = 4, 16, 5, 2000, uint64(1e8)
	count := func(walk func(s *Stream, add func(uint64))) (came [below + 1]float64) {
		for seed := range uint64(trials) {
			var seen [m]uint64
			walk(Firsts(p, seed), func(h uint64) {
				i, v := split(h, p)
				seen[i] |= 1 << v
			})
			for _, mask := range seen {
				greatest := 63
				for mask>>greatest == 0 {
					greatest--
				}
				for j := range came {
					came[j] += float64(mask >> (greatest - j) & 1)
				}
			}
		}
		return came
	}
	told := count(func(s *Stream, add func(uint64)) { s.To(n, add) })
	jumped := count(func(s *Stream, add func(uint64)) { s.To(n/10, add); s.Jump(n, below, add) })
	for j := range told {
		share := told[j] / (m * trials)
		if d := math.Abs(told[j] - jumped[j]); d > 5*math.Sqrt(2*m*trials*share*(1-share)) {
			t.Errorf("%d below the greatest: came %v times, %v after a jump", j, told[j], jumped[j])
		}
	}
}

// BenchmarkTrial is what figures of error over n cost: a stream to 10^19 keys, of
// which a martingale of one kind is told, of precision 12; every estimator is read
// at 58 numbers of keys, all but its own in a copy of its registers. Trials run on
// all cores.
func BenchmarkTrial(b *testing.B) {
	const p = 12
	var ns []uint64
	for decade := uint64(1); decade <= 1e18; decade *= 10 {
		ns = append(ns, decade, 2*decade, 5*decade)
	}
	ns = append(ns, 1e19)
	hash := hashing.XX(1)
	for _, kind := range []struct {
		name string
		// trial returns the stream, what it tells, and what reads all estimators.
		trial func(seed uint64) (s *Stream, add func(uint64), read func() float64)
	}{
		{"hll", func(seed uint64) (*Stream, func(uint64), func() float64) {
			martingale := must(hll.NewMartingale(hll.Params{Precision: p, Hash: hash}))
			return Records(p, seed), martingale.AddHash, func() (sum float64) {
				plain := martingale.Sketch()
				for _, e := range estimators {
					sum += plain.EstimateWith(e)
				}
				return sum + martingale.Estimate()
			}
		}},
		{"ull", func(seed uint64) (*Stream, func(uint64), func() float64) {
			martingale := must(ull.NewMartingale(ull.Params{Precision: p, Hash: hash}))
			return Firsts(p, seed), martingale.AddHash,
				func() float64 { return martingale.Sketch().Estimate() + martingale.Estimate() }
		}},
		{"ell", func(seed uint64) (*Stream, func(uint64), func() float64) {
			martingale := must(ell.NewMartingale(ell.Standard(p, hash)))
			const t = 2
			return Firsts(p+t, seed), func(h uint64) {
				h = h>>(64-p)<<(64-p) | h<<(p+t)>>p | h<<p>>(64-t) // the bits behind the register come last
				martingale.AddHash(h)
			}, func() float64 { return martingale.Sketch().Estimate() + martingale.Estimate() }
		}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var seed atomic.Uint64
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					s, add, read := kind.trial(seed.Add(1))
					for _, n := range ns {
						s.To(n, add)
						if !(read() > 0) {
							b.Error("no estimate")
						}
					}
				}
			})
			b.ReportMetric(1000*b.Elapsed().Seconds()/float64(b.N), "s/1000trials")
		})
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
