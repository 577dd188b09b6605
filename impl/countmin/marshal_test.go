package countmin

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

var (
	_ encoding.BinaryMarshaler   = (*Sketch)(nil)
	_ encoding.BinaryUnmarshaler = (*Sketch)(nil)
	_ encoding.BinaryAppender    = (*Sketch)(nil)
)

type fataler interface{ Fatal(...any) }

func marshal(t fataler, s *Sketch) []byte {
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestMarshalledSize(t *testing.T) {
	s := mustNew(t, Params{Width: 7, Depth: 3, Hash: hashing.XX(1)})
	// 28 bytes of prefix, 5 geometry words, payload length and checksum.
	if got, want := len(marshal(t, s)), 28+5*8+8+8+7*3*8; got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
	appended, err := s.AppendBinary([]byte("head"))
	if err != nil || !bytes.Equal(appended, append([]byte("head"), marshal(t, s)...)) {
		t.Errorf("AppendBinary is not the bytes of MarshalBinary after its argument: %v", err)
	}
}

func TestZeroSketchIsNotWritten(t *testing.T) {
	var s Sketch
	if data, err := s.MarshalBinary(); err == nil {
		t.Errorf("wrote %d bytes", len(data))
	}
	if b, err := s.AppendBinary([]byte("x")); err == nil || string(b) != "x" {
		t.Errorf("appended to %q: %v", b, err)
	}
}

// forge writes a well-formed frame that no sketch writes.
func forge(geometry []uint64, cells ...uint64) []byte {
	h := frame.Header{Structure: structure, Version: version, Hash: hashing.XX(1), Geometry: geometry}
	return frame.Encode(h, 8*len(cells), func(b []byte) []byte {
		for _, c := range cells {
			b = binary.LittleEndian.AppendUint64(b, c)
		}
		return b
	})
}

func TestUnmarshalRefuses(t *testing.T) {
	good := forge([]uint64{2, 1, 0, 0, 5}, 2, 3)
	s := mustNew(t, Params{Width: 9, Depth: 2, Hash: hashing.XX(8)})
	s.Add(1, 1)
	before := s.Clone()
	for _, c := range []struct {
		says string
		data []byte
	}{
		{"fewer than", nil},
		{"checksum", append(bytes.Clone(good[:len(good)-1]), good[len(good)-1]^1)},
		{"width 0", forge([]uint64{0, 1, 0, 0, 0})},
		{"depth 0", forge([]uint64{1, 0, 0, 0, 0})},
		{"depth 65", forge([]uint64{1, 65, 0, 0, 0})},
		{"row scheme 2", forge([]uint64{2, 1, 2, 0, 5}, 2, 3)},
		{"conservative flag 2", forge([]uint64{2, 1, 0, 2, 5}, 2, 3)},
		{"16 bytes of counters for 2 rows of 2", forge([]uint64{2, 2, 0, 0, 5}, 2, 3)},
		{"at most", forge([]uint64{1 << 60, 64, 0, 0, 5}, 2, 3)},
		// 8 w d is 2^64, which is 0 in 64 bits: the length of no payload at all.
		{"at most", forge([]uint64{1 << 60, 2, 0, 0, 0})},
		{"at most", forge([]uint64{math.MaxUint64, 1, 0, 0, 5}, 2, 3)},
		{"row 0 adds up to 5, the total is 6", forge([]uint64{2, 1, 0, 0, 6}, 2, 3)},
		{"row 0 adds up to 5, the total is 4", forge([]uint64{2, 1, 0, 1, 4}, 2, 3)},
		{"row 1 adds up to 4", forge([]uint64{2, 2, 0, 0, 5}, 2, 3, 4, 0)},
	} {
		err := s.UnmarshalBinary(c.data)
		if !errors.Is(err, frame.ErrCorrupt) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want corrupt bytes with %q", err, c.says)
		}
		if !s.Equal(before) {
			t.Fatalf("%s: the refused bytes changed the sketch", c.says)
		}
	}
	if err := s.UnmarshalBinary(good); err != nil || s.Total() != 5 || s.Width() != 2 {
		t.Errorf("the bytes that the others are made from: %v", err)
	}
	// A conservative row adds up to less.
	if err := s.UnmarshalBinary(forge([]uint64{2, 1, 0, 1, 6}, 2, 3)); err != nil {
		t.Error(err)
	}
}

func TestUnmarshalKeepsNothingOfTheBytes(t *testing.T) {
	data := forge([]uint64{2, 1, 0, 0, 5}, 2, 3)
	var s Sketch
	if err := s.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	clear(data)
	if got := s.Row(0); got[0] != 2 || got[1] != 3 {
		t.Errorf("counters %v after the bytes were cleared", got)
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte("SKPF"))
	f.Add(forge([]uint64{2, 1, 0, 0, 5}, 2, 3))
	f.Add(forge([]uint64{1, 2, 1, 1, math.MaxUint64}, math.MaxUint64, 7))
	f.Add(forgeNarrow([]uint64{2, 1, 0, 0, 5}, 2, 3))
	f.Add(forgeNarrow([]uint64{2, 1, 0, 0, 1 << 40}, math.MaxUint32, 3))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Sketch
		if err := s.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, frame.ErrCorrupt) {
				t.Errorf("the error %v is not that of corrupt bytes", err)
			}
			return
		}
		if !bytes.Equal(marshal(t, &s), data) {
			t.Error("accepted bytes are not what the sketch writes")
		}
		s.Add(1, 1)
		if s.Count(1) < 1 || s.Count(1) > s.Total() {
			t.Errorf("count %d of total %d after an event", s.Count(1), s.Total())
		}
	})
}
