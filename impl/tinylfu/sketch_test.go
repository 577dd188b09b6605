package tinylfu

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func mustNew(t testing.TB, p Params) *Sketch {
	t.Helper()
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plain and guarded are the same counters, without a doorkeeper and with one.
var (
	plain   = Params{Width: 100, Sample: 1000, Hash: hashing.XX(1)}
	guarded = Params{Width: 100, Sample: 1000, DoorBits: 3000, DoorProbes: 3, Hash: hashing.XX(1)}
)

// exactly is TinyLFU with a counter for each key, and an exact doorkeeper.
type exactly struct {
	door           map[uint64]bool // nil without one
	counts         map[uint64]int
	events, sample uint64
}

func newExactly(p Params) *exactly {
	e := &exactly{counts: map[uint64]int{}, sample: p.Sample}
	if p.DoorBits > 0 {
		e.door = map[uint64]bool{}
	}
	return e
}

func (e *exactly) add(key uint64) {
	if e.door != nil && !e.door[key] {
		e.door[key] = true
	} else if e.counts[key] < Limit {
		e.counts[key]++
	}
	if e.events++; e.events == e.sample {
		for key, c := range e.counts {
			e.counts[key] = c / 2
		}
		clear(e.door)
		e.events /= 2
	}
}

func (e *exactly) estimate(key uint64) int {
	if e.door[key] {
		return e.counts[key] + 1
	}
	return e.counts[key]
}

func draw(r *rand.Rand, keys int) uint64 {
	f := r.Float64()
	return uint64(f * f * f * f * float64(keys))
}

// No estimate is below that of exact counters, halved alike; and in a table so
// wide that no two keys meet in all rows, each is that.
func TestEstimatesAreNotBelowExactCounters(t *testing.T) {
	for name, p := range map[string]Params{
		"small": plain, "small, guarded": guarded,
		"odd":          {Width: 7, Sample: 33, Hash: hashing.XX(2)},
		"odd, guarded": {Width: 7, Sample: 33, DoorBits: 5, DoorProbes: 2, Hash: hashing.XX(2)},
		"wide":         {Width: 1 << 16, Sample: 1000, Hash: hashing.XX(3)},
		"wide, guarded": {
			Width: 1 << 16, Sample: 1000, DoorBits: 1 << 22, DoorProbes: 8,
			Hash: hashing.XX(3),
		},
	} {
		s, exact, r := mustNew(t, p), newExactly(p), rand.New(rand.NewPCG(4, 0))
		for i := range 8000 {
			key := draw(r, 500)
			s.Add(key)
			exact.add(key)
			if i%100 != 0 {
				continue
			}
			for key := range uint64(510) {
				got, want := s.Estimate(key), exact.estimate(key)
				if got < want || got != want && strings.HasPrefix(name, "wide") {
					t.Fatalf("%s, event %d: key %d is estimated %d, exact is %d", name, i, key, got, want)
				}
			}
			if s.Events() != exact.events {
				t.Fatalf("%s: %d events, want %d", name, s.Events(), exact.events)
			}
			if err := s.check(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if s.Halvings() < 8 || s.Sample() != p.Sample || s.Width() != p.Width || s.Hash() != p.Hash || (s.Doorkeeper() == nil) != (p.DoorBits == 0) {
			t.Errorf("%s: %d halvings", name, s.Halvings())
		}
	}
}

// A key with a tenth of the stream: the count before a halving tends to a tenth of
// the sample, less what is rounded off.
func TestSteadyCount(t *testing.T) {
	p := Params{Width: 1000, Sample: 100, Hash: hashing.XX(5)}
	s := mustNew(t, p)
	want := SteadyCount(0.1, p.Sample)
	for i := range uint64(2000) {
		if s.Events() == p.Sample-1 && s.Halvings() > 5 {
			if got := float64(s.Estimate(0)); got > want || got <= want-1-2*Truncation(s.Halvings()) {
				t.Fatalf("%v after %d halvings, want %v", got, s.Halvings(), want)
			}
		}
		if i%10 == 0 {
			s.Add(0)
		} else {
			s.Add(1 << 40)
		}
	}
	if Truncation(0) != 0 || Truncation(1) != 0.5 || Truncation(2) != 0.75 || Truncation(math.MaxUint64) != 1 {
		t.Error("the truncation of 0, 1, 2 and all halvings")
	}
}

func TestCountersStop(t *testing.T) {
	s := mustNew(t, Params{Width: 1, Sample: 1 << 40, DoorBits: 64, DoorProbes: 1, Hash: hashing.XX(1)})
	for range 100 {
		s.Add(7)
	}
	if s.Estimate(7) != Limit+1 || s.words[0] != Limit || s.Halvings() != 0 {
		t.Errorf("estimate %d, word %x", s.Estimate(7), s.words[0])
	}
}

// All sixteen counters of a word and its ends are used, in every row.
func TestColumnsAreUniform(t *testing.T) {
	const n, w = 1 << 14, 37
	s := mustNew(t, Params{Width: w, Sample: 2, Hash: hashing.XX(1)})
	var rows [Depth][w]int
	pairs := map[[2]int]int{}
	for i := range uint64(n) {
		words, shifts := s.places(hashing.Mix(i))
		var columns [Depth]int
		for r := range Depth {
			columns[r] = int(words[r]-uint64(r)*s.rowLen)*16 + int(shifts[r])/4
			rows[r][columns[r]]++
		}
		pairs[[2]int{columns[0] % 6, columns[1] % 6}]++
		pairs[[2]int{6 + columns[1]%6, columns[2] % 6}]++
	}
	for r, counts := range rows {
		x := 0.0
		for _, c := range counts {
			x += (float64(c) - n/w) * (float64(c) - n/w) / (n / w)
		}
		// Mean 36 and variance 72; seven standard deviations.
		if x > 36+7*math.Sqrt(72) {
			t.Errorf("row %d: chi-square %.0f", r, x)
		}
	}
	for pair, c := range pairs {
		share := func(m int) float64 { return math.Ceil(float64(w-m%6)/6) / w }
		want := n * share(pair[0]) * share(pair[1])
		if math.Abs(float64(c)-want) > 6*math.Sqrt(want) {
			t.Errorf("columns %v of two rows: %d, want %.0f", pair, c, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	h := hashing.XX(1)
	for says, p := range map[string]Params{
		"width 0, must be from 1 to 1073741824":                     {Width: 0, Sample: 9, Hash: h},
		"width -1, must be":                                         {Width: -1, Sample: 9, Hash: h},
		"a sample of 1, must be from 2 to 4611686018427387904":      {Width: 1, Sample: 1, Hash: h},
		"a sample of 4611686018427387905":                           {Width: 1, Sample: maxSample + 1, Hash: h},
		"a doorkeeper of 5 bits and 0 probes, must be both or none": {Width: 1, Sample: 9, DoorBits: 5, Hash: h},
		"a doorkeeper of 0 bits and 5 probes, must be both or none": {Width: 1, Sample: 9, DoorProbes: 5, Hash: h},
		"doorkeeper: bloom: ":                                       {Width: 1, Sample: 9, DoorBits: 5, DoorProbes: 99, Hash: h},
		"unknown hash family":                                       {Width: 1, Sample: 9},
	} {
		if s, err := New(p); s != nil || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", p, err, says)
		}
	}
}

func TestKeysBytesAndHashes(t *testing.T) {
	for _, p := range []Params{plain, guarded} {
		a, b := mustNew(t, p), mustNew(t, p)
		texts := [][]byte{[]byte("often"), []byte("seldom")}
		for i := range 5 {
			for _, s := range texts[:1+i/4] {
				a.AddBytes(s)
				b.AddHash(p.Hash.Bytes(s))
			}
		}
		a.Add(1)
		b.AddHash(p.Hash.Uint64(1))
		if !a.Equal(b) || a.EstimateBytes(texts[0]) != 5 || b.EstimateHash(p.Hash.Bytes(texts[0])) != 5 {
			t.Error("keys and hashes differ")
		}
		if !a.AdmitBytes(texts[0], texts[1]) || a.AdmitBytes(texts[1], texts[0]) || a.AdmitBytes(texts[0], texts[0]) {
			t.Error("the rarer one was admitted")
		}
		if !a.Admit(1, 2) || a.Admit(2, 1) {
			t.Error("the rarer number was admitted")
		}
		if n := testing.AllocsPerRun(2000, func() { a.Add(uint64(a.Estimate(3))) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

func TestCloneResetEqual(t *testing.T) {
	for _, p := range []Params{plain, guarded} {
		s := mustNew(t, p)
		fill(s, 1700)
		c := s.Clone()
		if !c.Equal(s) {
			t.Error("a clone differs")
		}
		before := marshal(t, s)
		fill(c, 10)
		if c.Equal(s) || string(before) != string(marshal(t, s)) {
			t.Error("a clone shares something")
		}
		s.Reset()
		if !s.Equal(mustNew(t, p)) {
			t.Error("not empty after Reset")
		}
	}
	if a, b := mustNew(t, plain), mustNew(t, guarded); a.Equal(b) || b.Equal(a) || a.SizeBytes() != 4*7*8 || b.SizeBytes() != 4*7*8+376 {
		t.Errorf("unlike sketches are equal, or %d and %d bytes", a.SizeBytes(), b.SizeBytes())
	}
}

func fill(s *Sketch, events int) {
	r := rand.New(rand.NewPCG(6, 0))
	for range events {
		s.Add(draw(r, 300))
	}
}
