package hashing

import (
	"encoding/binary"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/zeebo/xxh3"
)

// The printed figures of "Probabilistic Structures", A Hash We Can Replay.
func TestSHA256PrintedFigures(t *testing.T) {
	h, err := New(SHA256, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := h.Bytes([]byte("cat")); got != 17068036285650775687 {
		t.Errorf("cat, seed 0: %d", got)
	}
	want := map[string][3]uint64{"cat": {7, 12, 3}, "dog": {9, 3, 6}}
	for word, slots := range want {
		for i, slot := range slots {
			if got := h.At(uint64(i)).Bytes([]byte(word)) % 16; got != slot {
				t.Errorf("%s, seed %d: slot %d, want %d", word, i, got, slot)
			}
		}
	}
}

func TestXX64IsXXHash(t *testing.T) {
	var key, seed uint64
	for i := range uint64(10000) {
		key, seed = Mix(key+i*Gamma), Mix(seed^key)
		if i%3 == 0 {
			seed = 0
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], key)
		d := xxhash.NewWithSeed(seed)
		_, _ = d.Write(b[:])
		if got, want := XX(seed).Uint64(key), d.Sum64(); got != want {
			t.Fatalf("key %d seed %d: %x, want %x", key, seed, got, want)
		}
		if got, want := XX(seed).Bytes(b[:]), d.Sum64(); got != want {
			t.Fatalf("bytes of %d seed %d: %x, want %x", key, seed, got, want)
		}
	}
}

func TestXX3IsXXH3(t *testing.T) {
	var key, seed uint64
	for i := range uint64(10000) {
		key, seed = Mix(key+i*Gamma), Mix(seed^key)
		if i%3 == 0 {
			seed = 0
		}
		b := binary.LittleEndian.AppendUint64(nil, key)
		if got, want := XX3(seed).Uint64(key), xxh3.HashSeed(b, seed); got != want {
			t.Fatalf("key %d seed %d: %x, want %x", key, seed, got, want)
		}
	}
	if got, want := XX3(3).Bytes([]byte("a longer key")), xxh3.HashSeed([]byte("a longer key"), 3); got != want {
		t.Errorf("bytes: %x, want %x", got, want)
	}
}

func TestEachIsOneByOne(t *testing.T) {
	for f := range names {
		h, err := New(f, 5)
		if err != nil {
			t.Fatal(err)
		}
		numbers, texts := make([]uint64, 100), make([][]byte, 100)
		for i := range numbers {
			numbers[i], texts[i] = Mix(uint64(i)), make([]byte, i)
		}
		got := make([]uint64, 100)
		h.BytesEach(got, texts)
		for i, text := range texts {
			if want := h.Bytes(text); got[i] != want {
				t.Errorf("%v, %d bytes: %x, want %x", h, i, got[i], want)
			}
		}
		h.Uint64Each(got, numbers)
		for i, number := range numbers {
			if want := h.Uint64(number); got[i] != want {
				t.Errorf("%v, %d: %x, want %x", h, number, got[i], want)
			}
		}
	}
}

func TestXX64OfEveryLength(t *testing.T) {
	b := make([]byte, 100)
	for i := range b {
		b[i] = byte(Mix(uint64(i)))
		for _, seed := range []uint64{0, 9} {
			d := xxhash.NewWithSeed(seed)
			_, _ = d.Write(b[:i])
			if got, want := XX(seed).Bytes(b[:i]), d.Sum64(); got != want {
				t.Errorf("%d bytes, seed %d: %x, want %x", i, seed, got, want)
			}
		}
	}
}

// The keys are of 16 bytes, and distinct.
func BenchmarkBytes(b *testing.B) {
	for _, h := range []Hasher{XX(0), XX(1), XX3(1), Keyed([16]byte{1})} {
		b.Run(h.String(), func(b *testing.B) {
			key := make([]byte, 16)
			var sum uint64
			for i := range b.N {
				binary.LittleEndian.PutUint64(key, uint64(i))
				sum += h.Bytes(key)
			}
			if sum == 1 {
				b.Log(sum)
			}
		})
	}
}

// The reference vector of the SipHash paper, Appendix A.
func TestSipHashVector(t *testing.T) {
	var key [16]byte
	msg := make([]byte, 15)
	for i := range key {
		key[i] = byte(i)
	}
	for i := range msg {
		msg[i] = byte(i)
	}
	if got := Keyed(key).Bytes(msg); got != 0xa129ca6149be45e5 {
		t.Errorf("got %x", got)
	}
}

func TestPartsRoundTripAndRefusals(t *testing.T) {
	for _, h := range []Hasher{XX(7), Keyed([16]byte{1, 15: 2})} {
		f, a, b := h.Parts()
		got, err := FromParts(f, a, b)
		if err != nil || got != h {
			t.Errorf("%v: got %v, %v", h, got, err)
		}
	}
	if _, err := New(0, 1); err == nil {
		t.Error("family 0 was accepted")
	}
	if _, err := FromParts(XXHash, 1, 1); err == nil {
		t.Error("a 128-bit key was accepted for xxhash")
	}
}

func TestReduceStaysInRange(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 1 << 40} {
		for _, h := range []uint64{0, 1, 1 << 63, ^uint64(0)} {
			if r := Reduce(h, n); r >= n {
				t.Errorf("Reduce(%d, %d) = %d", h, n, r)
			}
		}
	}
}

func BenchmarkUint64(b *testing.B) {
	h := XX(1)
	var sum uint64
	for i := range b.N {
		sum += h.Uint64(uint64(i))
	}
	if sum == 0 {
		b.Log("sum is zero")
	}
}
