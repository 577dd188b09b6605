package topk

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

type codec interface {
	encoding.BinaryMarshaler
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

func marshal(t interface{ Fatal(...any) }, s codec) []byte {
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fresh is the zero value of the same type.
func fresh(s codec) codec {
	switch s.(type) {
	case *SpaceSaving:
		return new(SpaceSaving)
	case *MisraGries:
		return new(MisraGries)
	default:
		return new(CountMin)
	}
}

// What was written and read goes on as the original would.
func TestReadBackGoesOnAlike(t *testing.T) {
	cases(func(k int, events []event) {
		half := len(events) / 2
		for _, s := range []codec{mustSpaceSaving(t, k, events[:half]), mustMisraGries(t, k, events[:half]), mustCountMin(t, k, events[:half])} {
			data := marshal(t, s)
			back := fresh(s)
			if err := back.UnmarshalBinary(data); err != nil {
				t.Fatal(err)
			}
			for _, e := range events[half:] {
				s.(bounded).Add(e.key, e.weight)
				back.(bounded).Add(e.key, e.weight)
			}
			if !bytes.Equal(marshal(t, s), marshal(t, back)) {
				t.Fatalf("%T, k %d: they part", s, k)
			}
			if appended, err := s.AppendBinary([]byte("x")); err != nil || string(appended) != "x"+string(marshal(t, s)) {
				t.Fatalf("%T: AppendBinary, %v", s, err)
			}
		}
	})
	for _, s := range []codec{new(SpaceSaving), new(MisraGries), new(CountMin)} {
		if _, err := s.MarshalBinary(); err == nil {
			t.Errorf("%T: the zero value was written", s)
		}
	}
}

// forge writes a well-formed frame that no structure writes.
func forge(name string, geometry []uint64, payload ...uint64) []byte {
	h := frame.Header{Structure: name, Version: version, Hash: hash, Geometry: geometry}
	return frame.Encode(h, 8*len(payload), func(b []byte) []byte {
		for _, w := range payload {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return b
	})
}

// forgeCountMin has one key, 7, in a table of one column that holds 5.
func forgeCountMin(geometry []uint64, h hashing.Hasher, key ...uint64) []byte {
	table, err := countmin.New(countmin.Params{Width: 1, Depth: 1, Hash: h})
	if err != nil {
		panic(err)
	}
	table.Add(7, 5)
	data, err := table.MarshalBinary()
	if err != nil {
		panic(err)
	}
	head := frame.Header{Structure: countMinName, Version: version, Hash: hash, Geometry: geometry}
	return frame.Encode(head, 8*len(key)+len(data), func(b []byte) []byte {
		for _, w := range key {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return append(b, data...)
	})
}

func TestUnmarshalRefuses(t *testing.T) {
	for _, c := range []struct {
		says string
		into codec
		data []byte
	}{
		{"", new(SpaceSaving), forge(spaceSavingName, []uint64{2, 9}, 5, 3, 0, 6, 6, 3)},
		{"fewer than", new(SpaceSaving), nil},
		{"0 counters", new(SpaceSaving), forge(spaceSavingName, []uint64{0, 0})},
		{"must be from 1 to", new(SpaceSaving), forge(spaceSavingName, []uint64{1 << 40, 0})},
		{"48 bytes for at most 1", new(SpaceSaving), forge(spaceSavingName, []uint64{1, 9}, 5, 3, 0, 6, 6, 3)},
		{"bytes for at most 2", new(SpaceSaving), forge(spaceSavingName, []uint64{2, 9}, 5, 3, 0, 6, 6)},
		{"do not rise", new(SpaceSaving), forge(spaceSavingName, []uint64{2, 9}, 5, 6, 0, 6, 3, 0)},
		{"do not rise", new(SpaceSaving), forge(spaceSavingName, []uint64{2, 0}, 5, 0, 0)},
		{"two counters", new(SpaceSaving), forge(spaceSavingName, []uint64{2, 9}, 5, 3, 0, 5, 6, 3)},
		{"over by 4", new(SpaceSaving), forge(spaceSavingName, []uint64{2, 9}, 5, 3, 0, 6, 6, 4)},
		{"over by 3", new(SpaceSaving), forge(spaceSavingName, []uint64{2, 9}, 5, 3, 3, 6, 6, 3)},
		{"over by 1", new(SpaceSaving), forge(spaceSavingName, []uint64{3, 9}, 5, 3, 1, 6, 6, 0)},
		{"the total is 8", new(SpaceSaving), forge(spaceSavingName, []uint64{2, 8}, 5, 3, 0, 6, 6, 3)},
		{"the total is 10", new(SpaceSaving), forge(spaceSavingName, []uint64{3, 10}, 5, 3, 0, 6, 6, 0)},
		{"", new(MisraGries), forge(misraGriesName, []uint64{2, 12, 1}, 5, 4, 6, 7)},
		{"", new(MisraGries), forge(misraGriesName, []uint64{2, 3, 1})},
		{"must be from 1 to", new(MisraGries), forge(misraGriesName, []uint64{1 << 40, 0, 0})},
		{"all are lowered by 4", new(MisraGries), forge(misraGriesName, []uint64{2, 99, 4}, 5, 4, 6, 7)},
		{"not in order", new(MisraGries), forge(misraGriesName, []uint64{2, 99, 1}, 5, 4, 6, 4)},
		{"the total is 11", new(MisraGries), forge(misraGriesName, []uint64{2, 11, 1}, 5, 4, 6, 7)},
		{"the total is 12", new(MisraGries), forge(misraGriesName, []uint64{2, 12, 0}, 5, 4, 6, 7)},
		{"the total is 1", new(MisraGries), forge(misraGriesName, []uint64{2, 1, 0}, 5, 4, 6, 7)},
		{"", new(CountMin), forgeCountMin([]uint64{2, 1}, hash, 7, 5, 4)},
		{"2 keys of at most 1", new(CountMin), forgeCountMin([]uint64{1, 2}, hash, 7, 5, 4)},
		{"keys of at most", new(CountMin), forgeCountMin([]uint64{1 << 50, 1 << 49}, hash, 7, 5, 4)},
		{"the table says 5", new(CountMin), forgeCountMin([]uint64{2, 1}, hash, 7, 6, 4)},
		{"seen to have 6", new(CountMin), forgeCountMin([]uint64{2, 1}, hash, 7, 5, 6)},
		{"seen to have 0", new(CountMin), forgeCountMin([]uint64{2, 1}, hash, 7, 5, 0)},
		{"another hash function", new(CountMin), forgeCountMin([]uint64{2, 1}, hashing.XX(9), 7, 5, 4)},
		{"corrupt", new(CountMin), forge(countMinName, []uint64{2, 1}, 7, 5, 4)},
	} {
		err := c.into.UnmarshalBinary(c.data)
		if c.says == "" {
			if err != nil {
				t.Errorf("%T: good bytes: %v", c.into, err)
			}
			continue
		}
		if !errors.Is(err, frame.ErrCorrupt) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%T: got %v, want corrupt bytes with %q", c.into, err, c.says)
		}
		if _, err := c.into.MarshalBinary(); err == nil {
			t.Errorf("%T: %s: the refused bytes changed it", c.into, c.says)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte("SKPF"))
	f.Add(forge(spaceSavingName, []uint64{2, 9}, 5, 3, 0, 6, 6, 3))
	f.Add(forge(misraGriesName, []uint64{2, 12, 1}, 5, 4, 6, 7))
	f.Add(forgeCountMin([]uint64{2, 1}, hash, 7, 5, 4))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range []codec{new(SpaceSaving), new(MisraGries), new(CountMin)} {
			if err := s.UnmarshalBinary(data); err != nil {
				if !errors.Is(err, frame.ErrCorrupt) {
					t.Errorf("the error %v is not that of corrupt bytes", err)
				}
				continue
			}
			if !bytes.Equal(marshal(t, s), data) {
				t.Error("accepted bytes are not what the structure writes")
			}
			b := s.(bounded)
			b.Add(1, 1)
			b.Add(2, 3)
			if h := b.Count(2); h.Count < 3 || h.Over > h.Count {
				t.Errorf("%+v after an event of 3", h)
			}
		}
	})
}
