package blocked

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
		f, err := New(drawParams(t))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.AddBatch(hashes(0, 30))
		data, err := f.AppendBinary([]byte("head"))
		if err != nil {
			t.Fatal(err)
		}
		var got Filter
		if err := got.UnmarshalBinary(data[4:]); err != nil {
			t.Fatal(err)
		}
		clear(data) // the filter must not live in the caller's bytes
		if !got.Equal(f) || got.CountBatch(hashes(0, 30)) != 30 {
			t.Fatal("decoded differs")
		}
	})
}

// encode writes a frame as any program might.
func encode(kind, blocks, k uint64, payload ...byte) []byte {
	h := frame.Header{Structure: "BLKD", Version: 1, Hash: hashing.XX(3), Geometry: []uint64{kind, blocks, k}}
	return frame.Encode(h, len(payload), func(b []byte) []byte { return append(b, payload...) })
}

func TestUnmarshalRefusals(t *testing.T) {
	line := make([]byte, 64)
	good := encode(0, 1, 7, line...)
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
		"no blocks":       encode(0, 0, 7),
		"too many blocks": encode(0, MaxBits, 7),
		"product is 0":    encode(0, 1<<61, 7),
		"all the blocks":  encode(2, 1<<64-1, 7),
		"more than sent":  encode(0, 1<<20, 7, line...),
		"a word too few":  encode(0, 1, 7, line[:56]...),
		"a word more":     encode(2, 1, 7, line[:16]...),
		"no bits":         encode(0, 1, 0, line...),
		"too many bits":   encode(0, 1, 33, line...),
		"very many bits":  encode(0, 1, 1<<32|7, line...),
		"uneven sectors":  encode(1, 1, 7, line...),
		"kind 3":          encode(3, 1, 7, line...),
		"kind 256":        encode(256, 1, 7, line...),
		"other structure": frame.Encode(frame.Header{Structure: "BLOM", Version: 1, Hash: hashing.XX(3), Geometry: []uint64{0, 1, 7}},
			64, func(b []byte) []byte { return append(b, line...) }),
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
	line := make([]byte, 64)
	f.Add([]byte{}, false)
	f.Add(encode(0, 1, 7, line...), false)
	f.Add(encode(2, 3, 7, line[:24]...), false)
	f.Add(encode(1, 1<<31, 8), false)
	f.Add(append([]byte{1, 1, 16}, line...), true)
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
		if again := encoded(t, &got); !bytes.Equal(again, data) {
			t.Fatalf("written back: %x; read: %x", again, data)
		}
	})
}
