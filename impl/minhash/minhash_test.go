package minhash

import (
	"bytes"
	"encoding"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// common is what all signatures have, but for the methods that take their own type.
type common interface {
	sketchproof.Signature
	AddBytes([]byte)
	AddHash(uint64)
	AddBatch([]uint64)
	AddBytesBatch([][]byte)
	AddHashBatch([]uint64)
	Reset()
	Empty() bool
	K() int
	Params() Params
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// A form is one kind of signature.
type form struct {
	name  string
	build func(Params) (common, error)
	zero  func() common
	merge func(dst, src common) error
	clone func(common) common
	equal func(a, b common) bool
}

func formOf[T common](name string, build func(Params) (T, error), zero func() T,
	merge func(a, b T) error, clone func(T) T, equal func(a, b T) bool,
) form {
	return form{
		name:  name,
		build: func(p Params) (common, error) { return build(p) },
		zero:  func() common { return zero() },
		merge: func(a, b common) error { return merge(a.(T), b.(T)) },
		clone: func(s common) common { return clone(s.(T)) },
		equal: func(a, b common) bool { return equal(a.(T), b.(T)) },
	}
}

func forms() []form {
	return []form{
		formOf("functions", New, func() *Signature { return new(Signature) },
			(*Signature).Merge, (*Signature).Clone, (*Signature).Equal),
		formOf("one-permutation", NewOnePermutation, func() *OnePermutation { return new(OnePermutation) },
			(*OnePermutation).Merge, (*OnePermutation).Clone, (*OnePermutation).Equal),
		formOf("bottom-k", NewBottomK, func() *BottomK { return new(BottomK) },
			(*BottomK).Merge, (*BottomK).Clone, (*BottomK).Equal),
		formOf("2-bit", func(p Params) (*BBitSignature, error) { return NewBBit(p, 2) }, func() *BBitSignature { return new(BBitSignature) },
			(*BBitSignature).Merge, (*BBitSignature).Clone, (*BBitSignature).Equal),
	}
}

func eachForm(t *testing.T, run func(t *testing.T, f form)) {
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) { run(t, f) })
	}
}

func (f form) of(t testing.TB, k int, keys ...uint64) common {
	t.Helper()
	s, err := f.build(Params{k, hashing.XX(7)})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		s.Add(key)
	}
	return s
}

func numbers(from, to uint64) []uint64 {
	var s []uint64
	for ; from < to; from++ {
		s = append(s, from)
	}
	return s
}

func stored(t testing.TB, s encoding.BinaryMarshaler) []byte {
	t.Helper()
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestMinimaAreMinima(t *testing.T) {
	s := must(New(Params{5, hashing.XX(7)}))
	b := must(NewOnePermutation(Params{5, hashing.XX(7)}))
	k := must(NewBottomK(Params{5, hashing.XX(7)}))
	want, bins, all := filled(5), filled(5), []uint64{}
	for key := range uint64(40) {
		s.Add(key)
		b.Add(key)
		k.Add(key)
		h := hashing.XX(7).Uint64(key)
		for i := range want {
			want[i] = min(want[i], h*(hashing.Mix(uint64(i+1)*hashing.Gamma)|1))
			if lo := float64(h) / math.Ldexp(1, 64) * 5; int(lo) == i {
				bins[i] = min(bins[i], h)
			}
		}
		all = append(all, h)
	}
	for i := range want {
		below := 0
		for _, h := range all {
			below += one(h < k.Hashes()[i])
		}
		if s.Values()[i] != want[i] || b.bins[i] != bins[i] || below != i {
			t.Errorf("value %d: minimum %x, want %x; bin %x, want %x; %d hashes below", i, s.Values()[i], want[i], b.bins[i], bins[i], below)
		}
	}
}

// Order, repeats, batches, and how the keys were dealt out before a merge: the same
// bytes.
func TestManyWaysOneSignature(t *testing.T) {
	eachForm(t, func(t *testing.T, f form) {
		for _, k := range []int{1, 3, 4, 7, 64, 300} {
			for _, n := range []uint64{0, 1, 5, 300, 900} {
				keys := numbers(0, n)
				want := stored(t, f.of(t, k, keys...))
				check := func(way string, s common) {
					t.Helper()
					if !bytes.Equal(stored(t, s), want) {
						t.Errorf("k = %d, %d keys: %s gives other bytes", k, n, way)
					}
				}
				back := f.of(t, k)
				batch := f.of(t, k)
				batch.AddBatch(keys)
				hashes, byHash := make([]uint64, n), f.of(t, k)
				hashing.XX(7).Uint64Each(hashes, keys)
				byHash.AddHashBatch(hashes)
				hashed := f.of(t, k)
				low, high := f.of(t, k, keys[:n/2]...), f.of(t, k, keys[n/3:]...)
				for i := range keys {
					back.Add(keys[int(n)-1-i])
					back.Add(keys[i])
					hashed.AddHash(hashes[i])
				}
				check("another order with repeats", back)
				check("AddBatch", batch)
				check("AddHashBatch", byHash)
				check("AddHash", hashed)
				source := stored(t, high)
				into := f.clone(low)
				if err := f.merge(into, high); err != nil {
					t.Fatal(err)
				}
				check("a merge", into)
				if !bytes.Equal(stored(t, high), source) {
					t.Error("the merge changed its source")
				}
				if err := f.merge(high, low); err != nil {
					t.Fatal(err)
				}
				check("the merge the other way", high)
				if err := f.merge(into, into); err != nil {
					t.Fatal(err)
				}
				check("a merge with itself", into)
				if !f.equal(into, back) || n > 0 && f.equal(into, f.of(t, k)) {
					t.Error("Equal does not see what bytes see")
				}
				into.Reset()
				if !into.Empty() || !bytes.Equal(stored(t, into), stored(t, f.of(t, k))) {
					t.Error("Reset leaves something")
				}
			}
		}
	})
}

// Hashes at both ends are keys like others.
func TestHashesAtTheEnds(t *testing.T) {
	eachForm(t, func(t *testing.T, f form) {
		for _, h := range []uint64{0, 1, none - 1, none} {
			s := f.of(t, 3)
			s.AddHash(h)
			c := f.zero()
			if err := c.UnmarshalBinary(stored(t, s)); err != nil || !f.equal(c, s) || s.Empty() {
				t.Errorf("hash %x: read as %v, %v; empty: %v", h, c, err, s.Empty())
			}
			if j, err := s.Similarity(c); j != 1 || err != nil {
				t.Errorf("hash %x: %v like itself, %v", h, j, err)
			}
		}
	})
}

// From k = 1024 on a batch of bottom-k is sorted and merged.
func TestSortedBatches(t *testing.T) {
	for _, k := range []int{sortedFrom, sortedFrom + 1, 5000} {
		for _, n := range []uint64{0, 3, 300, 3000, 9000} {
			keys := append(numbers(0, n), numbers(n/2, n)...)
			batch, single := forms()[2].of(t, k), forms()[2].of(t, k, keys...)
			batch.AddBatch(keys)
			batch.AddBatch(keys[:len(keys)/3])
			if !bytes.Equal(stored(t, batch), stored(t, single)) {
				t.Errorf("k = %d, %d keys: a batch gives other bytes", k, n)
			}
		}
	}
}

func TestByteStrings(t *testing.T) {
	eachForm(t, func(t *testing.T, f form) {
		one, many, byHash := f.of(t, 20), f.of(t, 20), f.of(t, 20)
		var keys [][]byte
		for i := range 600 {
			keys = append(keys, bytes.Repeat([]byte{byte(i), byte(i >> 8)}, i%7+1))
			one.AddBytes(keys[i])
			byHash.AddHash(hashing.XX(7).Bytes(keys[i]))
		}
		many.AddBytesBatch(keys)
		if !f.equal(one, many) || !f.equal(one, byHash) {
			t.Error("a batch of byte strings, the strings, and their hashes differ")
		}
	})
}

func TestExactCases(t *testing.T) {
	eachForm(t, func(t *testing.T, f form) {
		for _, k := range []int{1, 2, 64, 1024} {
			for _, n := range []uint64{1, 2, 50, 1000} {
				a, b := f.of(t, k, numbers(0, n)...), f.of(t, k, numbers(n, 2*n)...)
				if j := must(a.Similarity(f.clone(a))); j != 1 {
					t.Errorf("k = %d: equal sets of %d are %v alike", k, n, j)
				}
				if j := must(a.Similarity(b)); j != 0 && f.name != "2-bit" {
					t.Errorf("k = %d: disjoint sets of %d are %v alike", k, n, j)
				}
				for _, j := range []float64{must(a.Similarity(f.of(t, k))), must(f.of(t, k).Similarity(a))} {
					if j != 0 {
						t.Errorf("k = %d: a set is %v alike to the empty one", k, j)
					}
				}
				if x, y := must(a.Similarity(b)), must(b.Similarity(a)); x != y {
					t.Errorf("one way %v, the other %v", x, y)
				}
			}
			if _, err := f.of(t, k).Similarity(f.of(t, k)); !errors.Is(err, ErrEmpty) {
				t.Errorf("two empty sets: %v", err)
			}
		}
	})
	// A union that fits is told exactly.
	f := forms()[2]
	if j := must(f.of(t, 100, numbers(0, 60)...).Similarity(f.of(t, 100, numbers(20, 100)...))); j != 0.4 {
		t.Errorf("bottom-100 of a union of 100 keys: %v, is 0.4", j)
	}
}

func TestDensifiedMatchesAreThoseOfDensifiedValues(t *testing.T) {
	f := forms()[1]
	for _, n := range []uint64{1, 3, 30, 100, 1000} {
		a := f.of(t, 128, numbers(0, n)...).(*OnePermutation)
		b := f.of(t, 128, numbers(n/2, n+n/3)...).(*OnePermutation)
		want, w := 0, b.Densified()
		for i, v := range a.Densified() {
			if v == none {
				t.Fatalf("%d keys: value %d is left empty", n, i)
			}
			want += one(v == w[i])
		}
		if got := must(a.Matches(b)); got != want && !b.Empty() {
			t.Errorf("%d keys: %d matches, the values have %d", n, got, want)
		}
	}
	e := f.of(t, 8).(*OnePermutation)
	if _, err := e.BinSimilarity(e.Clone()); !errors.Is(err, ErrEmpty) || e.EmptyBins() != 8 || anySet(e.Densified()) {
		t.Errorf("the empty set: %v, %d empty bins", err, e.EmptyBins())
	}
}

func TestCompressedAnswersAsItsSignature(t *testing.T) {
	for _, k := range []int{1, 7, 8, 31, 64, 65, 1000} {
		for _, b := range []int{1, 2, 4, 8} {
			p := Params{k, hashing.XX(7)}
			x, y := must(NewBBit(p, b)), must(NewBBit(p, b))
			x.AddBatch(numbers(0, 100))
			y.AddBatch(numbers(30, 140))
			c, d := must(x.Compress()), must(y.Compress())
			if m, n := must(c.Matches(d)), must(x.Matches(y)); m != n || c.SizeBytes() != 8*((k*b+63)/64) {
				t.Errorf("k = %d, b = %d: %d matches compressed, %d before; %d bytes", k, b, m, n, c.SizeBytes())
			}
			if u, v := must(c.Similarity(d)), must(x.Similarity(y)); u != v || u < 0 {
				t.Errorf("k = %d, b = %d: %v compressed, %v before", k, b, u, v)
			}
			var e BBit
			if err := e.UnmarshalBinary(stored(t, c)); err != nil || !e.Equal(c) || e.Equal(d) != c.Equal(d) {
				t.Errorf("k = %d, b = %d: stored and read: %v", k, b, err)
			}
			if _, err := must(NewBBit(p, b)).Compress(); !errors.Is(err, ErrEmpty) {
				t.Errorf("compression of the empty set: %v", err)
			}
			if _, err := c.Matches(must(must2(New(Params{k, hashing.XX(8)})).Compress(b))); err == nil || !strings.Contains(err.Error(), "hash") {
				t.Errorf("compressed under another hash function: %v", err)
			}
		}
	}
}

// must2 is must with a key added.
func must2(s *Signature, err error) *Signature {
	must(s, err).Add(1)
	return s
}

func TestRefusals(t *testing.T) {
	eachForm(t, func(t *testing.T, f form) {
		for _, p := range []Params{{0, hashing.XX(1)}, {-1, hashing.XX(1)}, {MaxK + 1, hashing.XX(1)}, {math.MaxInt, hashing.XX(1)}, {K: 8}} {
			if _, err := f.build(p); err == nil {
				t.Errorf("%+v was taken", p)
			}
		}
		a := f.of(t, 8, 1, 2, 3)
		before := stored(t, a)
		for word, other := range map[string]common{
			"k":    f.of(t, 9, 1),
			"hash": must(f.build(Params{8, hashing.XX(8)})),
		} {
			if err := f.merge(a, other); err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("merge with another %s: %v", word, err)
			}
			if _, err := a.Similarity(other); err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("comparison with another %s: %v", word, err)
			}
		}
		for _, g := range forms() {
			if _, err := a.Similarity(g.of(t, 8, 1)); (err == nil) != (f.name == g.name) {
				t.Errorf("compared with %s: %v", g.name, err)
			}
		}
		if _, err := a.Similarity(nil); err == nil {
			t.Error("compared with nil")
		}
		if !bytes.Equal(stored(t, a), before) {
			t.Error("what was refused has changed it")
		}
		if _, err := f.zero().MarshalBinary(); err == nil {
			t.Error("the zero value was written")
		}
	})
	a, b := must(NewBBit(Params{8, hashing.XX(1)}, 1)), must(NewBBit(Params{8, hashing.XX(1)}, 2))
	if err := a.Merge(b); err == nil || !strings.Contains(err.Error(), "bits") {
		t.Errorf("merge of 1 with 2 bits: %v", err)
	}
	if _, err := a.Similarity(b); err == nil || !strings.Contains(err.Error(), "bits") {
		t.Errorf("comparison of 1 with 2 bits: %v", err)
	}
	for _, bits := range []int{-1, 0, 3, 16, 64} {
		if _, err := NewBBit(Params{8, hashing.XX(1)}, bits); err == nil {
			t.Errorf("%d bits were taken", bits)
		}
	}
}
