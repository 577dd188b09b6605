package scalable

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// forge writes a well-formed frame around geometry and payload words.
func forge(rate, tightening float64, capacity, growth, links uint64, payload ...uint64) []byte {
	h := frame.Header{
		Structure: structure, Version: version, Hash: hashing.XX(1),
		Geometry: []uint64{capacity, math.Float64bits(rate), growth, math.Float64bits(tightening), links},
	}
	return frame.Encode(h, 8*len(payload), func(b []byte) []byte {
		for _, w := range payload {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return b
	})
}

func TestRoundTrip(t *testing.T) {
	for _, n := range []uint64{0, 1, 10, 1000} {
		f := mustNew(t, Params{Capacity: 10, Rate: 0.01, Growth: 3, Hash: hashing.XX3(5)})
		addKeys(t, f, 0, n)
		data, err := f.AppendBinary([]byte("head"))
		if err != nil || !bytes.HasPrefix(data, []byte("head")) {
			t.Fatal(err)
		}
		var back Filter
		if err := back.UnmarshalBinary(data[4:]); err != nil {
			t.Fatal(err)
		}
		if !back.Equal(f) || back.Params() != f.Params() {
			t.Errorf("n=%d: the filter came back different", n)
		}
		// It goes on as the other does.
		addKeys(t, f, n, 3*n)
		addKeys(t, &back, n, 3*n)
		if !back.Equal(f) {
			t.Errorf("n=%d: the filter that came back grows differently", n)
		}
	}
	var zero Filter
	if b, err := zero.AppendBinary([]byte("x")); err == nil || string(b) != "x" {
		t.Errorf("the zero filter appended to %q: %v", b, err)
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	f := mustNew(t, Params{Capacity: 10, Rate: 0.01, Hash: hashing.XX(0)})
	addKeys(t, f, 0, 50)
	before := f.Clone()
	good, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says string
		data []byte
	}{
		{"fewer than", nil},
		{"checksum", append(bytes.Clone(good[:len(good)-1]), good[len(good)-1]^1)},
		{"rate 0 ", forge(0, 0.5, 1, 1, 1, 64, 1, 1, 1)},
		{"rate NaN", forge(math.NaN(), 0.5, 1, 1, 1, 64, 1, 1, 1)},
		{"a parameter is 0", forge(0.5, 0.5, 0, 1, 1, 64, 1, 1, 1)},
		{"a parameter is 0", forge(0.5, 0.5, 1, 0, 1, 64, 1, 1, 1)},
		{"growth 1025", forge(0.5, 0.5, 1, 1025, 1, 64, 1, 1, 1)},
		{"0 links", forge(0.5, 0.5, 1, 1, 0)},
		{"2 links in 32", forge(0.5, 0.5, 1, 1, 2, 64, 1, 1, 1)},
		{"18446744073709551615 links", forge(0.5, 0.5, 1, 1, math.MaxUint64, 64, 1, 1, 1)},
		{"0 bits", forge(0.5, 0.5, 1, 1, 1, 0, 1, 1, 1)},
		{"18446744073709551615 bits", forge(0.5, 0.5, 1, 1, 1, math.MaxUint64, 1, 1, 1)},
		{"65 bits", forge(0.5, 0.5, 1, 1, 1, 65, 1, 1, 1)},
		{"0 probes", forge(0.5, 0.5, 1, 1, 1, 64, 0, 1, 1)},
		{"65 probes", forge(0.5, 0.5, 1, 1, 1, 64, 65, 1, 1)},
		{"17 of 64 bits", forge(0.5, 0.5, 1, 1, 1, 64, 1, 17, 1)}, // the rate is 1/4: 16 of 64
		{"3 bits are set, 2 may", forge(0.5, 0.5, 1, 1, 1, 64, 1, 2, 7)},
		{"after the last", forge(0.5, 0.5, 1, 1, 1, 63, 1, 2, 1<<63)},
		{"link 1 is empty", forge(0.5, 0.5, 1, 1, 2, 64, 1, 2, 1, 64, 1, 2, 0)},
		{"cut off", forge(0.5, 0.5, 1, 1, 2, 192, 1, 2, 1, 0, 0, 64, 1)},
		{"8 bytes after", forge(0.5, 0.5, 1, 1, 1, 64, 1, 2, 1, 0)},
		{"more than 2^64 keys", forge(0.5, 0.5, 1<<63, 2, 2, 64, 1, 2, 1, 64, 1, 2, 1)},
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
	f.Add(forge(0.5, 0.5, 1, 1, 1, 64, 1, 2, 1), false)
	f.Add(forge(0.5, 0.5, 7, 2, 2, 64, 1, 2, 1, 100, 2, 3, 1, 1), false)
	f.Add([]byte("\x01\x40\x00\x00\x00\x00\x00\x00\x00"), true)
	f.Fuzz(func(t *testing.T, data []byte, wrap bool) {
		if wrap && len(data) > 0 { // past the checksum, which no fuzzer guesses
			var words []uint64
			for rest := data[1:]; len(rest) >= 8; rest = rest[8:] {
				words = append(words, binary.LittleEndian.Uint64(rest))
			}
			data = forge(0.5, 0.9, 10, 2, uint64(data[0]), words...)
		}
		var got Filter
		if err := got.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, frame.ErrCorrupt) || got.links != nil {
				t.Errorf("%v, links %v", err, got.links)
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
		if got.Params().Capacity < 1<<20 {
			if err := got.Add(1); err == nil && !got.Contains(1) {
				t.Error("a key added after reading is missed")
			}
		}
	})
}
