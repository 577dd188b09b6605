package adapters

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func TestDecodedAnswersAlike(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		if s.Encode == nil || s.Decode == nil {
			t.Skip("it has no serialized form")
		}
		for _, n := range []int{0, 1, held} {
			f := filled(t, s, numbers(0, n))
			data := state(t, s, f)
			given := bytes.Clone(data)
			g, err := s.Decode(given)
			if err != nil {
				t.Fatalf("%d keys: %v", n, err)
			}
			for i := range given {
				given[i] ^= 0xff // a filter must not live in the caller's bytes
			}
			if !bytes.Equal(answers(g, 0, 10*held), answers(f, 0, 10*held)) {
				t.Errorf("%d keys: the decoded filter answers otherwise", n)
			}
			holds(t, g, n)
			if !bytes.Equal(state(t, s, g), data) {
				t.Errorf("%d keys: the decoded filter writes other bytes", n)
			}
			if a, ok := g.(sketchproof.Adder); ok && n < held {
				addAll(t, f, numbers(held-1, held))
				if err := a.Add(key(held - 1)); err != nil || !bytes.Equal(state(t, s, g), state(t, s, f)) {
					t.Errorf("%d keys: the decoded filter goes on otherwise: %v", n, err)
				}
			}
		}
	})
}

// refuses reports whether a subject refuses bytes, or reads a filter of which it
// writes those very bytes.
func refuses(t *testing.T, s Filter, data []byte) (refused, same bool) {
	t.Helper()
	f, err := s.Decode(data)
	if err != nil {
		return true, false
	}
	return false, bytes.Equal(state(t, s, f), data)
}

func TestDamagedBytesAreRefused(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		if s.Decode == nil || !native(s) {
			t.Skip("a library's, or without a serialized form")
		}
		data := state(t, s, built(t, s, sketchproof.FilterSpec{Keys: numbers(0, 40), Epsilon: 0.01, Seed: 1}))
		for n := range data {
			if refused, _ := refuses(t, s, data[:n:n]); !refused {
				t.Errorf("the first %d of %d bytes were taken", n, len(data))
			}
		}
		for i := range 8 * len(data) {
			bad := bytes.Clone(data)
			bad[i/8] ^= 1 << (i % 8)
			if refused, _ := refuses(t, s, bad); !refused {
				t.Errorf("flipped bit %d of byte %d of %d was taken", i%8, i/8, len(data))
			}
		}
		for name, bad := range map[string][]byte{
			"nothing": nil, "noise": bytes.Repeat([]byte{0xa5}, len(data)), "zeros": make([]byte, len(data)),
			"a byte more": append(bytes.Clone(data), 0), "twice": append(bytes.Clone(data), data...),
		} {
			if refused, _ := refuses(t, s, bad); !refused {
				t.Errorf("%s was taken", name)
			}
		}
	})
}

// Bytes of another subject are refused, unless it is the same form under another
// name: then it is the same filter.
func TestBytesOfAnotherSubjectAreRefused(t *testing.T) {
	written := map[string][]byte{}
	for _, s := range Filters {
		if s.Encode != nil {
			f := built(t, s, sketchproof.FilterSpec{Keys: numbers(0, 100), Epsilon: 0.01, Seed: 1})
			written[s.Name] = state(t, s, f)
		}
	}
	eachFilter(t, func(t *testing.T, s Filter) {
		if s.Decode == nil || !native(s) {
			t.Skip("a library's, or without a serialized form")
		}
		for other, data := range written {
			if refused, same := refuses(t, s, data); !refused && !same {
				t.Errorf("the bytes of %s were read as something else", other)
			}
		}
	})
}

// forgeries are headers that a checksum vouches for, with a word in each place
// that announces too little, too much, or nonsense.
func forgeries(data []byte) [][]byte {
	words := []uint64{0, 1, 3, 1 << 16, 1 << 24, 1<<31 - 1, 1 << 32, 1 << 36, 1 << 40, 1 << 56, math.MaxInt64, 1 << 63, math.MaxUint64}
	var list [][]byte
	for at := 4; at+16 <= min(len(data), 160); at += 4 {
		for _, word := range words {
			bad := bytes.Clone(data)
			binary.LittleEndian.PutUint64(bad[at:], word)
			list = append(list, sealed(bad))
		}
	}
	return list
}

// A checksum vouches for what was written, not for who may read it: a name, a
// version or a size that is not the reader's is refused, or means something else.
func TestForgedBytesAreRefusedOrMeanThemselves(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		if s.Decode == nil || !native(s) {
			t.Skip("a library's, or without a serialized form")
		}
		data := state(t, s, built(t, s, sketchproof.FilterSpec{Keys: numbers(0, 40), Epsilon: 0.01, Seed: 1}))
		for at := range min(len(data)-8, 160) {
			for _, b := range []byte{0, 1, 2, 5, '_', 0x7f, 0xff, data[at] + 1, data[at] - 1} {
				bad := bytes.Clone(data)
				if bad[at] = b; b == data[at] {
					continue
				}
				bad = sealed(bad)
				refused, same := refuses(t, s, bad)
				if !refused && !same {
					t.Fatalf("byte %d made %#x is read as something else", at, b)
				}
				if !refused && at < 9 { // magic, name of the structure, version
					t.Fatalf("byte %d of the name or version made %#x was taken", at, b)
				}
			}
		}
	})
}

// sealed renews the checksum of a frame: XXH64 of all before it, eight bytes.
func sealed(data []byte) []byte {
	body := data[:len(data)-8]
	return binary.LittleEndian.AppendUint64(body, hashing.XX(0).Bytes(body))
}

// Whoever forges bytes, checksum and all, gets an error or the filter that these
// bytes say, and never makes the reader allocate more than a few times of what
// was sent.
func TestForgedBytesAllocateNoMoreThanTheyAre(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		if s.Decode == nil || !native(s) {
			t.Skip("a library's, or without a serialized form")
		}
		data := state(t, s, built(t, s, sketchproof.FilterSpec{Keys: numbers(0, 40), Epsilon: 0.01, Seed: 1}))
		if !bytes.Equal(sealed(bytes.Clone(data)), data) {
			t.Fatal("the last eight bytes are not the checksum of a frame")
		}
		for _, bad := range forgeries(data) {
			before := allocated()
			f, err := s.Decode(bad)
			if grown := allocated() - before; grown > 4*uint64(len(bad))+8192 {
				t.Fatalf("%d bytes made the reader allocate %d (error %v):\n%x", len(bad), grown, err, bad)
			}
			if err != nil {
				continue
			}
			answers(f, 0, 100) // whatever they are, they are answers
			if !bytes.Equal(state(t, s, f), bad) {
				t.Fatalf("read as a filter that writes other bytes:\n%x\n%x", bad, state(t, s, f))
			}
		}
	})
}

// allocated is how many bytes were ever allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
