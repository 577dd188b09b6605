package splitblock

import (
	"bytes"
	"errors"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

func TestDecodedIsEqual(t *testing.T) {
	for _, h := range hashers {
		f := must(t, Params{Blocks: 7, Hash: h})
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
			t.Fatalf("%v: decoded differs", h)
		}
	}
}

// encode writes a frame as any program might.
func encode(blocks uint64, payload ...byte) []byte {
	h := frame.Header{Structure: "SBBF", Version: 1, Hash: hashing.XX(3), Geometry: []uint64{blocks}}
	return frame.Encode(h, len(payload), func(b []byte) []byte { return append(b, payload...) })
}

func TestUnmarshalRefusals(t *testing.T) {
	good := encode(2, make([]byte, 64)...)
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
		"no blocks":       encode(0),
		"too many blocks": encode(MaxBlocks + 1),
		"product is 0":    encode(1 << 59),
		"all the blocks":  encode(1<<64 - 1),
		"more than sent":  encode(MaxBlocks, make([]byte, 64)...),
		"a block more":    encode(1, make([]byte, 64)...),
		"other structure": frame.Encode(frame.Header{Structure: "BLKD", Version: 1, Hash: hashing.XX(3), Geometry: []uint64{1}},
			32, func(b []byte) []byte { return append(b, make([]byte, 32)...) }),
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
	f.Add(encode(1, make([]byte, 32)...), false)
	f.Add(encode(MaxBlocks), false)
	f.Add(append([]byte{2}, make([]byte, 64)...), true)
	f.Fuzz(func(t *testing.T, data []byte, wrap bool) {
		if wrap && len(data) >= 1 { // past the checksum, which no fuzzer guesses
			data = encode(uint64(data[0]), data[1:]...)
		}
		var got Filter
		if err := got.UnmarshalBinary(data); err != nil {
			if got.blocks != nil {
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
