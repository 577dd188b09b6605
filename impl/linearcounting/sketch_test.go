package linearcounting

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

func build(t interface{ Fatal(...any) }, bits uint64) *Sketch {
	s, err := New(Params{Bits: bits, Hash: hashing.XX(5)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMergeIsTheUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := 64 * rapid.Uint64Range(1, 5).Draw(t, "words")
		keys := rapid.SliceOfN(rapid.Uint64Range(0, 500), 0, 300).Draw(t, "keys")
		all, a, b := build(t, size), build(t, size), build(t, size)
		set := map[uint64]bool{}
		for _, k := range keys {
			all.Add(k)
			set[hashing.Reduce(all.params.Hash.Uint64(k), size)] = true
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
		if !a.Equal(all) || a.Estimate() != all.Estimate() || !b.Equal(other) {
			t.Fatal("the merge differs from the sketch of the union, or changed its source")
		}
		if want := size - uint64(len(set)); all.Zeros() != want || all.count() != want || a.Zeros() != want {
			t.Fatalf("%d zeros, want %d", all.Zeros(), want)
		}
		for i := len(keys) - 1; i >= 0; i-- {
			a.Add(keys[i])
		}
		if !a.Equal(all) || a.Zeros() != all.Zeros() {
			t.Fatal("repeats changed something")
		}
	})
}

func TestEmptyHalfAndSaturated(t *testing.T) {
	s := build(t, 64)
	if s.Estimate() != 0 || s.Saturated() {
		t.Error("an empty sketch does not read 0")
	}
	for i := range uint64(32) {
		s.AddHash(i << 58) // bit i
	}
	if got := s.Estimate(); math.Abs(got-64*math.Ln2) > 1e-12 {
		t.Errorf("half full reads %g", got)
	}
	for i := range uint64(32) {
		s.AddHash((i + 32) << 58)
	}
	if !s.Saturated() || !math.IsInf(s.Estimate(), 1) {
		t.Errorf("a full bitmap reads %g", s.Estimate())
	}
	s.Reset()
	if !s.Equal(build(t, 64)) || s.Estimate() != 0 || s.SizeBytes() != 8 || s.Bits() != 64 {
		t.Error("Reset left something")
	}
}

func TestLawsBySimulation(t *testing.T) {
	const m, trials = 640, 3000
	r := rand.New(rand.NewPCG(4, 0))
	for _, n := range []int{40, m, 2 * m} {
		sum, square := 0.0, 0.0
		for range trials {
			s := build(t, m)
			for range n {
				s.AddHash(r.Uint64())
			}
			e := s.Estimate()/float64(n) - 1
			sum, square = sum+e, square+e*e
		}
		mean := sum / trials
		sd := math.Sqrt(square/trials - mean*mean)
		bias, want := Bias(m, float64(n)), Error(m, float64(n))
		if math.Abs(mean-bias) > 5*sd/math.Sqrt(trials)+bias*4/m {
			t.Errorf("n %d: bias %.5f, want %.5f", n, mean, bias)
		}
		if math.Abs(sd/want-1) > 5/math.Sqrt(2*trials)+4./m*math.Exp(float64(n)/m) {
			t.Errorf("n %d: spread %.5f, want %.5f", n, sd, want)
		}
	}
	if a, b := PrintedBias(m, m), Bias(m, m); math.Abs(b-a-1./2/m) > 1e-12 {
		t.Errorf("printed bias %g beside %g", a, b)
	}
}

func TestBitsFor(t *testing.T) {
	// Whang et al. 1990, table II, at an error of 1 %; here to a multiple of 64.
	for n, want := range map[uint64]uint64{100: 5034, 1000: 5329, 10_000: 7960, 1_000_000: 154171} {
		got, err := BitsFor(n, 0.01)
		if err != nil || math.Abs(float64(got)/float64(want)-1) > 0.02 {
			t.Errorf("%d keys: %d bits, %v, printed %d", n, got, err, want)
		}
	}
	for _, e := range []float64{0.3, 0.1, 0.01} {
		for _, n := range []uint64{1, 77, 5000, 1e7} {
			got, err := BitsFor(n, e)
			if err != nil {
				t.Fatal(err)
			}
			m, keys := float64(got), float64(n)
			ok := func(m float64) bool { return Error(m, keys) <= e && m*math.Exp(-keys/m) >= 25 }
			if !ok(m) || m > 64 && ok(m-64) {
				t.Errorf("%d keys at %g: %d bits are not the least", n, e, got)
			}
		}
	}
	for name, bad := range map[string]func() (uint64, error){
		"no keys": func() (uint64, error) { return BitsFor(0, 0.1) },
		"error 0": func() (uint64, error) { return BitsFor(10, 0) },
		"NaN":     func() (uint64, error) { return BitsFor(10, math.NaN()) },
		"many":    func() (uint64, error) { return BitsFor(1<<62, 0.1) },
	} {
		if _, err := bad(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestKeysBytesHashesBatches(t *testing.T) {
	a, b, c := build(t, 640), build(t, 640), build(t, 640)
	h := a.Params().Hash
	keys, texts := []uint64{}, [][]byte{}
	for k := range uint64(300) {
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
	if !a.Equal(b) || !a.Equal(c) {
		t.Error("keys, their hashes and batches differ")
	}
	d := a.Clone()
	d.Reset()
	if a.Estimate() == 0 {
		t.Error("the clone shares memory")
	}
}

func encode(bits uint64, body []byte) []byte {
	h := frame.Header{Structure: structure, Version: version, Hash: hashing.XX(1), Geometry: []uint64{bits}}
	return frame.Encode(h, len(body), func(b []byte) []byte { return append(b, body...) })
}

func TestRefusals(t *testing.T) {
	s := build(t, 128)
	s.Add(1)
	before := s.Clone()
	other, err := New(Params{Bits: 128, Hash: hashing.XX(6)})
	if err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]*Sketch{"64 bits": build(t, 64), "hash": other} {
		if err := s.Merge(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, p := range []Params{{Bits: 0, Hash: hashing.XX(1)}, {Bits: 65, Hash: hashing.XX(1)}, {Bits: MaxBits + 64, Hash: hashing.XX(1)}, {Bits: 64}} {
		if got, err := New(p); err == nil || got != nil {
			t.Errorf("%+v: accepted", p)
		}
	}
	for name, data := range map[string][]byte{
		"short": encode(128, make([]byte, 8)), "long": encode(64, make([]byte, 16)), "bits 8": encode(8, make([]byte, 1)),
		"bits 72": encode(72, make([]byte, 9)), "huge": encode(1<<63, nil), "nothing": nil,
	} {
		if err := s.UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !s.Equal(before) {
		t.Error("a refusal changed the sketch")
	}
	data, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	var c Sketch
	if err := c.UnmarshalBinary(data); err != nil || !c.Equal(s) || c.Zeros() != s.Zeros() {
		t.Errorf("round trip: %v", err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add(encode(64, make([]byte, 8)))
	f.Add(encode(128, bytes.Repeat([]byte{255}, 16)))
	f.Add(encode(64, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Sketch
		if err := s.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, frame.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		if again, _ := s.MarshalBinary(); !bytes.Equal(again, data) {
			t.Fatalf("%x was read and written as %x", data, again)
		}
		if x := s.Estimate(); !(x >= 0) {
			t.Fatalf("estimate %g", x)
		}
	})
}
