package infini

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func must(t testing.TB, p Params) *Filter {
	t.Helper()
	f, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// hashOf is one of endless distinct random hashes.
func hashOf(seed, i uint64) uint64 { return hashing.Mix(seed<<32 + (i+1)*hashing.Gamma) }

// A model is what the filter is: a multiset of prefixes of hashes.
type model map[prefix]int

// A prefix is the first bits of a hash, the others 0.
type prefix struct {
	hash uint64
	bits int
}

func first(hash uint64, n int) prefix { return prefix{hash >> (64 - n) << (64 - n), n} }

// longest is the longest prefix held that the hash starts with.
func (m model) longest(hash uint64) (prefix, bool) {
	for n := 64; n > 0; n-- {
		if p := first(hash, n); m[p] > 0 {
			return p, true
		}
	}
	return prefix{}, false
}

// stored is the prefix under which the filter stores a hash now.
func (f *Filter) stored(hash uint64) prefix {
	return first(hash, f.table.log+f.params.FingerprintBitsOf(f.Doublings()))
}

// sound checks that the table is one: as the decoder does, and by its count.
func sound(t *testing.T, f *Filter) {
	t.Helper()
	if entries, ok := f.table.valid(); !ok || entries != f.entries {
		t.Fatalf("after %d keys the table is broken: %d entries, %d counted", f.keys, entries, f.entries)
	}
}

// The answers are those of the model, key for key, through up to nine doublings,
// also where fingerprints have run out of bits. The hashes asked for share long
// prefixes with those held.
func TestAnswersAreThoseOfASetOfPrefixes(t *testing.T) {
	for seed, p := range []Params{
		{Log: 6, FingerprintBits: 2, Stretch: 16},
		{Log: 6, FingerprintBits: 2, Stretch: 1},
		{Log: 7, FingerprintBits: 5, Stretch: 4},
		{Log: 6, FingerprintBits: 24, Stretch: 2},
		{Log: 12, FingerprintBits: 3, Stretch: 3},
	} {
		p.Hash = hashing.XX(0)
		f, m, r := must(t, p), model{}, rand.New(rand.NewPCG(uint64(seed), 0))
		var held []uint64
		for len(held) < 20_000 {
			h := r.Uint64()
			if len(held) > 0 && r.IntN(20) == 0 {
				h = held[r.IntN(len(held))] // again, or nearly
				h ^= uint64(r.IntN(2)) << r.IntN(64)
			}
			if err := f.AddHash(h); err != nil {
				t.Fatal(err)
			}
			m[f.stored(h)]++
			if held = append(held, h); len(held)%2000 != 0 && len(held) > 100 {
				continue
			}
			sound(t, f)
			for i := range 400 {
				h := held[r.IntN(len(held))]
				if i%2 == 1 {
					h ^= r.Uint64() >> r.IntN(50)
				}
				if _, want := m.longest(h); f.ContainsHash(h) != want {
					t.Fatalf("%+v, %d keys: %x is %v", p, len(held), h, !want)
				}
			}
		}
		for _, h := range held {
			if !f.ContainsHash(h) {
				t.Fatalf("%+v: %x is lost", p, h)
			}
		}
		if f.Len() != 20_000 || f.Load() > 0.9 || f.Slots() != 1<<(p.Log+f.Doublings()) {
			t.Errorf("%+v: %d keys, load %v", p, f.Len(), f.Load())
		}
	}
}

// Adding and removing in any order, the filter is the model as long as every
// fingerprint has a bit: the longest prefix that matches goes.
func TestRemovalTakesTheLongestPrefix(t *testing.T) {
	for seed := range uint64(4) {
		f, m, r := must(t, Params{Log: 6, FingerprintBits: 9, Stretch: 3, Hash: hashing.XX(0)}), model{}, rand.New(rand.NewPCG(seed, 1))
		var held []uint64
		for step := range 20_000 {
			if r.IntN(100) < 55-10*(step/10_000) { // grows, then shrinks
				h := r.Uint64()
				if len(held) > 0 && r.IntN(4) == 0 {
					h = held[r.IntN(len(held))] ^ uint64(r.IntN(2))<<r.IntN(64)
				}
				if err := f.AddHash(h); err != nil {
					t.Fatal(err)
				}
				m[f.stored(h)]++
				held = append(held, h)
			} else {
				var h uint64
				if len(held) > 0 && r.IntN(10) > 0 {
					i := r.IntN(len(held))
					h = held[i]
					held[i] = held[len(held)-1]
					held = held[:len(held)-1]
				} else { // a stranger, absent for certain
					for h = r.Uint64(); ; h = r.Uint64() {
						if _, ok := m.longest(h); !ok {
							break
						}
					}
				}
				p, ok := m.longest(h)
				if err := f.RemoveHash(h); ok != (err == nil) || !ok && !errors.Is(err, sketchproof.ErrNotFound) {
					t.Fatalf("step %d: %v, found %v", step, err, ok)
				}
				if ok {
					m[p]--
				}
			}
			if f.Len() != len(held) {
				t.Fatalf("step %d: %d keys, want %d", step, f.Len(), len(held))
			}
			if step%500 != 0 {
				continue
			}
			sound(t, f)
			for i := range 200 {
				h := r.Uint64()
				if i%2 == 1 && len(held) > 0 {
					h = held[r.IntN(len(held))]
				}
				if _, want := m.longest(h); f.ContainsHash(h) != want {
					t.Fatalf("step %d: %x is %v", step, h, !want)
				}
			}
		}
	}
}

// With fingerprints that have run out of bits, removal loses no key that is
// still held, and the last key leaves a filter that finds nothing to remove.
func TestRemovalOfTheOldestLosesNoOther(t *testing.T) {
	f := must(t, Params{Log: 6, FingerprintBits: 2, Stretch: 16, Hash: hashing.XX(0)})
	const n = 20_000
	for i := range uint64(n) {
		if err := f.AddHash(hashOf(1, i)); err != nil {
			t.Fatal(err)
		}
	}
	if f.Lengths()[0] == 0 || f.entries == f.keys {
		t.Fatal("no fingerprint is spent")
	}
	for i := range uint64(n) {
		if err := f.RemoveHash(hashOf(1, i)); err != nil {
			t.Fatalf("key %d: %v", i, err)
		}
		if i%1000 != 999 {
			continue
		}
		sound(t, f)
		for j := i + 1; j < n; j++ {
			if !f.ContainsHash(hashOf(1, j)) {
				t.Fatalf("with key %d went key %d", i, j)
			}
		}
	}
	if err := f.RemoveHash(hashOf(1, 0)); f.Len() != 0 || !errors.Is(err, sketchproof.ErrNotFound) {
		t.Errorf("%d keys left, %v", f.Len(), err)
	}
}

// What a doubling promises: no answer changes.
func TestDoublingChangesNoAnswer(t *testing.T) {
	f := must(t, Params{Log: 8, FingerprintBits: 3, Stretch: 5, Hash: hashing.XX(0)})
	for i := range uint64(200) {
		if err := f.AddHash(hashOf(2, i)); err != nil {
			t.Fatal(err)
		}
	}
	before := make([]bool, 20_000)
	for i := range before {
		before[i] = f.ContainsHash(hashOf(2, uint64(i)))
	}
	for range 8 {
		f.double()
		sound(t, f)
		for i, want := range before {
			if f.ContainsHash(hashOf(2, uint64(i))) != want {
				t.Fatalf("after %d doublings hash %d is %v", f.Doublings(), i, !want)
			}
		}
	}
}

// A flood of one key is refused at the reach, changes nothing then, and leaves
// the other keys.
func TestAFloodOfOneKeyIsRefused(t *testing.T) {
	f := must(t, Params{Log: 14, FingerprintBits: 8, Stretch: 4, Hash: hashing.XX(0)})
	for i := range uint64(1000) {
		if err := f.AddHash(hashOf(3, i)); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	flood, copies := uint64(0x1234567812345678), 0
	var before *Filter
	for ; err == nil; copies++ {
		if copies > 5000 {
			t.Fatal("no end")
		}
		if copies > 3500 {
			before = f.Clone()
		}
		err = f.AddHash(flood)
	}
	if !errors.Is(err, sketchproof.ErrFull) || copies < 3700 || !f.Equal(before) {
		t.Errorf("%v after %d copies", err, copies)
	}
	sound(t, f)
	for i := range uint64(1000) {
		if !f.ContainsHash(hashOf(3, i)) {
			t.Fatalf("key %d is lost", i)
		}
	}
	for range copies - 1 {
		if err := f.RemoveHash(flood); err != nil {
			t.Fatal(err)
		}
	}
	if sound(t, f); f.Len() != 1000 {
		t.Errorf("%d keys", f.Len())
	}
}

// The end of the table: all keys have the last quotient.
func TestTheLastQuotientSpillsIntoTheSlack(t *testing.T) {
	f := must(t, Params{Log: 6, FingerprintBits: 8, Stretch: 4, Hash: hashing.XX(0)})
	n := 0
	for ; f.AddHash(math.MaxUint64-uint64(n)) == nil; n++ {
	}
	// The last slot of 64 and 128 behind it; but 57 keys double the table, and
	// then the next.
	if n != slack+1 || f.Doublings() != 2 {
		t.Errorf("%d keys, %d doublings", n, f.Doublings())
	}
	if sound(t, f); !f.ContainsHash(math.MaxUint64) {
		t.Error("lost")
	}
}

func TestGrowthEndsWithTheHash(t *testing.T) {
	// 24 + 6 bits at 2^34 slots are 64: all of the hash.
	p := Params{Log: 6, FingerprintBits: 24, Stretch: 4, Hash: hashing.XX(0)}
	if got := p.lastLog(); got != 34 && bits.UintSize == 64 || p.fits(35) {
		t.Errorf("grows to 2^%d", got)
	}
	if p.Stretch = 1; p.lastLog() >= 34 {
		t.Errorf("with longer fingerprints to 2^%d", p.lastLog())
	}
	for c := 1; c <= maxStretch; c++ {
		for g := range 30 {
			x := 2 * math.Log2(float64(g+c)/float64(c))
			if got := (Params{FingerprintBits: 5, Stretch: c, Hash: hashing.XX(0)}).FingerprintBitsOf(g); got != 5+int(x+1e-9) {
				t.Errorf("stretch %d, generation %d: %d bits, want %d", c, g, got, 5+int(x+1e-9))
			}
		}
	}
}

// Over freshly built filters the rate is the law, at every size, and below the
// bound. Five standard errors of the mean are one false alarm in 10^6 seeds.
func TestRateIsTheLawThroughGrowth(t *testing.T) {
	for _, p := range []Params{{Log: 6, FingerprintBits: 3, Stretch: 1}, {Log: 7, FingerprintBits: 2, Stretch: 16}, {Log: 9, FingerprintBits: 5, Stretch: 7}} {
		p.Hash = hashing.XX(0)
		const trials, probes = 40, 2000
		at := []uint64{10, Capacity(p.Log), Capacity(p.Log) + 1, 1000, 4000, 7000}
		var sum, squares, shown, shownSquares [6]float64
		for trial := range uint64(trials) {
			f := must(t, p)
			var n uint64
			for i, to := range at {
				for ; n < to; n++ {
					if err := f.AddHash(hashOf(trial, n)); err != nil {
						t.Fatal(err)
					}
				}
				var found float64
				for j := range uint64(probes) {
					if f.ContainsHash(hashOf(trial, 1<<20+j)) {
						found++
					}
				}
				sum[i] += found / probes
				squares[i] += found / probes * found / probes
				e := f.RateEstimate()
				shown[i] += e
				shownSquares[i] += e * e
			}
		}
		for i, n := range at {
			mean, stderr := moments(sum[i], squares[i], trials)
			want := GrowthFPR(p, n)
			if math.Abs(mean-want) > 5*stderr || want > Bound(p) {
				t.Errorf("%+v n=%d: %g ± %g, want %g, bound %g", p, n, mean, stderr, want, Bound(p))
			}
			// What the entries show differs between filters only where quotients are void.
			mean, stderr = moments(shown[i], shownSquares[i], trials)
			if math.Abs(mean-want) > 5*stderr {
				t.Errorf("%+v n=%d: the entries show %g ± %g, the law is %g", p, n, mean, stderr, want)
			}
		}
	}
}

// moments are mean and standard error of the mean, with room for rounding.
func moments(sum, squares, trials float64) (mean, stderr float64) {
	mean = sum / trials
	return mean, math.Sqrt(max(0, squares/trials-mean*mean)/trials) + 1e-9
}

func TestSizeKeepsItsPromiseForAllGrowth(t *testing.T) {
	for _, n := range []uint64{0, 1, 57, 58, 10_000, 1_000_000} {
		for _, eps := range []float64{0.9, 0.1, 0.01, 0.001, 1e-6} {
			p, err := Size(n, eps)
			if err != nil {
				t.Fatal(err)
			}
			if Bound(p) > eps || Capacity(p.Log) < n || p.Log > minLog && Capacity(p.Log-1) >= n {
				t.Errorf("n=%d eps=%g: %+v, bound %g", n, eps, p, Bound(p))
			}
			f, err := ForRate(min(n, 100), eps, hashing.XX(1))
			if err != nil || f.Params().Hash != hashing.XX(1) {
				t.Errorf("n=%d eps=%g: %v", n, eps, err)
			}
			for f, c := minBits, maxStretch; f < p.FingerprintBitsOf(6); f++ {
				if q := (Params{Log: p.Log, FingerprintBits: f, Stretch: c, Hash: hashing.XX(0)}); q.FingerprintBitsOf(6) < p.FingerprintBitsOf(6) && Bound(q) <= eps {
					t.Errorf("n=%d eps=%g: %+v, but %+v is shorter", n, eps, p, q)
				}
			}
		}
	}
	for _, eps := range []float64{0, 1, -1, 2, math.NaN(), math.Inf(1), 1e-12} {
		if p, err := Size(10, eps); err == nil {
			t.Errorf("rate %v: %+v", eps, p)
		}
		if _, err := ForRate(10, eps, hashing.XX(1)); err == nil {
			t.Errorf("rate %v was accepted", eps)
		}
	}
	if p, err := Size(1<<40, 0.01); err == nil {
		t.Errorf("2^40 keys: %+v", p)
	}
}

func TestNewRefusesBeforeItAllocates(t *testing.T) {
	for word, p := range map[string]Params{
		"2^5 slots":    {Log: 5, FingerprintBits: 8, Stretch: 4},
		"2^35 slots":   {Log: 35, FingerprintBits: 8, Stretch: 4},
		"of 1 bits":    {Log: 6, FingerprintBits: 1, Stretch: 4},
		"of 25 bits":   {Log: 6, FingerprintBits: 25, Stretch: 4},
		"stretch 0":    {Log: 6, FingerprintBits: 8},
		"stretch 17":   {Log: 6, FingerprintBits: 8, Stretch: 17},
		"stretch -1":   {Log: 6, FingerprintBits: 8, Stretch: -1},
		"2^-3 slots":   {Log: -3, FingerprintBits: 8, Stretch: 4},
		"of -3 bits":   {Log: 6, FingerprintBits: -3, Stretch: 4},
		"allowed are ": {},
	} {
		if f, err := New(p); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%+v: %v, %v", p, f, err)
		}
	}
}

// Keys, byte strings and hashes, one at a time and in batches.
func TestBatchesAreSingleCalls(t *testing.T) {
	p := Params{Log: 6, FingerprintBits: 4, Stretch: 4, Hash: hashing.Keyed([16]byte{5})}
	for _, n := range []int{0, 1, 255, 256, 257, 3000} {
		one, many := must(t, p), must(t, p)
		var keys, hashes []uint64
		var texts [][]byte
		for i := range n {
			keys, hashes = append(keys, uint64(i)), append(hashes, hashOf(4, uint64(i)))
			texts = append(texts, binary.AppendUvarint([]byte("text"), uint64(i)))
		}
		for _, k := range keys[:n/2] {
			if err := one.Add(k); err != nil {
				t.Fatal(err)
			}
		}
		for _, b := range texts[:n/2] {
			if err := one.AddBytes(b); err != nil {
				t.Fatal(err)
			}
		}
		for _, h := range hashes[:n/2] {
			if err := one.AddHash(h); err != nil {
				t.Fatal(err)
			}
		}
		a, err1 := many.AddBatch(keys[:n/2])
		b, err2 := many.AddBytesBatch(texts[:n/2])
		c, err3 := many.AddHashBatch(hashes[:n/2])
		if errors.Join(err1, err2, err3) != nil || a != n/2 || b != n/2 || c != n/2 || !many.Equal(one) {
			t.Fatalf("n=%d: batches differ", n)
		}
		same := func(batch func([]bool), count int, single func(i int) bool) {
			got, want, positives := make([]bool, n+1), make([]bool, n+1), 0
			got[n], want[n] = true, true
			for i := range n {
				if want[i] = single(i); want[i] {
					positives++
				}
			}
			if batch(got); !slices.Equal(got, want) || positives != count {
				t.Errorf("n=%d: %d of %d counted", n, count, positives)
			}
		}
		same(func(f []bool) { one.ContainsBatch(keys, f) }, one.CountBatch(keys), func(i int) bool { return one.Contains(keys[i]) })
		same(func(f []bool) { one.ContainsBytesBatch(texts, f) }, one.CountBytesBatch(texts), func(i int) bool { return one.ContainsBytes(texts[i]) })
		same(func(f []bool) { one.ContainsHashBatch(hashes, f) }, one.CountHashBatch(hashes), func(i int) bool { return one.ContainsHash(hashes[i]) })
		for i := range n / 2 {
			if err := errors.Join(one.Remove(keys[i]), one.RemoveBytes(texts[i]), one.RemoveHash(hashes[i])); err != nil {
				t.Fatal(err)
			}
		}
		if one.Len() != 0 {
			t.Errorf("n=%d: %d left", n, one.Len())
		}
		if one.Reset(); !one.Equal(must(t, p)) {
			t.Error("reset is not new")
		}
	}
	full := must(t, p)
	if n, err := full.AddHashBatch(make([]uint64, 5000)); !errors.Is(err, sketchproof.ErrFull) || n != full.Len() {
		t.Errorf("%d of one key: %v", n, err)
	}
}

func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		w := r.Uint64() >> r.IntN(60) << r.IntN(60)
		j := 0
		for i := range 64 {
			if w>>i&1 == 1 {
				if got := selectBit(w, j); got != i {
					t.Fatalf("bit %d of %x is at %d, want %d", j, w, got, i)
				}
				j++
			}
		}
		words := []uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
		by := 1 + r.Uint64N(63)
		from := r.Uint64N(193 - by)
		to := from + r.Uint64N(193-by-from+63)
		if to+by > 256 {
			to = 256 - by
		}
		up, down := slices.Clone(words), slices.Clone(words)
		shiftUp(up, from, to, by)
		for i := range uint64(256) {
			want := bit(words, i)
			if i >= from+by && i < to+by {
				want = bit(words, i-by)
			}
			if bit(up, i) != want {
				t.Fatalf("%d to %d up by %d: bit %d", from, to, by, i)
			}
		}
		shiftDown(down, from+by, to+by, by)
		for i := range uint64(256) {
			want := bit(words, i)
			if i >= from && i < to {
				want = bit(words, i+by)
			}
			if bit(down, i) != want {
				t.Fatalf("%d to %d down by %d: bit %d", from+by, to+by, by, i)
			}
		}
	}
}

func TestDecodedIsEqual(t *testing.T) {
	f := must(t, Params{Log: 6, FingerprintBits: 3, Stretch: 8, Hash: hashing.XX(9)})
	for i := range uint64(3000) {
		if i%97 == 0 || i < 130 {
			data, err := f.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			more, err := f.AppendBinary([]byte("head"))
			if err != nil || !bytes.Equal(more, append([]byte("head"), data...)) {
				t.Fatal("appended something else")
			}
			var g Filter
			if err := g.UnmarshalBinary(data); err != nil {
				t.Fatalf("%d keys: %v", i, err)
			}
			clear(data)
			if !g.Equal(f) || g.entries != f.entries {
				t.Fatalf("%d keys: decoded differs", i)
			}
			f = &g // goes on with what was read
		}
		if err := f.Add(i); err != nil {
			t.Fatal(err)
		}
	}
	for i := range uint64(3000) {
		if !f.Contains(i) {
			t.Fatalf("key %d is lost", i)
		}
	}
	c := f.Clone()
	if err := c.Add(1 << 40); err != nil || c.Equal(f) {
		t.Error("a clone is not apart")
	}
}
