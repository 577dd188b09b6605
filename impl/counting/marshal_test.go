package counting

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

type fataler interface{ Fatal(...any) }

func marshal(t fataler, f *Filter) []byte {
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// forge writes a well-formed frame that no filter writes.
func forge(geometry []uint64, words ...uint64) []byte {
	h := frame.Header{Structure: structure, Version: version, Hash: hashing.XX(1), Geometry: geometry}
	return frame.Encode(h, 8*len(words), func(b []byte) []byte {
		for _, w := range words {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return b
	})
}

func TestUnmarshalRefuses(t *testing.T) {
	f := mustNew(t, Params{Cells: 9, Hashes: 2, CellBits: 4, Hash: hashing.XX(8)})
	_ = f.Add(1)
	before := f.Clone()
	for _, c := range []struct {
		says string
		data []byte
	}{
		{"fewer than", nil},
		{"0 cells", forge([]uint64{0, 1, 4, 0, 0})},
		{"0 hashes", forge([]uint64{3, 0, 4, 0, 0}, 0)},
		{"65 hashes", forge([]uint64{3, 65, 4, 0, 0}, 0)},
		{"cells of 0 bits", forge([]uint64{3, 1, 0, 0, 0}, 0)},
		{"scheme 2", forge([]uint64{3, 1, 4, 2, 0}, 0)},
		{"scheme 256", forge([]uint64{3, 1, 4, 256, 0}, 0)},
		{"at most", forge([]uint64{math.MaxUint64, 1, 16, 0, 0}, 0)},
		{"8 bytes of cells, want 16", forge([]uint64{17, 1, 4, 0, 0}, 0)},
		{"after the last cell", forge([]uint64{3, 1, 4, 0, 0}, 0x1000)},
		{"2 overflows", forge([]uint64{3, 1, 4, 0, 2}, 0xeee)},
	} {
		err := f.UnmarshalBinary(c.data)
		if !errors.Is(err, frame.ErrCorrupt) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want corrupt bytes with %q", err, c.says)
		}
		if !f.Equal(before) {
			t.Fatalf("%s: the refused bytes changed the filter", c.says)
		}
	}
	data := forge([]uint64{3, 1, 4, 0, 2}, 0xfee)
	if err := f.UnmarshalBinary(data); err != nil || f.Cell(2) != 15 || f.Overflows() != 2 {
		t.Errorf("cell %d, overflows %d, %v", f.Cell(2), f.Overflows(), err)
	}
	clear(data)
	if f.Cell(2) != 15 {
		t.Error("the filter keeps the bytes that it was read from")
	}
}

func TestAppendAndZero(t *testing.T) {
	f := mustNew(t, Params{Cells: 9, Hashes: 2, CellBits: 4, Hash: hashing.XX(8)})
	got, err := f.AppendBinary([]byte("head"))
	if err != nil || !bytes.Equal(got, append([]byte("head"), marshal(t, f)...)) {
		t.Errorf("AppendBinary is not the bytes of MarshalBinary after its argument: %v", err)
	}
	var zero Filter
	if b, err := zero.AppendBinary([]byte("x")); err == nil || string(b) != "x" {
		t.Errorf("the zero filter appended to %q: %v", b, err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte("SKPF"))
	f.Add(forge([]uint64{3, 1, 4, 0, 2}, 0xfee))
	f.Add(forge([]uint64{5, 3, 16, 1, 0}, 7, 9))
	f.Fuzz(func(t *testing.T, data []byte) {
		var b Filter
		if err := b.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, frame.ErrCorrupt) {
				t.Errorf("the error %v is not that of corrupt bytes", err)
			}
			return
		}
		if !bytes.Equal(marshal(t, &b), data) {
			t.Error("accepted bytes are not what the filter writes")
		}
		_ = b.Add(1)
		if !b.Contains(1) || b.Remove(1) != nil {
			t.Error("a key added after reading is missed")
		}
	})
}
