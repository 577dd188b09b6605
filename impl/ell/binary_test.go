package ell

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

func encode(structure string, regs []byte, geometry ...uint64) []byte {
	h := frame.Header{Structure: structure, Version: version, Hash: hashing.XX(1), Geometry: geometry}
	return frame.Encode(h, len(regs), func(b []byte) []byte { return append(b, regs...) })
}

func TestRoundTrip(t *testing.T) {
	for p := MinPrecision; p <= MaxPrecision; p += 2 {
		for _, params := range []Params{standard(p), {Precision: p, T: 3, D: 39, Hash: hashing.XX(2)}} {
			s := build(t, params)
			for k := range uint64(500) {
				s.Add(k)
			}
			data, err := s.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			var c Sketch
			if err := c.UnmarshalBinary(data); err != nil {
				t.Fatal(err)
			}
			clear(data) // the sketch must not keep the slice
			if !c.Equal(s) || c.Estimate() != s.Estimate() || c.tally != s.tally {
				t.Fatalf("p %d: the copy differs", p)
			}
		}
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	s := build(t, standard(4))
	s.Add(1)
	before := s.Clone()
	// with is 16 registers of 28 bits, the last of them r.
	with := func(r uint64) []byte {
		b := make([]byte, 56)
		for i := range 4 {
			b[52+i] = byte(r << 4 >> (8 * i))
		}
		return b
	}
	value := func(u, marks uint64) []byte { return with(u<<20 | marks) }
	for _, good := range [][]byte{value(0, 0), value(1, 0), value(3, 3<<18), value(236, 1<<20-1)} {
		if err := new(Sketch).UnmarshalBinary(encode(plain, good, 4, 2, 20)); err != nil {
			t.Error(err)
		}
	}
	for name, data := range map[string][]byte{
		"value 237":         encode(plain, value(237, 0), 4, 2, 20),
		"value 0 marked":    encode(plain, value(0, 1), 4, 2, 20),
		"value 3 marked 0":  encode(plain, value(3, 1<<17), 4, 2, 20),
		"short":             encode(plain, with(0)[:55], 4, 2, 20),
		"long":              encode(plain, append(with(0), 0), 4, 2, 20),
		"precision 3":       encode(plain, make([]byte, 28), 3, 2, 20),
		"precision 19":      encode(plain, nil, 19, 2, 20),
		"wrapped precision": encode(plain, with(0), 1<<63+4, 2, 20),
		"t 4":               encode(plain, with(0), 4, 4, 18),
		"d 41":              encode(plain, make([]byte, 98), 4, 2, 41),
		"another structure": encode(martingale, with(0), 4, 2, 20),
		"nothing":           nil,
	} {
		if err := s.UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !s.Equal(before) {
		t.Error("refused bytes changed the sketch")
	}
	var c Martingale
	for estimate, good := range map[float64]bool{2: true, 7.5: true, 0: false, 1.5: false, math.Inf(1): false, math.NaN(): false} {
		err := c.UnmarshalBinary(encode(martingale, value(2, 1<<19), 4, 2, 20, math.Float64bits(estimate)))
		if good != (err == nil) || !good && !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("estimate %g: %v", estimate, err)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	c, err := NewMartingale(standard(4))
	if err != nil {
		f.Fatal(err)
	}
	for k := range uint64(50) {
		c.Add(k)
	}
	one, _ := c.MarshalBinary()
	two, _ := c.Sketch().MarshalBinary()
	f.Add(one)
	f.Add(two)
	f.Add(encode(plain, make([]byte, 15), 4, 0, 2))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Sketch
		if err := s.UnmarshalBinary(data); err == nil {
			if again, _ := s.MarshalBinary(); !bytes.Equal(again, data) {
				t.Fatalf("%x was read and written as %x", data, again)
			}
			if x := s.Estimate(); !(x >= 0) {
				t.Fatalf("estimate %g", x)
			}
		} else if !errors.Is(err, frame.ErrCorrupt) {
			t.Fatal(err)
		}
		var c Martingale
		if err := c.UnmarshalBinary(data); err == nil {
			if again, _ := c.MarshalBinary(); !bytes.Equal(again, data) {
				t.Fatalf("%x was read and written as %x", data, again)
			}
		} else if !errors.Is(err, frame.ErrCorrupt) {
			t.Fatal(err)
		}
	})
}
