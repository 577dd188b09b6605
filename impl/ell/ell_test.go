package ell

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/impl/ull"
)

func build(t interface{ Fatal(...any) }, p Params) *Sketch {
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func standard(precision int) Params { return Standard(precision, hashing.XX(5)) }

// hashes are random ones of every value, the greatest too.
func hashes(seed uint64, n int) []uint64 {
	r := rand.New(rand.NewPCG(seed, 0))
	all := make([]uint64, n)
	for i := range all {
		// Zeros after the 8 bits of an index, and before the last three.
		h := r.Uint64()
		all[i] = h&^(1<<56-8) | h<<8>>8>>(i%60)&^7
	}
	return all
}

func TestHyperLogLogAndUltraLogLogAreCases(t *testing.T) {
	for p := MinPrecision; p <= MaxPrecision; p += 2 {
		hash := hashing.XX(5)
		asHLL := build(t, Params{Precision: p, Hash: hash})
		asULL := build(t, Params{Precision: p, D: 2, Hash: hash})
		h, err := hll.New(hll.Params{Precision: p, Registers: hll.Packed6, Hash: hash})
		if err != nil {
			t.Fatal(err)
		}
		u, err := ull.New(ull.Params{Precision: p, Hash: hash})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range hashes(uint64(p), 3000) {
			asHLL.AddHash(x)
			asULL.AddHash(x)
			h.AddHash(x)
			u.AddHash(x)
		}
		for i := range asHLL.M() {
			if v, _ := asHLL.Register(i); v != int(h.Register(i)) {
				t.Fatalf("p %d, register %d: %d, HyperLogLog has %d", p, i, v, h.Register(i))
			}
			v, marks := asULL.Register(i)
			if w, one, two := u.Register(i); v != int(w) || marks>>1 != b2i(one) || marks&1 != b2i(two) {
				t.Fatalf("p %d, register %d: %d and %b, UltraLogLog has %d %v %v", p, i, v, marks, w, one, two)
			}
		}
		if a, b := asULL.Estimate(), u.Estimate(); a != b {
			t.Errorf("p %d: %g, UltraLogLog reads %g", p, a, b)
		}
		// HyperLogLog's packed registers are the same bytes, too.
		if asHLL.SizeBytes() != h.SizeBytes() || asULL.SizeBytes() != u.SizeBytes() {
			t.Errorf("p %d: %d and %d bytes", p, asHLL.SizeBytes(), asULL.SizeBytes())
		}
	}
}

func b2i(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func TestPlainRegisters(t *testing.T) {
	// The definition, by a set of values for each register.
	for _, p := range []Params{standard(4), standard(8), {Precision: 8, T: 1, D: 9, Hash: hashing.XX(5)}, {Precision: 6, T: 3, D: 40, Hash: hashing.XX(5)}, {Precision: 18, T: 2, D: 16, Hash: hashing.XX(5)}} {
		s := build(t, p)
		given := make([]map[int]bool, s.M())
		for _, h := range hashes(3, 4000) {
			s.AddHash(h)
			i := h >> (64 - p.Precision)
			zeros := 0
			for bit := 63 - p.Precision; bit >= p.T && h>>bit&1 == 0; bit-- {
				zeros++
			}
			if given[i] == nil {
				given[i] = map[int]bool{}
			}
			given[i][zeros<<p.T+int(h%(1<<p.T))+1] = true
		}
		for i, values := range given {
			u, marks := s.Register(i)
			most := 0
			for v := range values {
				most = max(most, v)
			}
			if u != most {
				t.Fatalf("%+v, register %d: %d, want %d", p, i, u, most)
			}
			for j := 1; j <= p.D; j++ {
				if marks>>(p.D-j)&1 != b2i(values[u-j]) {
					t.Fatalf("%+v, register %d: %d marked %b, given %v", p, i, u, marks, values)
				}
			}
		}
		if s.count() != s.tally {
			t.Fatal("the tally was not kept up")
		}
	}
}

func TestMergeIsTheUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Params{
			Precision: rapid.IntRange(4, 7).Draw(t, "precision"), T: rapid.IntRange(0, MaxT).Draw(t, "t"),
			D: rapid.IntRange(0, MaxD).Draw(t, "d"), Hash: hashing.XX(5),
		}
		keys := rapid.SliceOfN(rapid.Uint64Range(0, 500), 0, 300).Draw(t, "keys")
		all, a, b := build(t, p), build(t, p), build(t, p)
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
		if !a.Equal(all) || a.Estimate() != all.Estimate() || !a.stale && a.tally != a.count() {
			t.Fatal("additions after a merge went astray")
		}
	})
}

func TestRefusals(t *testing.T) {
	s := build(t, standard(6))
	s.Add(1)
	before := s.Clone()
	for want, p := range map[string]Params{
		"precision": standard(7),
		"t = 1":     {Precision: 6, T: 1, D: 20, Hash: hashing.XX(5)},
		"d = 16":    {Precision: 6, T: 2, D: 16, Hash: hashing.XX(5)},
		"hash":      Standard(6, hashing.XX(6)),
	} {
		o := build(t, p)
		o.Add(2)
		if err := s.Merge(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if !s.Equal(before) {
		t.Error("a refused merge changed the sketch")
	}
	for name, p := range map[string]Params{
		"precision 3": standard(3), "precision 19": standard(19), "minus": standard(-1),
		"T 4": {Precision: 8, T: 4, Hash: hashing.XX(1)}, "T -1": {Precision: 8, T: -1, Hash: hashing.XX(1)},
		"D 41": {Precision: 8, D: 41, Hash: hashing.XX(1)}, "D -1": {Precision: 8, D: -1, Hash: hashing.XX(1)},
		"no hash": {Precision: 8, T: 2, D: 20},
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
	a, b, c := build(t, standard(10)), build(t, standard(10)), build(t, standard(10))
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

func TestCloneResetSize(t *testing.T) {
	s := build(t, standard(6))
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
	if !c.Equal(build(t, standard(6))) || c.Estimate() != 0 || c.stale {
		t.Error("Reset left something")
	}
	data, _ := c.MarshalBinary()
	if c.SizeBytes() != 64*28/8 || c.RegisterBits() != 28 || len(data)-c.SizeBytes() > 80 {
		t.Errorf("%d bytes held, %d written", c.SizeBytes(), len(data))
	}
}

func TestEmptyOneAndFull(t *testing.T) {
	s := build(t, standard(4))
	if s.Estimate() != 0 || s.EstimateML() != 0 {
		t.Error("an empty sketch does not read 0")
	}
	s.Add(1)
	if e := s.Estimate(); math.Abs(e-1) > 0.05 {
		t.Errorf("one key reads %g", e)
	}
	for i := range uint64(16) {
		for z := range 59 {
			for r := range uint64(4) {
				s.AddHash(i<<60 | 1<<59>>z&^3 | r) // z = 58: no one between
			}
		}
	}
	if u, marks := s.Register(3); u != 59*4 || marks != 1<<20-1 || !math.IsInf(s.Estimate(), 1) {
		t.Errorf("full sketch: register %d %b, estimate %g", u, marks, s.Estimate())
	}
}

func TestLawsBySimulation(t *testing.T) {
	const p, trials = 7, 1200
	const m = 1 << p
	r := rand.New(rand.NewPCG(9, 0))
	for _, n := range []int{5, m, 30 * m} {
		var sum, square [3]float64
		for range trials {
			c, err := NewMartingale(standard(p))
			if err != nil {
				t.Fatal(err)
			}
			for range n {
				c.AddHash(r.Uint64())
			}
			s := c.Sketch()
			for i, e := range []float64{s.Estimate(), s.EstimateML(), c.Estimate()} {
				e = e/float64(n) - 1
				sum[i] += e
				square[i] += e * e
			}
		}
		ml, bias := MLError(2, 20, m, float64(n)), MLBias(2, 20, m, float64(n))
		spread := [3]float64{ml, ml, MartingaleError(2, 20, m, float64(n))}
		for i, want := range []float64{0, bias, 0} {
			mean := sum[i] / trials
			sd := math.Sqrt(square[i]/trials - mean*mean)
			if math.Abs(mean-want) > 5*sd/math.Sqrt(trials)+3./m/m {
				t.Errorf("n %d, estimate %d: bias %.5f, want %.5f", n, i, mean, want)
			}
			tolerance := 5/math.Sqrt(2*trials) + 3./m
			if n < m { // a collision of few keys is a rare event: heavy tails
				tolerance = 0.6
			}
			if math.Abs(sd/spread[i]-1) > tolerance {
				t.Errorf("n %d, estimate %d: spread %.5f, want %.5f", n, i, sd, spread[i])
			}
		}
	}
}

func TestConstants(t *testing.T) {
	for what, c := range map[string][2]float64{
		"printed":             {PrintedMemoryVariance(2, 20), 3.67},
		"printed, martingale": {PrintedMartingaleMemoryVariance(2, 16), 2.77},
		"exact":               {MemoryVariance(2, 20), 3.697},
		"exact, martingale":   {MartingaleMemoryVariance(2, 20), 2.840},
		"error":               {MLError(2, 20, 1, 1e9), 0.3634},
		"HyperLogLog":         {MemoryVariance(0, 0), 6.4485},
		"UltraLogLog":         {MemoryVariance(0, 2), ull.MemoryVariance()},
		"at 40 m":             {MLError(2, 20, 256, 40*256) / MLError(2, 20, 256, 1e9), 0.9},
	} {
		if math.Abs(c[0]-c[1]) > 0.006 {
			t.Errorf("%s: %.5f, want %g", what, c[0], c[1])
		}
	}
	for d := range MaxD + 1 {
		if least, got := PrintedMartingaleMemoryVariance(2, 16), PrintedMartingaleMemoryVariance(2, d); got < least {
			t.Errorf("d = %d: %g, less than %g at 16", d, got, least)
		}
	}
}

func TestOpenByDefinition(t *testing.T) {
	s := build(t, standard(6))
	for k := range uint64(300) {
		if k%50 == 0 {
			open := 0.0
			for i := range uint64(s.M()) {
				for v := uint64(1); v <= s.geo.Top(); v++ {
					if !s.told(s.register(i), v) {
						open += math.Exp2(-float64(s.geo.Level(v))) / float64(s.M())
					}
				}
			}
			if got := s.tally.Open(); math.Abs(got/open-1) > 1e-12 {
				t.Fatalf("%d keys: open %g, want %g", k, got, open)
			}
		}
		s.Add(k)
	}
}

func TestMartingale(t *testing.T) {
	c, err := NewMartingale(standard(8))
	if err != nil {
		t.Fatal(err)
	}
	d := c.Clone()
	var keys []uint64
	for k := range uint64(1000) {
		keys = append(keys, k)
		c.Add(k)
		c.Add(k / 2) // repeats change nothing
	}
	if e := c.Estimate(); math.Abs(e/1000-1) > 0.15 {
		t.Errorf("1000 keys read %g", e)
	}
	if _, err := d.AddBatch(keys); err != nil || !c.Equal(d) {
		t.Error("repeats or batches changed something")
	}
	c.AddBytes([]byte("x"))
	if _, err := d.AddBytesBatch([][]byte{[]byte("x")}); err != nil || !c.Equal(d) {
		t.Error("batches of bytes changed something")
	}
	data, err := c.AppendBinary(nil)
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
	if c.Estimate() != 0 || c.Sketch().Estimate() != 0 || c.SizeBytes() != 256*28/8+8 || c.M() != 256 || c.Params() != standard(8) {
		t.Error("Reset left something")
	}
	if again, _ := e.AppendBinary([]byte("x")); !bytes.HasPrefix(again, []byte("xSKPF")) {
		t.Error("AppendBinary lost what was there")
	}
}
