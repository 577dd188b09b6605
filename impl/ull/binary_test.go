package ull

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
	for p := MinPrecision; p <= MaxPrecision; p++ {
		s := build(t, p)
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

func TestUnmarshalRefuses(t *testing.T) {
	s := build(t, 4)
	s.Add(1)
	before := s.Clone()
	regs := make([]byte, 16)
	with := func(last byte) []byte {
		r := bytes.Clone(regs)
		r[15] = last
		return r
	}
	for _, good := range []byte{0, 1 << 2, 2<<2 | 2, 3<<2 | 3, 61<<2 | 1} {
		if err := new(Sketch).UnmarshalBinary(encode(plain, with(good), 4)); err != nil {
			t.Errorf("register %#x: %v", good, err)
		}
	}
	for name, data := range map[string][]byte{
		"value 62":          encode(plain, with(62<<2), 4),
		"value 0 marked":    encode(plain, with(1), 4),
		"value 1 marked":    encode(plain, with(1<<2|2), 4),
		"value 2 marked 0":  encode(plain, with(2<<2|1), 4),
		"short":             encode(plain, regs[:15], 4),
		"long":              encode(plain, append(with(0), 0), 4),
		"precision 3":       encode(plain, regs[:8], 3),
		"precision 19":      encode(plain, nil, 19),
		"wrapped precision": encode(plain, regs, 1<<63+4),
		"another structure": encode(martingale, regs, 4),
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
	for estimate, good := range map[float64]bool{1: true, 7.5: true, 0: false, 0.5: false, -1: false, math.Inf(1): false, math.NaN(): false} {
		err := c.UnmarshalBinary(encode(martingale, with(4), 4, math.Float64bits(estimate)))
		if good != (err == nil) || !good && !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("estimate %g: %v", estimate, err)
		}
	}
	for _, estimate := range []float64{1, math.Copysign(0, -1)} {
		if err := c.UnmarshalBinary(encode(martingale, regs, 4, math.Float64bits(estimate))); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("no keys and an estimate of %g: %v", estimate, err)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	c, err := NewMartingale(Params{Precision: 4, Hash: hashing.XX(5)})
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
	f.Add(encode(plain, make([]byte, 15), 4))
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
