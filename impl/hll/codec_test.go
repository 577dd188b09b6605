package hll

import (
	"bytes"
	"errors"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

func TestRoundTrip(t *testing.T) {
	for _, form := range forms() {
		for p := MinPrecision; p <= MaxPrecision; p++ {
			s := build(t, p, form)
			for k := range uint64(500) {
				s.Add(k)
			}
			data := stored(t, s)
			var c Sketch
			if err := c.UnmarshalBinary(data); err != nil {
				t.Fatal(err)
			}
			if !c.Equal(s) || c.Estimate() != s.Estimate() {
				t.Fatalf("p %d, %v: the copy differs", p, form)
			}
			clear(data) // the sketch must not keep the slice
			for k := range uint64(500) {
				c.Add(1000 + k)
				s.Add(1000 + k)
			}
			if !c.Equal(s) || c.Estimate() != s.Estimate() {
				t.Fatalf("p %d, %v: the copy goes on in another way", p, form)
			}
			checkHistogram(t, &c)
		}
	}
}

func TestAppendBinary(t *testing.T) {
	s := build(t, 4, Packed6)
	data, err := s.AppendBinary([]byte("before"))
	if err != nil || !bytes.Equal(data, append([]byte("before"), stored(t, s)...)) {
		t.Errorf("got %q, %v", data, err)
	}
}

func encode(regs []byte, geometry ...uint64) []byte {
	h := frame.Header{Structure: structure, Version: version, Hash: hashing.XX(1), Geometry: geometry}
	return frame.Encode(h, len(regs), func(b []byte) []byte { return append(b, regs...) })
}

func TestUnmarshalRefuses(t *testing.T) {
	s := build(t, 4, Bytes8)
	s.Add(1)
	before := s.Clone()
	regs := make([]byte, 16)
	regs[15] = 61 // 65 - 4: the greatest
	if err := new(Sketch).UnmarshalBinary(encode(regs, 4, 0)); err != nil {
		t.Fatalf("good bytes: %v", err)
	}
	large, huge := bytes.Clone(regs), bytes.Clone(regs)
	large[15], huge[15] = 62, 200
	packed := make([]byte, 12)
	packed[11] = 61 << 2
	if err := new(Sketch).UnmarshalBinary(encode(packed, 4, 1)); err != nil {
		t.Fatalf("good packed bytes: %v", err)
	}
	largePacked := bytes.Clone(packed)
	largePacked[11] = 62 << 2
	for name, data := range map[string][]byte{
		"rank 62":           encode(large, 4, 0),
		"rank 200":          encode(huge, 4, 0),
		"rank 62 in 6 bits": encode(largePacked, 4, 1),
		"short":             encode(regs[:15], 4, 0),
		"long":              encode(append(regs, 0), 4, 0),
		"packed as bytes":   encode(packed, 4, 0),
		"bytes as packed":   encode(regs, 4, 1),
		"form":              encode(regs, 4, 2),
		"wrapped form":      encode(regs, 4, 256),
		"precision 3":       encode(regs[:8], 3, 0),
		"precision 19":      encode(nil, 19, 0),
		"wrapped precision": encode(regs, 1<<63+4, 0),
		"nothing":           nil,
	} {
		if err := s.UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !s.Equal(before) {
		t.Error("refused bytes changed the sketch")
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, form := range forms() {
		s := build(f, 4, form)
		for k := range uint64(50) {
			s.Add(k)
		}
		f.Add(stored(f, s))
	}
	for _, keys := range []uint64{20, 60} { // sparse, and dense after that
		s := buildSparse(f, 6, Bytes8)
		for k := range keys {
			s.Add(k)
		}
		f.Add(stored(f, s))
	}
	f.Add(encode(make([]byte, 15), 4, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Sketch
		if err := s.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, frame.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		checkHistogram(t, &s)
		if again := stored(t, &s); !bytes.Equal(again, data) {
			t.Fatalf("%x was read and written as %x", data, again)
		}
		for _, e := range estimators {
			if x := s.EstimateWith(e); !(x >= 0) {
				t.Fatalf("%v: %g", e, x)
			}
		}
	})
}
