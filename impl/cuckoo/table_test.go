package cuckoo

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// findSlow looks at one slot after another, as the paper has it.
func findSlow(t *table, i, tag uint64) (at uint64, found bool) {
	for s := range t.width / uint64(t.f) {
		if at := t.slot(i, s); t.get(at) == tag {
			return at, true
		}
	}
	return 0, false
}

// everyGeometry calls fn for every tag length and number of slots.
func everyGeometry(fn func(p Params)) {
	for f := minBits; f <= maxBits; f++ {
		for b := 1; b <= maxSlots; b++ {
			fn(Params{Buckets: 13, Slots: b, FingerprintBits: f, MaxKicks: 20})
		}
	}
}

// everyForm calls fn for every geometry, plain and semi-sorted.
func everyForm(fn func(p Params)) {
	everyGeometry(fn)
	everySorted(fn)
}

func TestSlotsDoNotTouchEachOther(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	everyGeometry(func(p Params) {
		tb := newTable(p)
		want := make([]uint64, p.Buckets*uint64(p.Slots))
		for range 4 * len(want) {
			s := r.IntN(len(want))
			want[s] = r.Uint64() & tb.mask
			tb.put(uint64(s)*uint64(tb.f), want[s])
		}
		got := make([]uint64, len(want))
		for s := range got {
			got[s] = tb.get(uint64(s) * uint64(tb.f))
		}
		if !slices.Equal(got, want) {
			t.Errorf("f %d, b %d: %x, want %x", p.FingerprintBits, p.Slots, got, want)
		}
	})
}

func TestWordParallelSearchIsSlotBySlotSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	everyGeometry(func(p Params) {
		tb := newTable(p)
		// Tags that differ in one bit, in the highest bit, or by one from the tag
		// looked for, and empty slots: where a borrow could leak.
		tags := []uint64{0, 1, 2, 3, tb.mask, tb.mask - 1, tb.mask>>1 + 1, tb.mask >> 1}
		for range 30 {
			for s := range p.Buckets * uint64(p.Slots) {
				tb.put(s*uint64(tb.f), tags[r.IntN(len(tags))])
			}
			for i := range p.Buckets {
				for _, tag := range tags {
					at, found := tb.find(i, tag)
					wantAt, want := findSlow(&tb, i, tag)
					if found != want || found && at != wantAt {
						t.Fatalf("f %d, b %d, bucket %d, tag %d: slot at %d %v, want %d %v",
							p.FingerprintBits, p.Slots, i, tag, at, found, wantAt, want)
					}
					if tb.form == octets && (tb.octets(i, tag) != 0) != want || tb.form == window && (tb.match(i, tag) != 0) != want {
						t.Fatalf("f %d, b %d: look-up in one load differs", p.FingerprintBits, p.Slots)
					}
				}
			}
		}
	})
}
