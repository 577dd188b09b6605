package ull

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/hll"
)

func build(t testing.TB, precision int) *Sketch {
	t.Helper()
	s, err := New(Params{Precision: precision, Hash: hashing.XX(5)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRegistersAreThoseOfHyperLogLog(t *testing.T) {
	for p := MinPrecision; p <= MaxPrecision; p++ {
		s := build(t, p)
		other, err := hll.New(hll.Params{Precision: p, Hash: hashing.XX(5)})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(p), 0))
		given := map[[2]int]bool{}
		for n := range 3000 {
			h := r.Uint64() >> (n % 64) << (n % 7) // every value, the greatest too
			i, rank := cut(h, uint(p))
			given[[2]int{int(i), int(rank)}] = true
			s.AddHash(h)
			other.AddHash(h)
		}
		for i := range s.M() {
			u, one, two := s.Register(i)
			if u != other.Register(i) {
				t.Fatalf("p %d, register %d: %d, HyperLogLog has %d", p, i, u, other.Register(i))
			}
			if one != given[[2]int{i, int(u) - 1}] || two != given[[2]int{i, int(u) - 2}] {
				t.Fatalf("p %d, register %d: marks %v %v", p, i, one, two)
			}
		}
		checkTally(t, s)
	}
}

// checkTally recounts the registers one by one, and tries every register against
// what the shared code says of it.
func checkTally(t interface{ Fatalf(string, ...any) }, s *Sketch) {
	if got := s.count(); !s.stale && got != s.tally {
		t.Fatalf("tally %v, the registers say %v", s.tally, got)
	}
}

func TestShortCutsAgreeWithTheDefinition(t *testing.T) {
	g := Params{Precision: 4}.window()
	var valid []byte
	for r := range 256 {
		if g.Valid(uint64(r)) {
			valid = append(valid, byte(r))
		}
	}
	for _, a := range valid {
		for rank := uint(1); rank <= 61; rank++ {
			if want := g.Given(uint64(a), uint64(rank)) == uint64(a); told(a, rank) != want {
				t.Fatalf("register %#x, value %d: told %v", a, rank, !want)
			} else if rest := uint64(1) << (64 - rank) &^ 15; !want && (rest > ceiling[a] || rest*2-16 > ceiling[a] && rank < 61) {
				t.Fatalf("register %#x, value %d: under the ceiling %#x", a, rank, ceiling[a])
			}
		}
		for _, b := range valid {
			if want := byte(g.Union(uint64(a), uint64(b))); union(a, b) != want {
				t.Fatalf("union of %#x and %#x: %#x, want %#x", a, b, union(a, b), want)
			}
		}
	}
}

func TestMergeIsTheUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		precision := rapid.IntRange(4, 9).Draw(t, "precision")
		keys := rapid.SliceOfN(rapid.Uint64Range(0, 500), 0, 300).Draw(t, "keys")
		fresh := func() *Sketch {
			s, err := New(Params{Precision: precision, Hash: hashing.XX(5)})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		all, a, b := fresh(), fresh(), fresh()
		for _, k := range keys {
			all.Add(k)
			if rapid.Bool().Draw(t, "left") {
				a.Add(k)
			} else {
				b.Add(k)
			}
		}
		other := b.Clone()
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		if !a.Equal(all) || a.Estimate() != all.Estimate() {
			t.Fatal("the merge differs from the sketch of the union")
		}
		if !b.Equal(other) {
			t.Fatal("Merge changed its source")
		}
		for i := len(keys) - 1; i >= 0; i-- {
			a.Add(keys[i])
		}
		for k := range uint64(20) {
			a.Add(1000 + k)
			all.Add(1000 + k)
		}
		checkTally(t, a)
		if !a.Equal(all) || a.Estimate() != all.Estimate() {
			t.Fatal("additions after a merge went astray")
		}
	})
}

func TestReduceIsTheSmallerSketch(t *testing.T) {
	for _, n := range []uint64{0, 3, 50, 2000, 100000} {
		large := build(t, 9)
		for k := range n {
			large.Add(k)
		}
		for p := MinPrecision; p <= 9; p++ {
			want := build(t, p)
			for k := range n {
				want.Add(k)
			}
			got, err := large.Reduce(p)
			if err != nil || !got.Equal(want) || got.Estimate() != want.Estimate() {
				t.Fatalf("%d keys to precision %d: another sketch, %v", n, p, err)
			}
		}
	}
	for _, p := range []int{3, 10} {
		if _, err := build(t, 9).Reduce(p); err == nil {
			t.Errorf("precision %d accepted", p)
		}
	}
}

func TestReduceOfLongRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	large, want := build(t, 8), build(t, 5)
	for n := range 5000 {
		h := r.Uint64() >> (n % 64)
		large.AddHash(h)
		want.AddHash(h)
	}
	if got, err := large.Reduce(5); err != nil || !got.Equal(want) {
		t.Errorf("another sketch, %v", err)
	}
}

func TestRefusals(t *testing.T) {
	s := build(t, 6)
	s.Add(1)
	before := s.Clone()
	other, err := New(Params{Precision: 6, Hash: hashing.XX(6)})
	if err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]*Sketch{"precision": build(t, 7), "hash": other} {
		o.Add(2)
		if err := s.Merge(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if !s.Equal(before) {
		t.Error("a refused merge changed the sketch")
	}
	for name, p := range map[string]Params{
		"precision 3":  {Precision: 3, Hash: hashing.XX(1)},
		"precision 19": {Precision: 19, Hash: hashing.XX(1)},
		"minus":        {Precision: -14, Hash: hashing.XX(1)},
		"no hash":      {Precision: 14},
	} {
		if s, err := New(p); err == nil || s != nil {
			t.Errorf("%s: accepted", name)
		}
		if c, err := NewMartingale(p); err == nil || c != nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestKeysBytesHashesBatches(t *testing.T) {
	a, b, c := build(t, 10), build(t, 10), build(t, 10)
	h := a.Params().Hash
	keys, texts := []uint64{}, [][]byte{}
	for k := range uint64(700) {
		keys = append(keys, k)
		texts = append(texts, []byte{byte(k), byte(k >> 8)})
		a.Add(k)
		a.AddBytes(texts[k])
		b.AddHash(h.Uint64(k))
		b.AddHash(h.Bytes(texts[k]))
	}
	if n, err := c.AddBatch(keys); n != len(keys) || err != nil {
		t.Error(n, err)
	}
	if n, err := c.AddBytesBatch(texts); n != len(keys) || err != nil {
		t.Error(n, err)
	}
	if !a.Equal(b) || !a.Equal(c) || a.tally != c.tally {
		t.Error("keys, their hashes and batches differ")
	}
}

func TestCloneReset(t *testing.T) {
	s := build(t, 6)
	s.Add(3)
	c := s.Clone()
	for k := range uint64(1000) {
		c.Add(k)
	}
	if c.Equal(s) || s.Estimate() > 2 {
		t.Error("the clone shares memory")
	}
	if err := c.Merge(s); err != nil {
		t.Fatal(err)
	}
	c.Reset()
	if !c.Equal(build(t, 6)) || c.Estimate() != 0 || c.stale {
		t.Error("Reset left something")
	}
	if c.SizeBytes() != 64 || c.M() != 64 || c.Precision() != 6 {
		t.Error("wrong geometry")
	}
}

func TestEmptyOneAndFull(t *testing.T) {
	s := build(t, 4)
	if s.Estimate() != 0 || s.EstimateML() != 0 {
		t.Error("an empty sketch does not read 0")
	}
	s.Add(1)
	if e := s.Estimate(); math.Abs(e-1) > 0.1 { // its value tells a little, with 16 registers
		t.Errorf("one key reads %g", e)
	}
	for i := range uint64(16) {
		for v := range 61 {
			s.AddHash(i<<60 | 1<<60>>(v+1)) // v = 60: no one after the index
		}
	}
	if u, one, two := s.Register(3); u != 61 || !one || !two || !math.IsInf(s.Estimate(), 1) {
		t.Errorf("full sketch: register %d %v %v, estimate %g", u, one, two, s.Estimate())
	}
	checkTally(t, s)
}

func TestMartingaleByDefinition(t *testing.T) {
	// Estimates by the definition: one over the sum, over registers and values, of
	// the chances that would change something.
	c, err := NewMartingale(Params{Precision: 4, Hash: hashing.XX(5)})
	if err != nil {
		t.Fatal(err)
	}
	s, want := build(t, 4), 0.0
	for _, h := range []uint64{
		0x0800000000000000, 0x0400000000000000, 0x0100000000000000, 0x0200000000000000,
		0x1800000000000000, 0x1080000000000000, 0x1200000000000000, 0x1100000000000000, 0x2000000000000001,
	} {
		open := 0.0
		for i := range uint64(16) {
			for v := uint(1); v <= 61; v++ {
				if !told(s.regs[i], v) {
					open += math.Exp2(-float64(s.params.window().Level(uint64(v)))) / 16
				}
			}
		}
		want += 1 / open
		s.AddHash(h)
		c.AddHash(h)
		c.AddHash(h)
	}
	if got := c.Estimate(); math.Abs(got-want) > 1e-12 {
		t.Errorf("estimate %v, want %v", got, want)
	}
	if !c.Sketch().Equal(s) {
		t.Error("other registers")
	}
}

func TestMartingale(t *testing.T) {
	c, err := NewMartingale(Params{Precision: 8, Hash: hashing.XX(5)})
	if err != nil {
		t.Fatal(err)
	}
	d := c.Clone()
	var keys []uint64
	for k := range uint64(3000) {
		keys = append(keys, k)
		c.Add(k)
		c.Add(k / 2) // repeats change nothing
		c.AddBytes([]byte{byte(k), byte(k >> 8)})
	}
	for i := range keys {
		d.Add(keys[i])
		if _, err := d.AddBytesBatch([][]byte{{byte(i), byte(i >> 8)}}); err != nil {
			t.Fatal(err)
		}
	}
	if !c.Equal(d) || c.Estimate() == 0 {
		t.Error("repeats or batches changed something")
	}
	data, err := c.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var e Martingale
	if err := e.UnmarshalBinary(data); err != nil || !e.Equal(c) {
		t.Fatalf("round trip: %v", err)
	}
	c.Add(1 << 40)
	e.Add(1 << 40)
	if !e.Equal(c) {
		t.Error("the copy goes on in another way")
	}
	c.Reset()
	if c.Estimate() != 0 || c.Sketch().Estimate() != 0 || c.SizeBytes() != 264 || c.M() != 256 {
		t.Error("Reset left something")
	}
	if n, err := c.AddBatch(keys); n != len(keys) || err != nil || math.Abs(c.Estimate()/3000-1) > 0.25 {
		t.Errorf("%d keys added, %v: %g", n, err, c.Estimate())
	}
	if again, _ := e.AppendBinary([]byte("x")); !bytes.HasPrefix(again, []byte("xSKPF")) {
		t.Error("AppendBinary lost what was there")
	}
}
