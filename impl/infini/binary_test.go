package infini

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// encode writes a frame as any program might.
func encode(geometry []uint64, payload []byte) []byte {
	h := frame.Header{Structure: "INFI", Version: 1, Hash: hashing.XX(3), Geometry: geometry}
	return frame.Encode(h, len(payload), func(b []byte) []byte { return append(b, payload...) })
}

// bytesOf is the payload of a table.
func bytesOf(t *table) []byte {
	var b []byte
	for _, words := range t.words() {
		for _, w := range words {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
	}
	for _, s := range t.spill {
		b = binary.LittleEndian.AppendUint16(b, s)
	}
	return b
}

// grown is a filter of n keys that started small.
func grown(t testing.TB, n uint64) *Filter {
	f := must(t, Params{Log: 6, FingerprintBits: 3, Stretch: 16, Hash: hashing.XX(3)})
	for i := range n {
		if err := f.AddHash(hashOf(7, i)); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func TestUnmarshalRefusals(t *testing.T) {
	small, large := grown(t, 40), grown(t, 1500)
	if large.table.void == nil {
		t.Fatal("no fingerprint is spent")
	}
	g, h := []uint64{6, 3, 16, 6, 0, 40}, []uint64{6, 3, 16, uint64(large.table.log), 1, 1500}
	with := func(geometry []uint64, i int, v uint64) []uint64 {
		c := append([]uint64(nil), geometry...)
		c[i] = v
		return c
	}
	// changed is a table with one thing different.
	changed := func(f *Filter, change func(t *table)) []byte {
		c := f.Clone()
		change(&c.table)
		return bytesOf(&c.table)
	}
	good, grownGood := bytesOf(&small.table), bytesOf(&large.table)
	f := new(Filter)
	for _, data := range [][]byte{encode(g, good), encode(h, grownGood)} {
		if err := f.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
	}
	taken, _ := small.table.nextTaken(0)
	untaken := uint64(0)
	for bit(small.table.taken, untaken) {
		untaken++
	}
	home := small.table.free(taken) - 1
	flipped := encode(g, good)
	flipped[len(flipped)-12] ^= 1
	for name, data := range map[string][]byte{
		"nothing":                   nil,
		"cut short":                 encode(g, good)[:100],
		"a flipped bit":             flipped,
		"no slots":                  encode(with(g, 0, 0), good),
		"started larger":            encode(with(g, 0, 7), good),
		"no fingerprints":           encode(with(g, 1, 0), good),
		"huge fingerprints":         encode(with(g, 1, 1<<63), good),
		"no stretch":                encode(with(g, 2, 0), good),
		"another stretch":           encode(with(h, 2, 1), grownGood),
		"a table beyond the memory": encode(with(g, 3, 34), good),
		"a table beyond the hash":   encode(with(g, 3, 64), good),
		"voids that are not there":  encode(with(g, 4, 1), good),
		"voids twice":               encode(with(h, 4, 2), grownGood),
		"voids left out":            encode(with(h, 4, 0), grownGood),
		"fewer keys than entries":   encode(with(g, 5, 39), good),
		"more keys than entries":    encode(with(g, 5, 41), good),
		"a byte more":               encode(g, append(bytes.Clone(good), 0)),
		"no void quotient":          encode(h, changed(large, func(t *table) { clear(t.void) })),
		"a run without quotient":    encode(g, changed(small, func(t *table) { unset(t.taken, taken) })),
		"a quotient without run":    encode(g, changed(small, func(t *table) { set(t.taken, untaken) })),
		"a quotient in the slack":   encode(g, changed(small, func(t *table) { set(t.taken, 100) })),
		"a run without end":         encode(g, changed(small, func(t *table) { clear(t.ends) })),
		"an end in empty slots":     encode(g, changed(small, func(t *table) { set(t.ends, 150) })),
		"an entry without run":      encode(g, changed(small, func(t *table) { t.put(150, 3) })),
		"an empty entry":            encode(g, changed(small, func(t *table) { t.put(home, 0) })),
		"a spent entry":             encode(g, changed(small, func(t *table) { t.put(home, 1<<(t.width-1)) })),
		"a spill":                   encode(g, changed(small, func(t *table) { t.spill[0] = 1 })),
		"other structure": frame.Encode(frame.Header{Structure: "CUCK", Version: 1, Hash: hashing.XX(3), Geometry: g},
			len(good), func(b []byte) []byte { return append(b, good...) }),
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
	for _, n := range []uint64{0, 1, 57, 1500} {
		data, err := grown(f, n).MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, false)
	}
	f.Add([]byte{}, false)
	f.Add(encode([]uint64{34, 24, 16, 34, 1, 1 << 63}, nil), false)
	f.Add([]byte("\x04\x03\x01"), true)
	f.Fuzz(func(t *testing.T, data []byte, wrap bool) {
		if wrap && len(data) >= 3 { // past the checksum: a table of 64 slots with some bytes set
			p := Params{Log: 6, FingerprintBits: 2 + int(data[0]%3), Stretch: 4, Hash: hashing.XX(0)}
			body := make([]byte, payload(6, p.width(0), 0))
			for i := 2; i+1 < len(data); i += 2 {
				body[int(data[i])%len(body)] = data[i+1]
			}
			data = encode([]uint64{6, uint64(p.FingerprintBits), 4, 6, 0, uint64(data[1])}, body)
		}
		var got Filter
		if err := got.UnmarshalBinary(data); err != nil {
			if got.table.taken != nil {
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
		for i := range uint64(300) { // and it works
			if err := got.AddHash(hashOf(8, i)); err != nil {
				break
			}
			if !got.ContainsHash(hashOf(8, i)) {
				t.Fatal("an added key is not found")
			}
		}
		for i := range uint64(300) {
			_ = got.RemoveHash(hashOf(8, i))
		}
	})
}
