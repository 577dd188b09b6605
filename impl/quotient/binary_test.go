package quotient

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

func encode(payload []byte, geometry ...uint64) []byte {
	h := frame.Header{Structure: structure, Version: version, Hash: hashing.XX(1), Geometry: geometry}
	return frame.Encode(h, len(payload), func(b []byte) []byte { return append(b, payload...) })
}

func TestRoundTrip(t *testing.T) {
	for _, counting := range []bool{false, true} {
		for _, n := range []int{0, 1, 30, 160} {
			f := build(t, 200, 5, counting)
			fillWith(t, f, n)
			if counting {
				fillWith(t, f, n/6)
			}
			var g Filter
			if err := g.read(stored(t, f), !counting); !errors.Is(err, frame.ErrCorrupt) {
				t.Fatalf("read as the other kind: %v", err)
			}
			if err := g.read(stored(t, f), counting); err != nil {
				t.Fatal(err)
			}
			if !g.Equal(f) || g.Len() != f.Len() || g.Used() != f.Used() {
				t.Fatalf("counting=%v, %d keys: another filter was read", counting, n)
			}
			if n == 30 && (g.Add(1<<40) != nil || !g.Contains(1<<40)) {
				t.Error("what was read does not go on")
			}
		}
	}
}

// One bit of the table flipped, under a checksum that fits: refused, or the table of
// another filter. Only a remainder's bit makes one.
func TestFlippedBitsOfTheTable(t *testing.T) {
	for _, counting := range []bool{false, true} {
		f := build(t, 120, 4, counting)
		fillWith(t, f, 90)
		payload := f.table.data[:f.table.bytes()]
		geometry := []uint64{120, 4, 0}
		if counting {
			geometry[2] = 1
		}
		refused := 0
		for i := range 8 * len(payload) {
			bad := bytes.Clone(payload)
			bad[i/8] ^= 1 << (i % 8)
			var g Filter
			data := encode(bad, geometry...)
			if err := g.read(data, counting); err != nil {
				if !errors.Is(err, frame.ErrCorrupt) {
					t.Fatal(err)
				}
				refused++
				continue
			}
			if !bytes.Equal(stored(t, &g), data) {
				t.Fatalf("bit %d: accepted, and written differently", i)
			}
			agrees(t, &g, collect(&g))
		}
		if refused < 8*len(payload)/4 { // two words and an offset of 18 in 50 bytes
			t.Errorf("only %d flips of %d refused", refused, 8*len(payload))
		}
	}
}

func collect(f *Filter) map[uint64]uint64 {
	held := map[uint64]uint64{}
	for fingerprint, count := range f.All() {
		held[fingerprint] = count
	}
	return held
}

// Tables of random bits are read without harm.
func TestNoiseIsRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		r, counting := 2+i%30, uint64(i/30%2)
		p := Params{Slots: uint64(1 + i%150), RemainderBits: r}
		noise := make([]byte, p.tableBytes())
		for j := range noise {
			noise[j] = byte(rng.Uint64()) & byte(rng.Uint64()|uint64(i%3)*255)
		}
		var g Filter
		if err := g.read(encode(noise, p.Slots, uint64(r), counting), counting == 1); !errors.Is(err, frame.ErrCorrupt) {
			t.Fatalf("%+v: %v", p, err)
		}
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	f := build(t, 64, 8, false)
	fillWith(t, f, 40)
	before := f.Clone()
	payload := f.table.data[:f.table.bytes()]
	if err := new(Filter).UnmarshalBinary(encode(payload, 64, 8, 0)); err != nil {
		t.Fatalf("good bytes: %v", err)
	}
	for name, data := range map[string][]byte{
		"a short table":     encode(payload[1:], 64, 8, 0),
		"a long table":      encode(append(bytes.Clone(payload), 0), 64, 8, 0),
		"no slots":          encode(payload, 0, 8, 0),
		"too few slots":     encode(payload, 20, 8, 0),
		"a huge table":      encode(payload, 1<<40, 8, 0),
		"wrapped slots":     encode(payload, 1<<63+64, 8, 0),
		"wrapped remainder": encode(payload, 64, 1<<32+8, 0),
		"no remainder":      encode(payload, 64, 0, 0),
		"long remainders":   encode(payload, 64, 49, 0),
		"a third kind":      encode(payload, 64, 8, 2),
		"nothing":           nil,
	} {
		if err := f.UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !f.Equal(before) {
		t.Error("refused bytes changed the filter")
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, counting := range []bool{false, true} {
		g := build(f, 50, 5, counting)
		fillWith(f, g, 30)
		if counting {
			fillWith(f, g, 5)
		}
		f.Add(stored(f, g))
	}
	f.Add(encode(nil, 1, 2, 0))
	f.Add([]byte("SKPFQUOT"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var c Counting
		err1, err2 := c.UnmarshalBinary(data), new(Filter).UnmarshalBinary(data)
		if err1 != nil {
			if !errors.Is(err1, frame.ErrCorrupt) || err2 != nil && !errors.Is(err2, frame.ErrCorrupt) {
				t.Fatal(err1, err2)
			}
			if err2 != nil || c.Filter.UnmarshalBinary(data) != nil {
				return
			}
		}
		g := &c.Filter
		if again := stored(t, g); !bytes.Equal(again, data) {
			t.Fatalf("%x was read and written as %x", data, again)
		}
		if g.Add(1) == nil && !g.Contains(1) {
			t.Fatal("an accepted key is lost")
		}
		_ = c.Remove(2)
		agrees(t, g, collect(g))
	})
}

// A Counting filter cannot be made a set through the Filter in it.
func TestFilterOfACountingFilterReadsNothing(t *testing.T) {
	f, err := New(Params{Slots: 64, RemainderBits: 8, Hash: hashing.XX(1)})
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCounting(Params{Slots: 64, RemainderBits: 8, Hash: hashing.XX(1)})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Filter.UnmarshalBinary(data); err == nil {
		t.Error("a Counting filter became a set")
	}
}
