package quotient

import (
	"bytes"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func TestSelectBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := []uint64{1, 1 << 63, math.MaxUint64, highs, ones, 0xff, 0xff << 56}
	for range 2000 {
		words = append(words, rng.Uint64(), rng.Uint64()&rng.Uint64()&rng.Uint64(), rng.Uint64()|rng.Uint64())
	}
	for _, w := range words {
		rest := w
		for k := 1; rest != 0; k++ {
			if got, want := selectBit(w, k), uint64(bits.TrailingZeros64(rest)); got != want {
				t.Fatalf("bit %d of %x: %d, want %d", k, w, got, want)
			}
			rest &= rest - 1
		}
	}
}

// More entries of one quotient than an offset counts: the offsets of the blocks
// behind are saturated, those after them not. Every entry must stay in reach while the
// run grows, while entries of other quotients come behind it, and while it goes.
func TestOffsetsBeyondTheirSixteenBits(t *testing.T) {
	const run = saturated + 300
	const q = 70
	held := map[uint64]uint64{}
	for i := range uint64(run) {
		held[q<<20+3*i] = 1
	}
	p := Params{Slots: 1 << 17, RemainderBits: 20, Hash: hashing.XX(1)}
	c := &Counting{*laidOut(t, p, true, held)}
	f := &c.Filter
	add := func(fingerprint uint64) {
		t.Helper()
		if err := f.AddHash(f.hashFor(fingerprint)); err != nil {
			t.Fatal(err)
		}
		held[fingerprint] = 1
	}
	remove := func(fingerprint uint64) {
		t.Helper()
		if err := c.RemoveHash(f.hashFor(fingerprint)); err != nil {
			t.Fatal(err)
		}
		delete(held, fingerprint)
	}
	for i := range uint64(40) {
		add((q+100+97*i)<<20 + i)
		add((q+saturated+97*i)<<20 + i)
		add(q<<20 + 3*(run-40+i) + 1)
	}
	if f.table.storedOffset(2) != saturated || f.table.offset(2) <= saturated {
		t.Fatalf("the offset of block 2 is %d, stored as %d", f.table.offset(2), f.table.storedOffset(2))
	}
	agrees(t, f, held)
	for i := range uint64(40) {
		if !f.ContainsHash(f.hashFor((q+100+97*i)<<20 + i)) {
			t.Fatal("an entry behind the long run is lost")
		}
		if f.ContainsHash(f.hashFor((q+100+97*i)<<20 + i + 1)) {
			t.Fatal("an entry behind the long run is found that was never added")
		}
	}
	// Entries from before the run, whose blocks' offsets are exact, join it.
	for i := range uint64(80) {
		add(10<<20 + i)
	}
	agrees(t, f, held)
	for i := range uint64(80) {
		remove(10<<20 + i)
		if i < 2 || i == 79 {
			agrees(t, f, held)
		}
	}
	for i := range uint64(400) { // through the point where offsets are exact again
		remove(q<<20 + 3*(run-1-i))
	}
	agrees(t, f, held)
}

// fillWith adds the keys number 0 to n-1.
func fillWith(tb testing.TB, f *Filter, n int) {
	tb.Helper()
	for i := range n {
		if err := f.Add(uint64(i)); err != nil {
			tb.Fatalf("key %d of %d: %v", i, n, err)
		}
	}
}

func TestFillsToTheLastSlot(t *testing.T) {
	for _, slots := range []uint64{1, 10, 100, 1000, 20000} {
		f := build(t, slots, 30, false) // equal fingerprints: 1 in 10^5 such tables
		fillWith(t, f, int(slots))
		if f.Used() != slots || f.Load() != 1 {
			t.Errorf("%d of %d slots used", f.Used(), slots)
		}
		before := f.Clone()
		if err := f.Add(1 << 40); !errors.Is(err, sketchproof.ErrFull) || !f.Equal(before) {
			t.Errorf("one key more: %v", err)
		}
		if err := f.Add(0); err != nil || !f.Equal(before) {
			t.Errorf("a key that is held: %v", err)
		}
		c := buildCounting(t, f.params)
		fillWith(t, &c.Filter, int(slots))
		if err := c.Add(0); !errors.Is(err, sketchproof.ErrFull) {
			t.Errorf("a second copy without room: %v", err)
		}
		for i := range slots {
			if err := c.Remove(i); err != nil {
				t.Fatal(err)
			}
		}
		if !c.Equal(buildCounting(t, f.params)) || c.Len() != 0 || c.Used() != 0 {
			t.Error("not empty after the last key went")
		}
	}
}

// Merged and resized filters are those built anew, byte for byte, copies included.
func TestMergedAndResizedFiltersAreTheRebuiltOnes(t *testing.T) {
	for _, counting := range []bool{false, true} {
		for _, slots := range []uint64{64, 1000, 5000} {
			p := Params{Slots: slots, RemainderBits: 9, Hash: hashing.XX(7)}
			of := func(p Params, ranges ...int) *Filter {
				f := empty(p, counting)
				for i := 0; i < len(ranges); i += 2 {
					for key := ranges[i]; key < ranges[i+1]; key++ {
						if err := f.Add(uint64(key)); err != nil {
							t.Fatal(err)
						}
					}
				}
				return f
			}
			half := p
			half.Slots, half.RemainderBits = p.Slots/2, p.RemainderBits+1
			n := int(slots)
			a, b := of(p, 0, n/3), of(half, n/5, n/2)
			source := b.Clone()
			if err := a.Merge(b); err != nil {
				t.Fatal(err)
			}
			if want := of(p, 0, n/3, n/5, n/2); !a.Equal(want) || a.Len() != want.Len() || a.Used() != want.Used() {
				t.Errorf("%+v: the merger is not the filter of both", p)
			}
			if !b.Equal(source) {
				t.Error("a merger changed its source")
			}
			grown := of(half, 0, n/3)
			if err := grown.Grow(); err != nil || !grown.Equal(of(p, 0, n/3)) {
				t.Errorf("%+v: doubled, it is not the filter of that geometry (%v)", half, err)
			}
			if err := grown.Shrink(); err != nil || !grown.Equal(of(half, 0, n/3)) {
				t.Errorf("%+v: halved, it is not the filter of that geometry (%v)", p, err)
			}
			full := of(p, 0, n*6/10)
			before := full.Clone()
			if err := full.Shrink(); !errors.Is(err, sketchproof.ErrFull) || !full.Equal(before) {
				t.Errorf("halved at 60 %%: %v", err)
			}
			if err := full.Merge(of(p, n, n+n/2)); !errors.Is(err, sketchproof.ErrFull) || !full.Equal(before) {
				t.Errorf("merged beyond its slots: %v", err)
			}
			if err := full.Grow(); err != nil {
				t.Fatal(err)
			}
			if err := full.Merge(of(p, n, n+n/2)); err != nil {
				t.Errorf("merged after it grew: %v", err)
			}
		}
	}
}

func TestMergeNamesTheDifference(t *testing.T) {
	p := Params{Slots: 100, RemainderBits: 8, Hash: hashing.XX(1)}
	for name, change := range map[string]func(*Params){
		"101 slots": func(p *Params) { p.Slots = 101 },
		"of 9 have": func(p *Params) { p.RemainderBits = 9 },
		"seed 2":    func(p *Params) { p.Hash = hashing.XX(2) },
		"siphash":   func(p *Params) { p.Hash = hashing.Keyed([16]byte{}) },
	} {
		q := p
		change(&q)
		f, err1 := New(p)
		g, err2 := New(q)
		if err := errors.Join(err1, err2, f.Add(1), g.Add(2)); err != nil {
			t.Fatal(err)
		}
		before := f.Clone()
		if err := f.Merge(g); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if !f.Equal(before) || f.Equal(g) {
			t.Errorf("%s: changed, or equal", name)
		}
	}
	a, b := Params{Slots: 9, RemainderBits: 3, Hash: hashing.Keyed([16]byte{1})}, Params{Slots: 9, RemainderBits: 3, Hash: hashing.Keyed([16]byte{2})}
	if err := empty(a, true).Merge(empty(a, false)); err == nil || !strings.Contains(err.Error(), "counting") {
		t.Errorf("a set and a multiset: %v", err)
	}
	if err := empty(a, false).Merge(empty(b, false)); err == nil || !strings.Contains(err.Error(), "two keys") {
		t.Errorf("two keys: %v", err)
	}
}

func TestGeometriesOutOfRange(t *testing.T) {
	xx := hashing.XX(1)
	for _, p := range []Params{
		{Slots: 0, RemainderBits: 8, Hash: xx},
		{Slots: MaxSlots + 1, RemainderBits: 8, Hash: xx},
		{Slots: math.MaxUint64, RemainderBits: 8, Hash: xx},
		{Slots: 10, RemainderBits: 0, Hash: xx},
		{Slots: 10, RemainderBits: -1, Hash: xx},
		{Slots: 10, RemainderBits: 49, Hash: xx},
		{Slots: 1<<12 + 1, RemainderBits: 48, Hash: xx},
		{Slots: 10, RemainderBits: 8},
	} {
		if f, err := New(p); err == nil || f != nil {
			t.Errorf("%+v was accepted", p)
		}
	}
	if _, err := NewCounting(Params{Slots: 10, RemainderBits: 1, Hash: xx}); err == nil {
		t.Error("counters of one bit were accepted")
	}
	one := build(t, 10, 1, false)
	if err := one.Grow(); err == nil {
		t.Error("a remainder of one bit was shortened")
	}
	if err := build(t, 11, 4, false).Shrink(); err == nil {
		t.Error("eleven slots were halved")
	}
	if err := build(t, 10, 48, false).Shrink(); err == nil {
		t.Error("a remainder of 48 bits was lengthened")
	}
}

func TestSizeKeepsItsRate(t *testing.T) {
	for _, n := range []uint64{1, 2, 19, 20, 1000, 1e6, 1e9} {
		for _, eps := range []float64{0.99, 0.5, 0.1, 0.01, 0.0038, 1e-3, 1e-6} {
			p, err := Size(n, eps)
			if err != nil {
				t.Fatal(err)
			}
			if got := FPRExact(p.Slots, uint(p.RemainderBits), n); got > eps {
				t.Errorf("n=%d eps=%g: %g", n, eps, got)
			}
			if p.RemainderBits > 2 && FPRExact(p.Slots, uint(p.RemainderBits-1), n) <= eps {
				t.Errorf("n=%d eps=%g: %d remainder bits are one too many", n, eps, p.RemainderBits)
			}
			if load := float64(n) / float64(p.Slots); load > MaxLoadRankSelect {
				t.Errorf("n=%d: load %g", n, load)
			}
		}
	}
	for _, bad := range []struct {
		n   uint64
		eps float64
	}{{0, 0.1}, {10, 0}, {10, 1}, {10, -1}, {10, math.NaN()}, {10, math.Inf(1)}, {1, 1e-30}, {1e9, 1e-15}, {math.MaxUint64, 0.1}} {
		if p, err := Size(bad.n, bad.eps); err == nil {
			t.Errorf("n=%d eps=%g gave %+v", bad.n, bad.eps, p)
		}
	}
}

// 1 - (1 - 1/F)^n: with two slots of one bit, F = 4, two keys fill 7/16.
func TestFPRExact(t *testing.T) {
	if got := FPRExact(2, 1, 2); !(math.Abs(got-7.0/16) <= 1e-15) {
		t.Errorf("%g", got)
	}
	if got, limit := FPRExact(1e9, 8, 9e8), FPR(8, 0.9); !(math.Abs(got/limit-1) <= 1e-11) {
		t.Errorf("%g, limit %g", got, limit)
	}
}

// The number of absent keys found is the share of fingerprints held: 10^5 looks at
// 0.9/2^6 give 1397 +- 37 by looks, 0.6 % more by what the table drew.
func TestRateIsTheLaws(t *testing.T) {
	const n, looks = 9000, 100000
	f := build(t, 10000, 6, false)
	fillWith(t, f, n)
	found := 0
	for i := range uint64(looks) {
		if f.Contains(1<<40 + i) {
			found++
		}
	}
	want := FPRExact(10000, 6, n) * looks
	if math.Abs(float64(found)-want) > 6*math.Sqrt(want) {
		t.Errorf("%d of %d found, the law says %.0f", found, looks, want)
	}
}

func TestCountsCopies(t *testing.T) {
	f := buildCounting(t, Params{Slots: 1000, RemainderBits: 8, Hash: hashing.XX(1)})
	for key := range uint64(40) {
		for range key * key {
			if err := f.Add(key); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Fingerprints of 18 bits: two of the 40 keys share one in 0.3 % of seeds.
	for key := range uint64(40) {
		if got := f.Count(key); got != key*key {
			t.Errorf("key %d is counted %d times, was added %d times", key, got, key*key)
		}
	}
	if f.Len() != 20540 || f.Used() > 39*5 { // the sum of squares to 39; five slots hold 3 + 254^2 and more
		t.Errorf("Len %d, Used %d", f.Len(), f.Used())
	}
	for range 39 * 39 {
		if err := f.Remove(39); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Remove(39); !errors.Is(err, sketchproof.ErrNotFound) || f.Contains(39) || f.Count(39) != 0 {
		t.Errorf("one removal too many: %v", err)
	}
}

// A filter that merges with itself doubles its counts, to the most that is counted.
func TestCountsHaveAnEnd(t *testing.T) {
	for _, r := range []int{2, 8} {
		f := buildCounting(t, Params{Slots: 1000, RemainderBits: r, Hash: hashing.XX(1)})
		keys := []uint64{0, 1, 2, 3, 4, 5, 6, 7}
		if n, err := f.AddBatch(keys); n != len(keys) || err != nil {
			t.Fatal(n, err)
		}
		most := uint64(0)
		for _, key := range keys {
			most = max(most, f.Count(key))
		}
		count := f.Count(0)
		for ; most*2 <= maxCount; most, count = most*2, count*2 {
			if err := f.Merge(f); err != nil {
				t.Fatal(err)
			}
		}
		if f.Count(0) != count {
			t.Errorf("r=%d: counts %d, want %d", r, f.Count(0), count)
		}
		before := f.Clone()
		if err := f.Merge(f); !errors.Is(err, sketchproof.ErrFull) || !f.Equal(before) {
			t.Errorf("r=%d: counted beyond the end: %v", r, err)
		}
		var g Counting
		if err := g.UnmarshalBinary(stored(t, &f.Filter)); err != nil || !g.Equal(f) {
			t.Errorf("r=%d: read as another: %v", r, err)
		}
		for _, key := range keys {
			err := f.Add(key)
			if wantFull := before.Count(key) == maxCount; errors.Is(err, sketchproof.ErrFull) != wantFull {
				t.Errorf("r=%d: the copy after %d: %v", r, before.Count(key), err)
			}
		}
	}
}

func TestBatchesAreSingleCalls(t *testing.T) {
	for _, counting := range []bool{false, true} {
		a, b := build(t, 900, 7, counting), build(t, 900, 7, counting)
		keys, texts := make([]uint64, 1000), make([][]byte, 1000)
		for i := range keys {
			keys[i], texts[i] = uint64(i), []byte{byte(i), byte(i >> 8), 'x'}
		}
		n, err := a.AddBatch(keys[:400])
		m, err2 := a.AddBytesBatch(texts[:200])
		if n != 400 || m != 200 || errors.Join(err, err2) != nil {
			t.Fatal(n, m, err, err2)
		}
		for i := range 400 {
			_ = b.Add(keys[i])
		}
		for i := range 200 {
			_ = b.AddBytes(texts[i])
		}
		if !a.Equal(b) {
			t.Fatal("batches built another filter")
		}
		found, foundTexts := make([]bool, 1001), make([]bool, 1000)
		found[1000] = true
		a.ContainsBatch(keys, found)
		a.ContainsBytesBatch(texts, foundTexts)
		count, countTexts := 0, 0
		for i := range keys {
			if found[i] != b.Contains(keys[i]) || foundTexts[i] != b.ContainsBytes(texts[i]) {
				t.Fatalf("key %d", i)
			}
			if found[i] {
				count++
			}
			if foundTexts[i] {
				countTexts++
			}
		}
		if !found[1000] || a.CountBatch(keys) != count || a.CountBytesBatch(texts) != countTexts {
			t.Error("counts differ")
		}
		added := uint64(0)
		more := make([]uint64, 2000)
		for i := range more {
			more[i] = 1<<40 + uint64(i)
		}
		n, err = a.AddBatch(more)
		for ; added < uint64(len(more)) && b.Add(more[added]) == nil; added++ {
		}
		if !errors.Is(err, sketchproof.ErrFull) || uint64(n) != added || !a.Equal(b) {
			t.Errorf("a batch into a full filter added %d (%v), single calls %d", n, err, added)
		}
	}
}

func TestByteStringsComeAndGo(t *testing.T) {
	c := buildCounting(t, Params{Slots: 100, RemainderBits: 16, Hash: hashing.XX(1)})
	for i := range 60 {
		if err := c.AddBytes([]byte{byte(i / 2), 'x'}); err != nil {
			t.Fatal(err)
		}
	}
	copied := c.Clone()
	for i := range 30 {
		text := []byte{byte(i), 'x'}
		if got := c.CountBytes(text); got != 2 {
			t.Errorf("string %d is held %d times", i, got)
		}
		if err := errors.Join(c.RemoveBytes(text), c.RemoveBytes(text)); err != nil || c.ContainsBytes(text) {
			t.Errorf("string %d: %v", i, err)
		}
	}
	if c.Len() != 0 || copied.Len() != 60 || copied.Equal(c) {
		t.Errorf("%d and %d strings left", c.Len(), copied.Len())
	}
}

func TestResetAndSpace(t *testing.T) {
	f := build(t, 1e6, 8, false)
	if bitsPerSlot := 8 * float64(f.SizeBytes()) / 1e6; bitsPerSlot > 10.3 {
		t.Errorf("%g bits a slot", bitsPerSlot)
	}
	fillWith(t, f, 1000)
	f.Reset()
	if !f.Equal(build(t, 1e6, 8, false)) || f.Len() != 0 || f.Used() != 0 {
		t.Error("Reset leaves something")
	}
	if f.Params() != (Params{Slots: 1e6, RemainderBits: 8, Hash: hashing.XX(1)}) {
		t.Errorf("%+v", f.Params())
	}
}

func TestManyReaders(t *testing.T) {
	f := buildCounting(t, Params{Slots: 2000, RemainderBits: 8, Hash: hashing.XX(1)})
	fillWith(t, &f.Filter, 1500)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i := range uint64(1500) {
				if !f.Contains(i) || f.Count(i) == 0 {
					t.Error("a key is lost")
					return
				}
			}
		})
	}
	wait.Wait()
}

func TestAllStopsWhenAsked(t *testing.T) {
	f := build(t, 100, 8, false)
	fillWith(t, f, 50)
	seen := []uint64{}
	for fingerprint := range f.All() {
		if seen = append(seen, fingerprint); len(seen) == 3 {
			break
		}
	}
	if len(seen) != 3 || !slices.IsSorted(seen) {
		t.Errorf("%v", seen)
	}
}

func stored(tb testing.TB, f *Filter) []byte {
	tb.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		tb.Fatal(err)
	}
	if more, err := f.AppendBinary([]byte("x")); err != nil || !bytes.Equal(more[1:], data) {
		tb.Fatal("AppendBinary appends something else")
	}
	return data
}
