package quotient

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func build(tb testing.TB, slots uint64, r int, counting bool) *Filter {
	tb.Helper()
	p := Params{Slots: slots, RemainderBits: r, Hash: hashing.XX(1)}
	if counting {
		return &buildCounting(tb, p).Filter
	}
	f, err := New(p)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func buildCounting(tb testing.TB, p Params) *Counting {
	tb.Helper()
	c, err := NewCounting(p)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// countHash is Count for a Filter too.
func (f *Filter) countHash(hash uint64) uint64 {
	switch {
	case !f.ContainsHash(hash):
		return 0
	case f.counting:
		return f.countIn(hash)
	}
	return 1
}

// hashFor is the smallest hash of a fingerprint.
func (f *Filter) hashFor(fingerprint uint64) uint64 {
	q, rest := bits.Div64(fingerprint, 0, f.params.fingerprints())
	if rest > 0 {
		q++
	}
	return q
}

// laidOut is the filter of a multiset, made in one pass: what f must be whatever made
// it so.
func laidOut(tb testing.TB, p Params, counting bool, held map[uint64]uint64) *Filter {
	tb.Helper()
	to := builder{f: empty(p, counting)}
	for _, fingerprint := range slices.Sorted(maps.Keys(held)) {
		if !to.add(fingerprint, held[fingerprint]) {
			tb.Fatalf("fingerprint %d does not fit", fingerprint)
		}
	}
	return to.finish()
}

// agrees compares a filter with what it should hold, down to the last byte.
func agrees(tb testing.TB, f *Filter, held map[uint64]uint64) {
	tb.Helper()
	want := laidOut(tb, f.params, f.counting, held)
	if !f.Equal(want) || f.Len() != want.Len() || f.Used() != want.Used() {
		tb.Fatalf("%+v: the table of %d fingerprints differs (Len %d and %d, Used %d and %d)",
			f.params, len(held), f.Len(), want.Len(), f.Used(), want.Used())
	}
	got := maps.Collect(f.All())
	if !maps.Equal(got, held) {
		tb.Fatalf("%+v: All yields %v, want %v", f.params, got, held)
	}
}

// A drawing gives fingerprints below f.
type drawing struct {
	name string
	next func(rng *rand.Rand, f uint64) uint64
}

var drawings = []drawing{
	{"uniform", func(rng *rand.Rand, f uint64) uint64 { return rng.Uint64N(f) }},
	// Few quotients, at the front: long runs that reach over blocks.
	{"front", func(rng *rand.Rand, f uint64) uint64 { return rng.Uint64N(max(f/40, 1)) }},
	// At the end: the tail fills, and refuses.
	{"end", func(rng *rand.Rand, f uint64) uint64 { return f - 1 - rng.Uint64N(max(f/40, 1)) }},
	// Two clumps that grow together.
	{"clumps", func(rng *rand.Rand, f uint64) uint64 {
		if rng.Uint64()%2 == 0 {
			return f/4 + rng.Uint64N(max(f/100, 1))
		}
		return f/2 + rng.Uint64N(max(f/100, 1))
	}},
}

// Every step is tried against a map, and the bytes against a table laid out in one
// pass. In counting filters a fingerprint may be added many times at once.
func TestEveryStepAgainstAMap(t *testing.T) {
	for _, counting := range []bool{false, true} {
		for _, r := range []int{1, 2, 3, 8, 13, 48} {
			for _, slots := range []uint64{1, 2, 64, 65, 200, 400} {
				if r == 1 && counting {
					continue
				}
				for _, d := range drawings {
					t.Run(fmt.Sprintf("counting=%v/r=%d/slots=%d/%s", counting, r, slots, d.name), func(t *testing.T) {
						// Removal works on the runs of a Filter too: they count once each.
						steps(t, &Counting{*build(t, slots, r, counting)}, d)
					})
				}
			}
		}
	}
}

func steps(t *testing.T, c *Counting, d drawing) {
	f := &c.Filter
	rng := rand.New(rand.NewPCG(f.Slots(), uint64(f.RemainderBits())))
	held := map[uint64]uint64{}
	var drawn []uint64
	universe := f.params.fingerprints()
	rise := true
	for step := range 3*int(f.Slots()) + 20 {
		if rng.IntN(int(f.Slots())/2+10) == 0 {
			rise = !rise
		}
		fingerprint := d.next(rng, universe)
		if len(drawn) > 0 && rng.IntN(2) == 0 {
			fingerprint = drawn[rng.IntN(len(drawn))]
		}
		drawn = append(drawn, fingerprint)
		hash := f.hashFor(fingerprint)
		before := f.Clone()
		if rise {
			stepAdd(t, f, before, hash, fingerprint, held)
		} else {
			err := c.RemoveHash(hash)
			if (err == nil) != (held[fingerprint] > 0) || err != nil && !errors.Is(err, sketchproof.ErrNotFound) {
				t.Fatalf("step %d: Remove of a fingerprint held %d times: %v", step, held[fingerprint], err)
			}
			if err != nil && !f.Equal(before) {
				t.Fatal("a removal that found nothing changed the filter")
			}
			if held[fingerprint]--; err != nil || held[fingerprint] == 0 {
				delete(held, fingerprint)
			}
		}
		if f.countHash(hash) != held[fingerprint] || f.ContainsHash(hash) != (held[fingerprint] > 0) {
			t.Fatalf("step %d: Count is %d, want %d", step, f.countHash(hash), held[fingerprint])
		}
		if step%16 == 0 || f.Slots() < 70 && step%3 == 0 {
			agrees(t, f, held)
		}
	}
	for fingerprint := range held {
		if !f.ContainsHash(f.hashFor(fingerprint)) {
			t.Fatal("a fingerprint is lost")
		}
	}
	agrees(t, f, held)
}

// stepAdd adds a fingerprint, once or as often as takes its counter through several
// lengths. A refusal must be one of the table laid out in one pass, too.
func stepAdd(t *testing.T, f, before *Filter, hash, fingerprint uint64, held map[uint64]uint64) {
	times := 1
	if f.counting && hash%5 == 0 {
		times = 40
	}
	for range times {
		before.table.data = append(before.table.data[:0], f.table.data...)
		err := f.AddHash(hash)
		if err == nil {
			if held[fingerprint]++; !f.counting {
				held[fingerprint] = 1
			}
			continue
		}
		if !errors.Is(err, sketchproof.ErrFull) {
			t.Fatal(err)
		}
		if !bytes.Equal(f.table.data, before.table.data) {
			t.Fatal("a refusal changed the filter")
		}
		more := maps.Clone(held)
		more[fingerprint]++
		to, fits := builder{f: empty(f.params, f.counting)}, true
		for _, fp := range slices.Sorted(maps.Keys(more)) {
			fits = fits && to.add(fp, more[fp])
		}
		if fits {
			t.Fatal("refused what has room")
		}
		return
	}
}
