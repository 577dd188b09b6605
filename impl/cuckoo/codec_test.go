package cuckoo

import (
	"bytes"
	"errors"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

func TestRoundTripGoesOnAsBefore(t *testing.T) {
	everyForm(func(p Params) {
		p.Hash = hashing.XX(3)
		f, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		slots := p.Buckets * uint64(p.Slots)
		most := slots * 4 / 5 // by then tags were kicked, and more will be
		for key := range most {
			_ = f.Add(key) // a refusal is as good a state as any
		}
		var g Filter
		if err := g.UnmarshalBinary(stored(t, f)); err != nil {
			t.Fatal(err)
		}
		if !g.Equal(f) || g.Len() != f.Len() || g.Params() != f.Params() {
			t.Fatalf("%+v: the copy differs", p)
		}
		for key := most; key < 2*slots; key++ {
			a, b := f.Add(key), g.Add(key)
			if !errors.Is(a, b) {
				t.Fatalf("%+v: key %d: %v and %v", p, key, a, b)
			}
		}
		if !bytes.Equal(stored(t, f), stored(t, &g)) {
			t.Fatalf("%+v: the same insertions gave other bytes after a round trip", p)
		}
	})
}

func TestAppendBinary(t *testing.T) {
	f := build(t, 10, 4, 8)
	data, err := f.AppendBinary([]byte("before"))
	if err != nil || !bytes.Equal(data, append([]byte("before"), stored(t, f)...)) {
		t.Errorf("got %q, %v", data, err)
	}
}

func TestPayloadIsPackedTightly(t *testing.T) {
	f := build(t, 10, 3, 7) // 210 bits are 27 bytes
	want := frame.Size(frame.Header{Geometry: make([]uint64, geometry)}, 27)
	if got := len(stored(t, f)); got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
}

func encode(hash hashing.Hasher, payload []byte, geometry ...uint64) []byte {
	h := frame.Header{Structure: structure, Version: version, Hash: hash, Geometry: geometry}
	return frame.Encode(h, len(payload), func(b []byte) []byte { return append(b, payload...) })
}

func TestUnmarshalRefuses(t *testing.T) {
	f := build(t, 10, 3, 7)
	fill(t, f)
	before := stored(t, f)
	table := make([]byte, 27) // 210 bits: the last byte holds two
	stray := bytes.Clone(table)
	stray[26] = 4
	xx := hashing.XX(1)
	if err := new(Filter).UnmarshalBinary(encode(xx, table, 10, 3, 7, 500)); err != nil {
		t.Fatalf("good bytes: %v", err)
	}
	for name, data := range map[string][]byte{
		"a stray bit":     encode(xx, stray, 10, 3, 7, 500),
		"a short table":   encode(xx, table[:26], 10, 3, 7, 500),
		"a long table":    encode(xx, append(table, 0), 10, 3, 7, 500),
		"no buckets":      encode(xx, nil, 0, 3, 7, 500),
		"a huge table":    encode(xx, table, 1<<32, 8, 32, 500),
		"no kicks":        encode(xx, table, 10, 3, 7, 0),
		"endless kicks":   encode(xx, table, 10, 3, 7, 1<<40),
		"wrapped slots":   encode(xx, table, 10, 1<<32+3, 7, 500),
		"wrapped length":  encode(xx, table, 10, 3, 1<<63+7, 500),
		"wrapped buckets": encode(xx, table, 1<<63+10, 3, 7, 500),
		"nothing":         nil,
	} {
		if err := f.UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !bytes.Equal(before, stored(t, f)) {
		t.Error("refused bytes changed the filter")
	}
}

func FuzzUnmarshal(f *testing.F) {
	g := build(f, 5, 3, 7)
	fill(f, g)
	f.Add(stored(f, g))
	f.Add(encode(hashing.XX(1), make([]byte, 8), 1, 8, 8, 1))
	f.Add([]byte("SKPFCUCK"))
	semi, err := New(Params{Buckets: 5, Slots: 4, FingerprintBits: 6, SemiSorted: true, Hash: hashing.XX(7)})
	if err != nil {
		f.Fatal(err)
	}
	fill(f, semi)
	f.Add(stored(f, semi))
	f.Fuzz(func(t *testing.T, data []byte) {
		var g Filter
		if err := g.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, frame.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		if again := stored(t, &g); !bytes.Equal(again, data) {
			t.Fatalf("%x was read and written as %x", data, again)
		}
		if g.Add(1) == nil && !g.Contains(1) {
			t.Fatal("an accepted key is lost")
		}
	})
}
