package ribbon

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// samples are serialized filters of every kind, some without keys.
func samples(t testing.TB) [][]byte {
	var out [][]byte
	for _, n := range []int{0, 1, 100} {
		for _, w := range []int{32, 64, 128} {
			for _, form := range []Form{Standard, Homogeneous} {
				p := Params{Width: w, Bits: 2.5, Form: form, Hash: hashing.XX3(7)}
				data, err := mustHashes(t, hashesOf(0, n), p).MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, data)
			}
		}
	}
	return out
}

func TestBytesMakeTheSameFilter(t *testing.T) {
	everyKind(t, func(t *testing.T, p Params) {
		p.Bits = 5.7
		hashes := hashesOf(0, 1000)
		f := mustHashes(t, hashes, p)
		data, err := f.AppendBinary([]byte("before"))
		if err != nil || string(data[:6]) != "before" {
			t.Fatal(err)
		}
		var g Filter
		if err := g.UnmarshalBinary(data[6:]); err != nil {
			t.Fatal(err)
		}
		allFound(t, &g, hashes)
		for i := range 10000 {
			if h := hashOf(5000 + i); f.ContainsHash(h) != g.ContainsHash(h) {
				t.Fatal("another answer after reading")
			}
		}
		if g.Bits() != f.Bits() || g.Len() != f.Len() || g.Starts() != f.Starts() ||
			g.Attempts() != f.Attempts() || g.Hash() != f.Hash() || g.Form() != f.Form() {
			t.Error("another geometry after reading")
		}
	})
}

// TestGeometryThatCannotBeIsRefused puts wrong words under a right checksum.
func TestGeometryThatCannotBeIsRefused(t *testing.T) {
	const words = 28 // bytes before the geometry
	for i, data := range samples(t) {
		var f Filter
		if err := f.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		for word := range geometry {
			if word == 6 || word == 2 && f.keys > 0 {
				continue // any attempt and any number of keys may have been
			}
			old := binary.LittleEndian.Uint64(data[words+8*word:])
			for _, value := range []uint64{0, 1, 2, 3, 31, 32, 33, 63, 64, 128, 1 << 31, 1 << 58, 1 << 61, 1<<64 - 1} {
				bad := bytes.Clone(data)
				binary.LittleEndian.PutUint64(bad[words+8*word:], value)
				binary.LittleEndian.PutUint64(bad[len(bad)-8:], xxhash.Sum64(bad[:len(bad)-8]))
				var g Filter
				err := g.UnmarshalBinary(bad)
				if err != nil && !errors.Is(err, frame.ErrCorrupt) {
					t.Errorf("sample %d word %d = %d: %v", i, word, value, err)
				}
				// A width, a form, or the columns of no rows, may have been others.
				free := word < 2 || word == 5 && f.keys == 0
				if err == nil && value != old && !free {
					t.Errorf("sample %d word %d = %d in the place of %d is taken", i, word, value, old)
				}
			}
		}
		for n := range len(data) {
			if f.UnmarshalBinary(data[:n]) == nil {
				t.Errorf("%d of %d bytes are taken", n, len(data))
			}
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, data := range samples(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// With the checksum put right, the fuzzer reaches what lies behind it.
		if len(data) >= 8 {
			data = bytes.Clone(data)
			binary.LittleEndian.PutUint64(data[len(data)-8:], xxhash.Sum64(data[:len(data)-8]))
		}
		var g Filter
		if g.UnmarshalBinary(data) != nil {
			return
		}
		for i := range 100 {
			g.ContainsHash(hashOf(i))
		}
		again, err := g.MarshalBinary()
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%v: other bytes", err)
		}
	})
}
