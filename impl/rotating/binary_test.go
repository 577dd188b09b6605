package rotating

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// forge writes a well-formed frame around geometry and payload words.
func forge(m, k uint64, fill float64, age int64, words ...uint64) []byte {
	h := frame.Header{
		Structure: structure, Version: version, Hash: hashing.XX(1),
		Geometry: []uint64{m, k, math.Float64bits(fill), uint64(age)},
	}
	return frame.Encode(h, 8*len(words), func(b []byte) []byte {
		for _, w := range words {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return b
	})
}

func TestRoundTrip(t *testing.T) {
	for _, n := range []uint64{0, 1, 40, 1000} { // the last with a previous filter
		f := mustNew(t, Params{M: 1000, K: 3, Age: time.Hour, Hash: hashing.XX3(5)})
		addKeys(f, 0, n)
		data, err := f.AppendBinary([]byte("head"))
		if err != nil || !bytes.HasPrefix(data, []byte("head")) {
			t.Fatal(err)
		}
		var back Filter
		if err := back.UnmarshalBinary(data[4:]); err != nil {
			t.Fatal(err)
		}
		if !back.Equal(f) || back.Params() != f.Params() || back.Fill() != f.Fill() || back.SizeBytes() != f.SizeBytes() {
			t.Errorf("n=%d: the filter came back different", n)
		}
		addKeys(f, n, n+500)
		addKeys(&back, n, n+500)
		if !back.Equal(f) {
			t.Errorf("n=%d: the filter that came back goes on differently", n)
		}
	}
	var zero Filter
	if b, err := zero.AppendBinary([]byte("x")); err == nil || string(b) != "x" {
		t.Errorf("the zero filter appended to %q: %v", b, err)
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	f := mustNew(t, Params{M: 100, K: 3, Hash: hashing.XX(0)})
	addKeys(f, 0, 50)
	before := f.Clone()
	for _, c := range []struct {
		says string
		data []byte
	}{
		{"fewer than", nil},
		{"0 bits", forge(0, 1, 0.5, 0)},
		{"bits: m is", forge(math.MaxUint64, 1, 0.5, 0, 1)},
		{"0 probes", forge(64, 0, 0.5, 0, 1)},
		{"65 probes", forge(64, 65, 0.5, 0, 1)},
		{"fill is 0", forge(64, 1, 0, 0, 1)},
		{"fill NaN", forge(64, 1, math.NaN(), 0, 1)},
		{"age", forge(64, 1, 0.5, -1, 1)},
		{"0 bytes of bits", forge(64, 1, 0.5, 0)},
		{"8 bytes of bits", forge(65, 1, 0.5, 0, 1)},
		{"24 bytes of bits", forge(64, 1, 0.5, 0, 1, 1, 1)},
		{"beyond m", forge(63, 1, 0.5, 0, 1<<63)},
		{"beyond m", forge(63, 1, 0.5, 0, 1, 1<<63)},
	} {
		err := f.UnmarshalBinary(c.data)
		if !errors.Is(err, frame.ErrCorrupt) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want corrupt bytes with %q", err, c.says)
		}
		if !f.Equal(before) {
			t.Fatalf("%s: the refused bytes changed the filter", c.says)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte("SKPF"), false)
	f.Add(forge(63, 1, 0.5, 0, 1), false)
	f.Add(forge(65, 7, NoFill, 9, 1, 1, 3, 0), false)
	f.Add([]byte("\x40\x03\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"), true)
	f.Fuzz(func(t *testing.T, data []byte, wrap bool) {
		if wrap && len(data) > 2 { // past the checksum, which no fuzzer guesses
			var words []uint64
			for rest := data[2:]; len(rest) >= 8; rest = rest[8:] {
				words = append(words, binary.LittleEndian.Uint64(rest))
			}
			data = forge(uint64(data[0]), uint64(data[1]), 0.5, 0, words...)
		}
		var got Filter
		if err := got.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, frame.ErrCorrupt) || got.pair.Load() != nil {
				t.Errorf("a refused filter was kept, or %v", err)
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
		if err := got.Add(1); err != nil || !got.Contains(1) {
			t.Error("a key added after reading is missed")
		}
	})
}
