package reservoir

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// A stored is a sampler that has a serialized form.
type stored interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	Add(item uint64)
	Sample() []uint64
	Seen() uint64
}

// storedKinds make samplers of a capacity and seed, and empty ones to decode into.
var storedKinds = map[string]struct {
	build func(capacity int, seed uint64) (stored, error)
	zero  func() stored
}{
	"R":        {func(k int, seed uint64) (stored, error) { return New[uint64](k, seed) }, func() stored { return new(R[uint64]) }},
	"L":        {func(k int, seed uint64) (stored, error) { return NewL[uint64](k, seed) }, func() stored { return new(L[uint64]) }},
	"Weighted": {func(k int, seed uint64) (stored, error) { return NewWeighted[uint64](k, seed) }, func() stored { return new(Weighted[uint64]) }},
}

// show gives items from to to-1, of unlike weights where there are any.
func show(t *testing.T, s stored, from, to int) {
	t.Helper()
	w, weighted := s.(*Weighted[uint64])
	for i := from; i < to; i++ {
		if !weighted {
			s.Add(uint64(i))
		} else if err := w.AddWeighted(uint64(i), 1+float64(i%7)); err != nil {
			t.Fatal(err)
		}
	}
}

func marshal(t *testing.T, s stored) []byte {
	t.Helper()
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestStreamGoesOn: whatever the sampler held when it was written, what is read is
// the same bytes, and gives the same samples of the rest of the stream.
func TestStreamGoesOn(t *testing.T) {
	for name, kind := range storedKinds {
		for _, capacity := range []int{0, 1, 5, 40} {
			for _, written := range []int{0, 1, 5, 39, 40, 41, 500} {
				s, err := kind.build(capacity, 7)
				if err != nil {
					t.Fatal(err)
				}
				show(t, s, 0, written)
				data, copied := marshal(t, s), kind.zero()
				if err := copied.UnmarshalBinary(data); err != nil {
					t.Fatalf("%s of %d after %d: %v", name, capacity, written, err)
				}
				if !bytes.Equal(marshal(t, copied), data) {
					t.Errorf("%s of %d after %d: other bytes once read", name, capacity, written)
				}
				show(t, s, written, 2000)
				show(t, copied, written, 2000)
				if !slices.Equal(s.Sample(), copied.Sample()) || copied.Seen() != 2000 || !bytes.Equal(marshal(t, s), marshal(t, copied)) {
					t.Errorf("%s of %d after %d: %d, without the bytes %d", name, capacity, written, copied.Sample(), s.Sample())
				}
			}
		}
	}
}

// TestMergesAreRead: a merged sample is one that can be written.
func TestMergesAreRead(t *testing.T) {
	for _, n := range []int{3, 300} {
		a, _ := NewL[uint64](10, 1)
		b, _ := NewL[uint64](10, 2)
		v, _ := NewWeighted[uint64](10, 1)
		w, _ := NewWeighted[uint64](10, 2)
		for _, s := range []stored{a, b, v, w} {
			show(t, s, 0, n)
		}
		if err := errors.Join(a.Merge(b), v.Merge(w)); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(new(L[uint64]).UnmarshalBinary(marshal(t, a)), new(Weighted[uint64]).UnmarshalBinary(marshal(t, v))); err != nil {
			t.Error(err)
		}
	}
}

// TestSizes: the bytes are as many as the doc comments say.
func TestSizes(t *testing.T) {
	for name, want := range map[string]int{"R": 84 + 8*5, "L": 100 + 8*5, "Weighted": 84 + 16*5} {
		s, err := storedKinds[name].build(5, 1)
		if err != nil {
			t.Fatal(err)
		}
		show(t, s, 0, 50)
		if got := len(marshal(t, s)); got != want {
			t.Errorf("%s takes %d bytes, want %d", name, got, want)
		}
	}
}

func TestWhatHasNoForm(t *testing.T) {
	drawn, err := WithDraw[uint64](1, Hashed(hashing.XX(1)))
	if err != nil {
		t.Fatal(err)
	}
	texts, err := New[string](1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for want, s := range map[string]encoding.BinaryMarshaler{
		"other sources of draws": drawn, "only a sample of uint64": texts, "made with a seed": new(L[uint64]), "if it was made": new(Weighted[uint64]),
	} {
		if _, err := s.MarshalBinary(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: %v, want %q", s, err, want)
		}
	}
	numbers, err := New[uint64](1, 1)
	if err != nil {
		t.Fatal(err)
	}
	data := marshal(t, numbers)
	if err := texts.UnmarshalBinary(data); !errors.Is(err, errItems) {
		t.Errorf("numbers read as texts: %v", err)
	}
}

// word changes a word of a frame's payload, or its geometry where i is -2, and makes
// the checksum right again.
func word(data []byte, i int, value uint64) []byte {
	const payload = 28 + 8 + 8 // prefix, one geometry word, payload length
	data = bytes.Clone(data)
	binary.LittleEndian.PutUint64(data[payload+8*i:], value)
	return summed(data)
}

func summed(data []byte) []byte {
	end := len(data) - 8
	binary.LittleEndian.PutUint64(data[end:], xxhash.Sum64(data[:end]))
	return data
}

func TestCorruptBytes(t *testing.T) {
	full := map[string][]byte{}
	for name, kind := range storedKinds {
		s, err := kind.build(3, 1)
		if err != nil {
			t.Fatal(err)
		}
		show(t, s, 0, 20)
		full[name] = marshal(t, s)
	}
	l, _ := NewL[uint64](3, 1)
	short := marshal(t, l)
	v, _ := NewWeighted[uint64](3, 1)
	bits := math.Float64bits
	for _, c := range []struct {
		kind string
		data []byte
		says string
	}{
		{"R", full["L"], `named "RSVL"`},
		{"R", full["R"][:50], "fewer than"},
		{"R", word(full["R"], -2, 1<<63), "capacity 9223372036854775808"},
		{"R", word(full["R"], -2, 4), "3 words of a sample of 4 items"},
		{"R", word(full["R"], 0, 2), "3 words of a sample of 2 items"},
		{"R", word(full["R"], 1, 18), "18 replacements after 20 items"},
		{"L", word(full["L"], 1, 20), "number 20 comes next after 20 items"},
		{"L", word(full["L"], 2, bits(math.NaN())), "a highest tag of NaN"},
		{"L", word(full["L"], 2, bits(1.5)), "a highest tag of 1.5"},
		{"L", word(full["L"], 2, 1<<63), "a highest tag of -0"},
		{"L", word(full["L"], 3, 18), "18 replacements"},
		{"L", word(short, 1, 9), "number 9 comes next, in a sample that is not full"},
		{"L", word(short, 2, bits(0.5)), "a highest tag of 0.5"},
		{"Weighted", word(full["Weighted"], 1, bits(-1)), "a weight of -1 to pass over"},
		{"Weighted", word(full["Weighted"], 1, bits(math.NaN())), "a weight of NaN"},
		{"Weighted", word(marshal(t, v), 1, bits(1)), "a weight of 1 to pass over, 0 items of 3"},
		{"Weighted", word(full["Weighted"], 4, bits(-1)), "a tag of -1"},
		{"Weighted", word(full["Weighted"], 6, bits(math.Inf(1))), "tag 1 is above its parent"},
	} {
		s := storedKinds[c.kind].zero()
		if err := s.UnmarshalBinary(c.data); !errors.Is(err, frame.ErrCorrupt) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.kind, err, c.says)
		}
		if s.Seen() != 0 {
			t.Errorf("%s, %s: the sampler was changed", c.kind, c.says)
		}
	}
	hashed := bytes.Clone(full["R"])
	hashed[12]++ // a hash function's seed
	if err := new(R[uint64]).UnmarshalBinary(summed(hashed)); !errors.Is(err, frame.ErrCorrupt) {
		t.Errorf("a hash function: %v", err)
	}
}

// FuzzUnmarshal: no bytes panic, and those that are read are written again as they
// were, and take a stream.
func FuzzUnmarshal(f *testing.F) {
	for _, kind := range storedKinds {
		for _, n := range []int{0, 2, 50} {
			s, err := kind.build(4, 3)
			if err != nil {
				f.Fatal(err)
			}
			for i := range n {
				s.Add(uint64(i))
			}
			data, err := s.MarshalBinary()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= 8 {
			data = summed(bytes.Clone(data)) // or hardly any would come past the checksum
		}
		for name, kind := range storedKinds {
			s := kind.zero()
			if err := s.UnmarshalBinary(data); err != nil {
				if !errors.Is(err, frame.ErrCorrupt) {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if !bytes.Equal(marshal(t, s), data) {
				t.Errorf("%s is written otherwise than it was read", name)
			}
			if s.Seen() < math.MaxUint64-100 {
				show(t, s, 0, 100)
			}
		}
	})
}
