package countsketch

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

func marshal(t interface{ Fatal(...any) }, s *Sketch) []byte {
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestReadBack(t *testing.T) {
	s := mustNew(t, 33, 5, hashing.XX(1))
	draw(5, s, 1000)
	var back Sketch
	if err := back.UnmarshalBinary(marshal(t, s)); err != nil || !back.Equal(s) || back.span != s.span {
		t.Errorf("read back: %v", err)
	}
	if data, err := s.AppendBinary([]byte("x")); err != nil || string(data) != "x"+string(marshal(t, s)) {
		t.Errorf("AppendBinary: %v", err)
	}
	if _, err := new(Sketch).MarshalBinary(); err == nil {
		t.Error("the zero Sketch was written")
	}
	if b, err := new(Sketch).AppendBinary([]byte("x")); err == nil || string(b) != "x" {
		t.Errorf("appended to %q: %v", b, err)
	}
}

// forge writes a well-formed frame that no sketch writes.
func forge(geometry []uint64, cells ...int64) []byte {
	h := frame.Header{Structure: structure, Version: version, Hash: hashing.XX(1), Geometry: geometry}
	return frame.Encode(h, 8*len(cells), func(b []byte) []byte {
		for _, c := range cells {
			b = binary.LittleEndian.AppendUint64(b, uint64(c))
		}
		return b
	})
}

func TestUnmarshalRefuses(t *testing.T) {
	s := mustNew(t, 9, 3, hashing.XX(8))
	draw(6, s, 10)
	before := s.Clone()
	for _, c := range []struct {
		says string
		data []byte
	}{
		{"fewer than", nil},
		{"width 0", forge([]uint64{0, 1, 0})},
		{"depth 2", forge([]uint64{1, 2, 0})},
		{"depth 65", forge([]uint64{1, 65, 0})},
		{"must be at most", forge([]uint64{2, 1, 1 << 63}, 2, 3)},
		{"at most", forge([]uint64{1 << 60, 63, 5}, 2, 3)},
		{"16 bytes of counters for 3 rows of 2", forge([]uint64{2, 3, 5}, 2, 3)},
		{"more than the total of 4", forge([]uint64{2, 1, 4}, 2, -3)},
		{"more than the total", forge([]uint64{2, 1, 4}, math.MinInt64, 0)},
		{"one is odd", forge([]uint64{2, 1, 6}, 2, -3)},
		{"the least is", forge([]uint64{2, 1, math.MaxInt64}, math.MinInt64, 0)},
	} {
		if err := s.UnmarshalBinary(c.data); !errors.Is(err, frame.ErrCorrupt) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want corrupt bytes with %q", err, c.says)
		}
		if !s.Equal(before) {
			t.Fatalf("%s: the refused bytes changed the sketch", c.says)
		}
	}
	if err := s.UnmarshalBinary(forge([]uint64{2, 1, 7}, 2, -3)); err != nil || s.Total() != 7 {
		t.Errorf("good bytes: %v", err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte("SKPF"))
	f.Add(forge([]uint64{2, 1, 7}, 2, -3))
	f.Add(forge([]uint64{1, 3, math.MaxInt64}, -math.MaxInt64, 5, 6))
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
		s.Add(1, -1)
		s.Count(1)
	})
}
