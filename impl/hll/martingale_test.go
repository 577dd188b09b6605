package hll

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

func buildMartingale(t testing.TB, precision int, form Registers) *Martingale {
	t.Helper()
	s, err := NewMartingale(Params{Precision: precision, Registers: form, Hash: hashing.XX(5)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMartingaleByItsDefinition(t *testing.T) {
	for _, form := range forms() {
		r := rand.New(rand.NewPCG(1, 0))
		s, plain := buildMartingale(t, 4, form), build(t, 4, form)
		want := 0.0
		for n := range 3000 {
			hash := r.Uint64() >> (n % 60) << (n % 5) // the greatest rank too
			q := 0.0
			for i := range s.M() {
				if v := s.Register(i); v < 61 {
					q += math.Exp2(-float64(v)) / 16
				}
			}
			before := plain.Clone()
			plain.AddHash(hash)
			s.AddHash(hash)
			if !plain.Equal(before) {
				want += 1 / q
			}
			near(t, "estimate", s.Estimate(), want, 1e-12)
		}
		if !s.Sketch().Equal(plain) {
			t.Error("the registers are not those of a Sketch")
		}
	}
}

func TestMartingaleIsUnbiasedAndNarrow(t *testing.T) {
	const p, m, trials = 5, 32., 8000
	r := rand.New(rand.NewPCG(2, 0))
	s := buildMartingale(t, p, Bytes8)
	for _, n := range []int{1, 2, 16, 64, 32 * 40} {
		sum, square := 0.0, 0.0
		some := trials
		if n > 100 {
			some = 1500
		}
		for range some {
			s.Reset()
			for range n {
				s.AddHash(r.Uint64())
			}
			x := s.Estimate()/float64(n) - 1
			sum, square = sum+x, square+x*x
		}
		bias := sum / float64(some)
		sd := math.Sqrt(square/float64(some) - bias*bias)
		if n == 1 && s.Estimate() != 1 {
			t.Errorf("one key reads %g", s.Estimate())
		}
		if math.Abs(bias) > 5*sd/math.Sqrt(float64(some)) {
			t.Errorf("n %d: bias %.5f, standard error %.5f", n, bias, sd/math.Sqrt(float64(some)))
		}
		if n > 100 {
			// 1/m and m/n of the square are left out: 5 %.
			near(t, "spread", sd, MartingaleError(m), 5/math.Sqrt(2*float64(some))+0.05)
		}
	}
}

func TestMartingaleKeysCopiesAndBytes(t *testing.T) {
	for _, form := range forms() {
		s, byHash := buildMartingale(t, 6, form), buildMartingale(t, 6, form)
		h := s.Params().Hash
		for k := range uint64(300) {
			s.Add(k)
			byHash.AddHash(h.Uint64(k))
		}
		s.AddBytes([]byte("key"))
		byHash.AddHash(h.Bytes([]byte("key")))
		if !s.Equal(byHash) {
			t.Error("keys and their hashes differ")
		}
		data, err := s.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var read Martingale
		if err := read.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		c := s.Clone()
		for k := range uint64(5000) { // all three go on alike
			s.Add(1000 + k)
			c.Add(1000 + k)
			read.Add(1000 + k)
		}
		if !c.Equal(s) || !read.Equal(s) || c.idle != s.idle || read.idle != s.idle {
			t.Error("a copy went on in another way")
		}
		c.Reset()
		if c.Estimate() != 0 || !c.Equal(buildMartingale(t, 6, form)) || s.Estimate() == 0 {
			t.Error("Reset left something, or reached the original")
		}
		if want := form.bytes(64) + 8; s.SizeBytes() != want || s.M() != 64 || s.Precision() != 6 {
			t.Errorf("%d bytes, want %d", s.SizeBytes(), want)
		}
	}
	for _, p := range []Params{{Precision: 3, Hash: hashing.XX(1)}, {Precision: 8, Sparse: true, Hash: hashing.XX(1)}} {
		if s, err := NewMartingale(p); err == nil || s != nil {
			t.Errorf("%+v: accepted", p)
		}
	}
}

func encodeMartingale(regs []byte, estimate uint64, geometry ...uint64) []byte {
	h := frame.Header{Structure: martingaleStructure, Version: version, Hash: hashing.XX(1), Geometry: append(geometry, estimate)}
	return frame.Encode(h, len(regs), func(b []byte) []byte { return append(b, regs...) })
}

func TestMartingaleRefusesBytes(t *testing.T) {
	regs := make([]byte, 16)
	regs[3] = 5
	empty := make([]byte, 16)
	large := bytes.Clone(regs)
	large[4] = 62
	one := math.Float64bits(1)
	if err := new(Martingale).UnmarshalBinary(encodeMartingale(regs, one, 4, 0)); err != nil {
		t.Fatalf("good bytes: %v", err)
	}
	for name, data := range map[string][]byte{
		"less than a key a register": encodeMartingale(regs, math.Float64bits(0.5), 4, 0),
		"no keys":                    encodeMartingale(regs, 0, 4, 0),
		"keys without registers":     encodeMartingale(empty, one, 4, 0),
		"minus zero":                 encodeMartingale(empty, 1<<63, 4, 0),
		"infinite":                   encodeMartingale(regs, math.Float64bits(math.Inf(1)), 4, 0),
		"no number":                  encodeMartingale(regs, math.Float64bits(math.NaN()), 4, 0),
		"rank 62":                    encodeMartingale(large, math.Float64bits(9), 4, 0),
		"sparse":                     encodeMartingale(empty, 0, 4, optionBit),
		"form":                       encodeMartingale(empty, 0, 4, 2),
		"precision":                  encodeMartingale(empty, 0, 99, 0),
		"short":                      encodeMartingale(empty[1:], 0, 4, 0),
		"a Sketch":                   encode(empty, 4, 0),
	} {
		if err := new(Martingale).UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzUnmarshalMartingale(f *testing.F) {
	for _, form := range forms() {
		s := buildMartingale(f, 4, form)
		for k := range uint64(50) {
			s.Add(k)
		}
		data, _ := s.MarshalBinary()
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Martingale
		if err := s.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, frame.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		if again, _ := s.MarshalBinary(); !bytes.Equal(again, data) {
			t.Fatalf("%x was read and written as %x", data, again)
		}
	})
}
