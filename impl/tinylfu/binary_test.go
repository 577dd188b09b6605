package tinylfu

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/impl/bloom"
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

func TestReadBackGoesOnAlike(t *testing.T) {
	for _, p := range []Params{plain, guarded} {
		for _, events := range []int{0, 1, 999, 1000, 2345} {
			s := mustNew(t, p)
			fill(s, events)
			var back Sketch
			if err := back.UnmarshalBinary(marshal(t, s)); err != nil || !back.Equal(s) {
				t.Fatalf("after %d events: %v", events, err)
			}
			fill(s, 1100)
			fill(&back, 1100)
			if !bytes.Equal(marshal(t, s), marshal(t, &back)) {
				t.Fatal("they part")
			}
			if data, err := s.AppendBinary([]byte("x")); err != nil || string(data) != "x"+string(marshal(t, s)) {
				t.Errorf("AppendBinary: %v", err)
			}
		}
	}
	if _, err := new(Sketch).MarshalBinary(); err == nil {
		t.Error("the zero Sketch was written")
	}
	if b, err := new(Sketch).AppendBinary([]byte("x")); err == nil || string(b) != "x" {
		t.Errorf("appended to %q: %v", b, err)
	}
}

// forge writes a well-formed frame that no sketch writes: four words, and a
// doorkeeper unless it is nil.
func forge(geometry []uint64, door *bloom.Filter, words ...uint64) []byte {
	var tail []byte
	if door != nil {
		tail, _ = door.MarshalBinary()
	}
	h := frame.Header{Structure: structure, Version: version, Hash: hashing.XX(1), Geometry: geometry}
	return frame.Encode(h, 8*len(words)+len(tail), func(b []byte) []byte {
		for _, w := range words {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return append(b, tail...)
	})
}

// doorOf holds some keys.
func doorOf(hash hashing.Hasher, keys uint64) *bloom.Filter {
	d, err := bloom.New(bloom.Params{M: 64, K: 2, Hash: hash})
	if err != nil {
		panic(err)
	}
	for key := range keys {
		_ = d.Add(key)
	}
	return d
}

func TestUnmarshalRefuses(t *testing.T) {
	h := hashing.XX(1)
	s := mustNew(t, guarded)
	fill(s, 500)
	before := s.Clone()
	for _, c := range []struct {
		says string
		data []byte
	}{
		{"fewer than", nil},
		{"width 0", forge([]uint64{0, 9, 0, 0, 0, 0}, nil)},
		{"width 1073741825", forge([]uint64{1 << 60, 9, 0, 0, 0, 0}, nil)},
		{"a sample of 1", forge([]uint64{3, 1, 0, 0, 0, 0}, nil, 0, 0, 0, 0)},
		{"must be both or none", forge([]uint64{3, 9, 1, 0, 0, 0}, nil, 0, 0, 0, 0)},
		{"24 bytes of counters", forge([]uint64{3, 9, 0, 0, 0, 0}, nil, 0, 0, 0)},
		{"40 bytes of counters", forge([]uint64{3, 9, 0, 0, 0, 0}, nil, 0, 0, 0, 0, 0)},
		{"9 keys in a sample of 9", forge([]uint64{3, 9, 0, 0, 9, 0}, nil, 0, 0, 0, 0)},
		{"that was halved", forge([]uint64{3, 9, 0, 0, 3, 1}, nil, 0, 0, 0, 0)},
		{"row 2 has more than 3", forge([]uint64{3, 9, 0, 0, 5, 0}, nil, 0, 0, 0x1000, 0)},
		{"row 3 adds up to 6 after 5", forge([]uint64{3, 9, 0, 0, 5, 0}, nil, 5, 0x50, 0x500, 0x123)},
		{"doorkeeper: ", forge([]uint64{3, 9, 64, 2, 5, 0}, nil, 0, 0, 0, 0)},
		{"not that of the header", forge([]uint64{3, 9, 63, 2, 5, 0}, doorOf(h, 1), 0, 0, 0, 0)},
		{"not that of the header", forge([]uint64{3, 9, 64, 2, 5, 0}, doorOf(hashing.XX(2), 1), 0, 0, 0, 0)},
		{"bits of the doorkeeper", forge([]uint64{3, 9, 64, 2, 1, 0}, doorOf(h, 5), 0, 0, 0, 0)},
	} {
		if err := s.UnmarshalBinary(c.data); !errors.Is(err, frame.ErrCorrupt) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want corrupt bytes with %q", err, c.says)
		}
		if !s.Equal(before) {
			t.Fatalf("%s: the refused bytes changed the sketch", c.says)
		}
	}
	if err := s.UnmarshalBinary(forge([]uint64{3, 9, 64, 2, 5, 0}, doorOf(h, 2), 5, 0x50, 0x500, 0x113)); err != nil {
		t.Errorf("good bytes: %v", err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte("SKPF"))
	f.Add(forge([]uint64{3, 9, 64, 2, 5, 0}, doorOf(hashing.XX(1), 2), 5, 0x50, 0x500, 0x113))
	f.Add(forge([]uint64{3, 9, 0, 0, 5, 7}, nil, 5, 0x50, 0x500, 0x113))
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
		s.Add(1)
		if err := s.check(); err != nil {
			t.Errorf("after an event: %v", err)
		}
	})
}
