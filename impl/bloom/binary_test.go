package bloom

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

func TestDecodedIsEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := must(t, drawParams(t))
		keys := drawKeys.Draw(t, "keys")
		add(t, f, keys...)
		before := f.Clone()
		data, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if !f.Equal(before) {
			t.Fatal("writing changed the filter")
		}
		more, err := f.AppendBinary([]byte("head"))
		if err != nil || !bytes.Equal(more, append([]byte("head"), data...)) {
			t.Fatalf("appended %x, %v", more, err)
		}
		var got Filter
		if err := got.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		clear(data) // the filter must not live in the caller's bytes
		if !got.Equal(f) {
			t.Fatal("decoded differs")
		}
		for _, key := range keys {
			if !got.Contains(key) {
				t.Fatalf("%d is lost", key)
			}
		}
	})
}

// encode writes a frame as any program might.
func encode(m, k, scheme uint64, payload ...byte) []byte {
	h := frame.Header{Structure: "BLOM", Version: 1, Hash: hashing.XX(3), Geometry: []uint64{m, k, scheme}}
	return frame.Encode(h, len(payload), func(b []byte) []byte { return append(b, payload...) })
}

func TestUnmarshalRefusals(t *testing.T) {
	good := encode(60, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8)
	f := new(Filter)
	if err := f.UnmarshalBinary(good); err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)-12] ^= 1
	for name, data := range map[string][]byte{
		"nothing":         nil,
		"cut short":       good[:len(good)-1],
		"a flipped bit":   flipped,
		"no bits":         encode(0, 3, 0),
		"too many bits":   encode(MaxBits+1, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8),
		"all the bits":    encode(1<<64-1, 3, 0),
		"more than sent":  encode(MaxBits, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8),
		"a word too much": encode(60, 3, 0, make([]byte, 16)...),
		"half a word":     encode(60, 3, 0, 1, 2, 3, 4),
		"no probes":       encode(60, 0, 0, make([]byte, 8)...),
		"too many probes": encode(60, 65, 0, make([]byte, 8)...),
		"scheme 6":        encode(60, 3, 6, make([]byte, 8)...),
		"unequal slices":  encode(61, 3, 5, make([]byte, 8)...),
		"scheme 256":      encode(60, 3, 256, make([]byte, 8)...),
		"stray bits":      encode(60, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0x10),
		"other structure": frame.Encode(frame.Header{Structure: "HLLS", Version: 1, Hash: hashing.XX(3), Geometry: []uint64{60, 3, 0}},
			8, func(b []byte) []byte { return append(b, make([]byte, 8)...) }),
	} {
		before := f.Clone()
		if err := f.UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
		if !f.Equal(before) {
			t.Errorf("%s: the filter was changed", name)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte{}, false)
	f.Add(encode(60, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8), false)
	f.Add(encode(1, 1, 4, 1, 0, 0, 0, 0, 0, 0, 0), false)
	f.Add(encode(63, 3, 5, 1, 0, 0, 0, 0, 0, 0, 0), false)
	f.Add(encode(MaxBits, 3, 0), false)
	f.Add([]byte("\x3c\x03\x00\x01\x02\x03\x04\x05\x06\x07\x08"), true)
	f.Fuzz(func(t *testing.T, data []byte, wrap bool) {
		if wrap && len(data) >= 3 { // past the checksum, which no fuzzer guesses
			data = encode(uint64(data[0]), uint64(data[1]), uint64(data[2]), data[3:]...)
		}
		var got Filter
		if err := got.UnmarshalBinary(data); err != nil {
			if got.words != nil {
				t.Fatal("a refused filter was kept")
			}
			return
		}
		if got.SizeBytes() > len(data) {
			t.Fatalf("%d bytes were made from %d", got.SizeBytes(), len(data))
		}
		again, err := got.MarshalBinary()
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("written back: %x, %v; read: %x", again, err, data)
		}
	})
}

func FuzzNoFalseNegatives(f *testing.F) {
	f.Add(uint64(9586), uint64(7), uint8(0), uint64(1), []byte("key"))
	f.Add(uint64(1), uint64(1), uint8(4), uint64(0), []byte{})
	f.Add(uint64(64), uint64(64), uint8(3), uint64(1<<63), []byte{0})
	f.Fuzz(func(t *testing.T, m, k uint64, scheme uint8, key uint64, text []byte) {
		p := Params{M: m%4096 + 1, K: k%MaxK + 1, Scheme: Scheme(scheme % 6), Hash: hashing.XX(m)}
		if p.Scheme == Partitioned {
			p.M *= p.K
		}
		filter := must(t, p)
		add(t, filter, key)
		if err := errors.Join(filter.AddBytes(text), filter.AddHash(^key)); err != nil {
			t.Fatal(err)
		}
		if !filter.Contains(key) || !filter.ContainsBytes(text) || !filter.ContainsHash(^key) {
			t.Fatal("an added key is not found")
		}
	})
}
