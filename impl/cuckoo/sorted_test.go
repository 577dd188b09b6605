package cuckoo

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// everySorted calls fn for every tag length of semi-sorted buckets.
func everySorted(fn func(p Params)) {
	for f := highBits + 1; f <= maxBits; f++ {
		fn(Params{Buckets: 13, Slots: sortedSlots, FingerprintBits: f, SemiSorted: true, MaxKicks: 20})
	}
}

func TestRanksAreThoseOfAllMultisets(t *testing.T) {
	seen := map[uint16]bool{}
	for rank, m := range highsOf {
		if rank >= multisets {
			if m != 0 {
				t.Errorf("rank %d is given out", rank)
			}
			continue
		}
		if seen[m] || m&15 > m>>4&15 || m>>4&15 > m>>8&15 || m>>8&15 > m>>12 {
			t.Errorf("rank %d: %04x twice or out of order", rank, m)
		}
		seen[m] = true
	}
	if len(seen) != multisets || highsOf[0] != 0 {
		t.Errorf("%d multisets, want %d; the first is %04x", len(seen), multisets, highsOf[0])
	}
}

func TestSemiSortedBucketsKeepTheirTags(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	everySorted(func(p Params) {
		tb := newTable(p)
		want := make([]tags, p.Buckets)
		for range 200 {
			i := r.Uint64N(p.Buckets)
			var v tags
			for s := range v {
				v[s] = r.Uint64() & tb.mask
				if r.IntN(3) == 0 { // few values, so that some are alike in part or whole
					v[s] = []uint64{0, 1, tb.mask, tb.mask >> highBits, tb.mask>>highBits + 1}[r.IntN(5)]
				}
			}
			tb.sort(i, v)
			slices.Sort(v[:])
			want[i] = v
		}
		for i, v := range want {
			if got := tb.unsort(uint64(i)); got != v {
				t.Fatalf("f %d, bucket %d: %x, want %x", p.FingerprintBits, i, got, v)
			}
			for _, tag := range []uint64{0, 1, tb.mask, v[2], v[2] ^ 1, v[1] ^ 1<<(tb.f-1)} {
				if got := tb.holdsSorted(uint64(i), tag) == 1; got != slices.Contains(v[:], tag) {
					t.Fatalf("f %d: %x holds %x: %v", p.FingerprintBits, v, tag, got)
				}
			}
		}
	})
}

// The form of the buckets is no part of what a filter answers, and takes one bit
// a slot less.
func TestSemiSortedAnswersAsPlain(t *testing.T) {
	for _, f := range []int{5, 8, 13, 16, 17, 18, 32} {
		p := Params{Buckets: 1001, Slots: 4, FingerprintBits: f, Hash: hashing.XX(5)}
		n := uint64(3700)
		if f == 5 {
			n = 3300 // tags so short crowd
		}
		plain, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		p.SemiSorted = true
		semi, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		for key := range n {
			if a, b := plain.Add(key), semi.Add(key); a != nil || b != nil {
				t.Fatalf("f %d, key %d: %v, %v", f, key, a, b)
			}
		}
		for key := n; key > n/2; key-- {
			if a, b := plain.Remove(key-1), semi.Remove(key-1); a != nil || b != nil {
				t.Fatalf("f %d, key %d: %v, %v", f, key, a, b)
			}
		}
		for key := range uint64(20000) {
			if a, b := plain.Contains(key), semi.Contains(key); a != b || key < n/2 && !b {
				t.Fatalf("f %d, key %d: plain %v, semi-sorted %v", f, key, a, b)
			}
		}
		if semi.Len() != plain.Len() {
			t.Errorf("f %d: %d keys held, plain %d", f, semi.Len(), plain.Len())
		}
		if a, b := len(stored(t, plain)), len(stored(t, semi)); a-b != 500 && a-b != 501 { // of 4004 bits
			t.Errorf("f %d: %d bytes, plain %d", f, b, a)
		}
	}
}

func TestSemiSortedBadParams(t *testing.T) {
	good := Params{Buckets: 8, Slots: 4, FingerprintBits: 5, SemiSorted: true, Hash: hashing.XX(1)}
	if _, err := New(good); err != nil {
		t.Error(err)
	}
	short, slots := good, good
	short.FingerprintBits, slots.Slots = 4, 3
	for _, p := range []Params{short, slots} {
		if _, err := New(p); err == nil {
			t.Errorf("%+v: accepted", p)
		}
	}
}

func TestUnmarshalRefusesUnsorted(t *testing.T) {
	sortedBytes := func(bucket uint64) []byte { // f 8: 12 bits of rank, four times four low bits
		payload := []byte{byte(bucket), byte(bucket >> 8), byte(bucket >> 16), byte(bucket >> 24)}[:4]
		h := frame.Header{Structure: structureSorted, Version: version, Hash: hashing.XX(1), Geometry: []uint64{1, 4, 8, 500}}
		return frame.Encode(h, 4, func(b []byte) []byte { return append(b, payload...) })
	}
	var f Filter
	if err := f.UnmarshalBinary(sortedBytes(0x2100 << 12)); err != nil || f.Len() != 2 || !f.Params().SemiSorted {
		t.Errorf("tags 0, 0, 1, 2: %v, %d keys", err, f.Len())
	}
	before := stored(t, &f)
	for name, data := range map[string][]byte{
		"equal high bits out of order": sortedBytes(0x1200 << 12),
		"rank too high":                sortedBytes(multisets),
		"28 bits, one more":            sortedBytes(1 << 28)[:40],
	} {
		if err := f.UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !bytes.Equal(before, stored(t, &f)) {
		t.Error("refused bytes changed the filter")
	}
	plain := build(t, 8, 4, 8)
	semi, err := New(Params{Buckets: 8, Slots: 4, FingerprintBits: 8, SemiSorted: true, Hash: plain.Params().Hash})
	if err != nil {
		t.Fatal(err)
	}
	if plain.Equal(semi) {
		t.Error("a plain filter equals a semi-sorted one")
	}
}
