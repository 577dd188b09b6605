package frame

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func sample() []byte {
	h := Header{Structure: "TEST", Version: 3, Hash: hashing.XX(9), Geometry: []uint64{5, 6}}
	return Encode(h, 4, func(b []byte) []byte { return append(b, "load"...) })
}

func TestRoundTrip(t *testing.T) {
	h, payload, err := Decode(sample(), "TEST", 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	if string(payload) != "load" || h.Hash != hashing.XX(9) || !slices.Equal(h.Geometry, []uint64{5, 6}) {
		t.Errorf("got %+v, %q", h, payload)
	}
}

func TestEveryFlippedBitAndEveryTruncationIsRefused(t *testing.T) {
	data := sample()
	for i := range len(data) * 8 {
		bad := bytes.Clone(data)
		bad[i/8] ^= 1 << (i % 8)
		if _, _, err := Decode(bad, "TEST", 3, 2); !errors.Is(err, ErrCorrupt) {
			t.Errorf("bit %d: %v", i, err)
		}
	}
	for n := range data {
		if _, _, err := Decode(data[:n], "TEST", 3, 2); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for name, bad := range map[string]func() error{
		"structure": func() error { _, _, err := Decode(data, "ELSE", 3, 2); return err },
		"version":   func() error { _, _, err := Decode(data, "TEST", 4, 2); return err },
		"geometry":  func() error { _, _, err := Decode(data, "TEST", 3, 1); return err },
	} {
		if err := bad(); !errors.Is(err, ErrCorrupt) {
			t.Errorf("wrong %s: %v", name, err)
		}
	}
}
