package events

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

var kinds = []struct {
	name string
	make func(p int, seed uint64) *Stream
	// news is what makes a hash news, by definition: more than the greatest
	// value so far, or a value that is not among them.
	news func(seen []int, value int) bool
}{
	{"records", Records, func(seen []int, v int) bool { return len(seen) == 0 || v > slices.Max(seen) }},
	{"firsts", Firsts, func(seen []int, v int) bool { return !slices.Contains(seen, v) }},
}

// split is the layout by its definition.
func split(hash uint64, p int) (address uint64, value int) {
	tail := hash << p
	return hash >> (64 - p), min(bits.LeadingZeros64(tail), 64-p) + 1
}

// TestNewsIsNews: what a stream tells is news, in order, all hashes inserted or
// not, and the number of hashes that still are is that of the definition.
func TestNewsIsNews(t *testing.T) {
	for _, kind := range kinds {
		for _, p := range []int{1, 4, 7} {
			for _, inserted := range []uint64{0, 1, 1000} {
				s := kind.make(p, 3)
				seen := make([][]int, 1<<p)
				s.Insert(inserted, func(h uint64) {
					i, v := split(h, p)
					seen[i] = append(seen[i], v)
				})
				told := 0
				for _, n := range []uint64{inserted, inserted + 1, 1e5, 1e12, never - 1} {
					s.To(n, func(h uint64) {
						i, v := split(h, p)
						if !kind.news(seen[i], v) {
							t.Fatalf("%s, p %d: value %d comes to address %d, which has seen %v", kind.name, p, v, i, seen[i])
						}
						seen[i] = append(seen[i], v)
						told++
					})
					if s.N() != n {
						t.Fatalf("%d keys, want %d", s.N(), n)
					}
					if got, want := heard(s).size(), remaining(seen, p, kind.news); got != want {
						t.Fatalf("%s, p %d, n %d: %d hashes are news, want %d", kind.name, p, n, got, want)
					}
				}
				if told < 10<<p {
					t.Errorf("%s, p %d: only %d hashes were told", kind.name, p, told)
				}
			}
		}
	}
}

// remaining counts the hashes that are news, modulo 2^64.
func remaining(seen [][]int, p int, news func([]int, int) bool) (n uint64) {
	for _, s := range seen {
		for v := 1; v <= 65-p; v++ {
			if news(s, v) {
				n += 1 << (64 - p - min(v, 64-p))
			}
		}
	}
	return n
}

// TestEnd: when every address has seen every value, nothing is news.
func TestEnd(t *testing.T) {
	for _, kind := range kinds {
		s := kind.make(2, 1)
		for i := range uint64(4) {
			for v := range 63 {
				heard(s).see(i<<62 | 1<<61>>v)
			}
			heard(s).see(i << 62)
		}
		s.n = 1
		s.To(never-1, func(h uint64) { t.Errorf("%s: hash %x is told", kind.name, h) })
	}
}

// TestLookingChangesNothing: a stream is the same wherever one stops to look.
func TestLookingChangesNothing(t *testing.T) {
	for _, kind := range kinds {
		var once, often []uint64
		s := kind.make(5, 9)
		s.To(1e19, func(h uint64) { once = append(once, h) })
		s = kind.make(5, 9)
		for n := uint64(1); n < 1e19; n += 1 + n/7 {
			s.To(n, func(h uint64) { often = append(often, h) })
			s.To(n/2, func(uint64) { t.Error("a stream went back") })
		}
		s.To(1e19, func(h uint64) { often = append(often, h) })
		if !slices.Equal(once, often) {
			t.Errorf("%s: %d hashes at once, %d in steps, or others", kind.name, len(once), len(often))
		}
	}
}

// TestIndexOfAnySize: the size of an address's number changes nothing.
func TestIndexOfAnySize(t *testing.T) {
	short, long := newStream(6, 3, newFirsts[uint16]), newStream(6, 3, newFirsts[uint32])
	var a, b []uint64
	short.To(1e19, func(h uint64) { a = append(a, h) })
	long.To(1e19, func(h uint64) { b = append(b, h) })
	if len(a) < 10<<6 || !slices.Equal(a, b) {
		t.Errorf("%d hashes by 16 bits, %d by 32, or others", len(a), len(b))
	}
	Firsts(17, 1).To(1<<18, func(h uint64) { b = append(b, h>>47) })
	if got := slices.Max(b[len(a):]); got < 1<<16 {
		t.Errorf("no address of 17 bits is above %d", got)
	}
}

// TestInsertedKeysAreSeen: a stream tells no more of what was inserted, before it
// began to look or since, in one run or several, after a jump or not.
func TestInsertedKeysAreSeen(t *testing.T) {
	for _, kind := range kinds {
		s := kind.make(3, 8)
		var seen [8][]int
		add := func(h uint64) { i, v := split(h, 3); seen[i] = append(seen[i], v) }
		s.Insert(10, add)
		s.Jump(1000, 0, func(uint64) {})
		s.Insert(10, add)
		for n := uint64(2000); n < 1e6; n += n / 4 {
			s.Insert(200, add)
			s.To(n, func(h uint64) {
				i, v := split(h, 3)
				if !kind.news(seen[i], v) {
					t.Errorf("%s: value %d comes to address %d, which has seen %v", kind.name, v, i, seen[i])
				}
				seen[i] = append(seen[i], v)
			})
			if got, want := heard(s).size(), remaining(seen[:], 3, kind.news); got != want {
				t.Errorf("%s: %d hashes are news, want %d", kind.name, got, want)
			}
		}
	}
}

func TestRate(t *testing.T) {
	for _, size := range []uint64{1, 1 << 20, 1 << 46, 1<<55 - 1<<10, 1 << 55, 1<<55 + 1<<10, 1 << 63, math.MaxUint64} {
		want := -math.Log1p(-math.Ldexp(float64(size), -64))
		if got := rate(size); got != want && math.Abs(got-want) > 1e-15*want {
			t.Errorf("rate(%d) = %v, want %v", size, got, want)
		}
	}
}

// TestValuesHaveTheirLaw: at any n, a register is at most k with chance
// (1 - 2^-k/m)^n, and an address has seen k with chance 1 - (1 - 2^-min(k, 64-p)/m)^n.
// 3000 streams of 16 addresses; addresses of one stream lean against each other
// a little (they share n keys), so a count of successes scatters by no more than
// the binomial. Five standard errors and one, about 200 counts.
func TestValuesHaveTheirLaw(t *testing.T) {
	const p, m, streams = 4, 16, 3000
	for _, kind := range kinds {
		for _, inserted := range []uint64{0, 100} {
			ns := []uint64{1, 2, 5, 30, 200, 1e5, 1e9, 1e14, 1e19}
			atMost := make([][66]int, len(ns))
			saw := make([][66]int, len(ns))
			for seed := range uint64(streams) {
				s := kind.make(p, seed)
				var seen [m]uint64
				add := func(h uint64) {
					i, v := split(h, p)
					seen[i] |= 1 << v
				}
				s.Insert(inserted, add)
				for j, n := range ns {
					s.To(n, add)
					for _, mask := range seen {
						for k := range 66 - p {
							if bits.Len64(mask) <= k+1 {
								atMost[j][k]++
							}
							if mask>>k&1 == 1 {
								saw[j][k]++
							}
						}
					}
				}
			}
			for j, n := range ns {
				if n < inserted {
					continue
				}
				for k := range 66 - p {
					miss := math.Exp(float64(n) * math.Log1p(-math.Ldexp(1./m, -k)))
					if k == 65-p {
						miss = 1
					}
					within(t, kind.name+": at most", n, k, atMost[j][k], m*streams, miss)
					if kind.name == "firsts" && k > 0 {
						hit := -math.Expm1(float64(n) * math.Log1p(-math.Ldexp(1./m, -min(k, 64-p))))
						within(t, kind.name+": seen", n, k, saw[j][k], m*streams, hit)
					}
				}
			}
		}
	}
}

func within(t *testing.T, what string, n uint64, k, got, tries int, p float64) {
	t.Helper()
	mean := p * float64(tries)
	if d := math.Abs(float64(got) - mean); d > 1+5*math.Sqrt(mean*(1-p)) {
		t.Errorf("%s: n %d, value %d: %d of %d, want %.1f", what, n, k, got, tries, mean)
	}
}

// TestAgainstInsertion: the number of news among the first n keys, which sums
// up the whole path, has the mean and the variance that it has when all keys are
// inserted. 4000 of each; means within five standard errors, variances within
// five of theirs (sqrt(2/4000) each, were they normal).
func TestAgainstInsertion(t *testing.T) {
	const p, trials = 4, 4000
	for _, kind := range kinds {
		for _, n := range []uint64{3, 40, 1000} {
			var told, counted moments
			r := rand.New(rand.NewPCG(1, n))
			for seed := range uint64(trials) {
				news := 0.
				kind.make(p, seed).To(n, func(uint64) { news++ })
				told.add(news)

				news = 0
				seen := make([][]int, 1<<p)
				for range n {
					i, v := split(r.Uint64(), p)
					if kind.news(seen[i], v) {
						seen[i] = append(seen[i], v)
						news++
					}
				}
				counted.add(news)
			}
			if d := math.Abs(told.mean() - counted.mean()); d > 5*math.Sqrt(2*counted.variance()/trials) {
				t.Errorf("%s, n %d: %.3f news, %.3f when inserted", kind.name, n, told.mean(), counted.mean())
			}
			if q := told.variance() / counted.variance(); math.Abs(math.Log(q)) > 5*math.Sqrt(4./trials) {
				t.Errorf("%s, n %d: variances have the ratio %.3f", kind.name, n, q)
			}
		}
	}
}

type moments struct{ n, sum, squares float64 }

func (m *moments) add(x float64) {
	m.n++
	m.sum += x
	m.squares += x * x
}

func (m *moments) mean() float64     { return m.sum / m.n }
func (m *moments) variance() float64 { return m.squares/m.n - m.mean()*m.mean() }

func TestWidth(t *testing.T) {
	for _, p := range []int{0, 33} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("an address of %d bits is allowed", p)
				}
			}()
			Records(p, 0)
		}()
	}
}

func BenchmarkTo(b *testing.B) {
	for _, kind := range kinds {
		b.Run(kind.name, func(b *testing.B) {
			var told, x uint64
			for b.Loop() {
				kind.make(12, uint64(b.N)).To(1e19, func(h uint64) {
					told++
					x ^= h
				})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(told), "ns/news")
			b.ReportMetric(float64(told)/4096/float64(b.N), "news/address")
		})
	}
}

// heard is the news of a stream, which it may not have needed yet.
func heard(s *Stream) news {
	s.catchUp()
	return s.news
}
