package xor

import (
	"bytes"
	"errors"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

func TestRoundTrip(t *testing.T) {
	t.Run("8", testRoundTrip[uint8])
	t.Run("16", testRoundTrip[uint16])
}

func testRoundTrip[F Fingerprint](t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		f, err := NewFromHashes[F](hashes(0, n), Params{Hash: hashing.XX(5)})
		if err != nil {
			t.Fatal(err)
		}
		data, err := f.AppendBinary([]byte("before"))
		if err != nil || !bytes.Equal(data, append([]byte("before"), stored(t, f)...)) {
			t.Fatalf("AppendBinary: %v", err)
		}
		var g Filter[F]
		if err := g.UnmarshalBinary(data[len("before"):]); err != nil {
			t.Fatal(err)
		}
		if !g.Equal(f) || !bytes.Equal(stored(t, &g), stored(t, f)) {
			t.Errorf("n = %d: the copy differs", n)
		}
		for i := range 3000 {
			if g.ContainsHash(hashOf(i)) != f.ContainsHash(hashOf(i)) {
				t.Fatal("the copy answers otherwise")
			}
		}
	}
}

// encode writes a frame of 8-bit fingerprints as no build need have made it.
func encode(payload int, geometry ...uint64) []byte {
	h := frame.Header{Structure: structure, Version: version, Hash: hashing.XX(1), Geometry: geometry}
	return frame.Encode(h, payload, func(b []byte) []byte { return append(b, make([]byte, payload)...) })
}

func TestUnmarshalRefuses(t *testing.T) {
	if err := new(Filter[uint8]).UnmarshalBinary(encode(24, 8, 10, 1, 8)); err != nil {
		t.Fatalf("good bytes: %v", err)
	}
	f := build8(t, hashes(0, 100))
	before := stored(t, f)
	for name, data := range map[string][]byte{
		"another width":         encode(48, 16, 10, 1, 8),
		"a width that wraps":    encode(24, 1<<32+8, 10, 1, 8),
		"too many keys":         encode(24, 8, 25, 1, 8),
		"keys that wrap":        encode(24, 8, 1<<63, 1, 8),
		"no attempt":            encode(24, 8, 10, 0, 8),
		"too many attempts":     encode(24, 8, 10, 257, 8),
		"a block that wraps":    encode(24, 8, 10, 1, 1<<63+8),
		"a short table":         encode(23, 8, 10, 1, 8),
		"a long table":          encode(25, 8, 10, 1, 8),
		"no keys with a table":  encode(24, 8, 0, 0, 8),
		"no keys in an attempt": encode(0, 8, 0, 1, 0),
		"nothing":               nil,
	} {
		if err := f.UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !bytes.Equal(before, stored(t, f)) {
		t.Error("refused bytes changed the filter")
	}
}

// Equal is of every part that is written.
func TestEqualSeesEveryPart(t *testing.T) {
	f := build8(t, hashes(0, 100))
	for name, g := range map[string]*Filter[uint8]{
		"keys": build8(t, hashes(0, 101)),
		"set":  build8(t, hashes(1, 101)),
	} {
		if f.Equal(g) {
			t.Errorf("another %s is equal", name)
		}
	}
	g, err := NewFromHashes[uint8](hashes(0, 100), Params{Hash: hashing.XX(9)})
	if err != nil || f.Equal(g) {
		t.Errorf("another hash is equal (%v)", err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, n := range []int{0, 1, 20} {
		f.Add(stored(f, build8(f, hashes(0, n))))
	}
	f.Add(encode(24, 8, 10, 1, 8))
	f.Add([]byte("SKPFXORF"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var g Filter[uint8]
		if err := g.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, frame.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		if again := stored(t, &g); !bytes.Equal(again, data) {
			t.Fatalf("%x was read and written as %x", data, again)
		}
		found := make([]bool, 100)
		g.ContainsHashBatch(hashes(0, 100), found)
	})
}
