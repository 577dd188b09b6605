package bloom

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// must makes a filter that cannot be refused.
func must(t interface{ Fatal(...any) }, p Params) *Filter {
	f, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// add adds keys, which never fails.
func add(t interface{ Fatal(...any) }, f *Filter, keys ...uint64) {
	for _, key := range keys {
		if err := f.Add(key); err != nil {
			t.Fatal(err)
		}
	}
}

// drawParams draws a small filter of any scheme and family.
func drawParams(t *rapid.T) Params {
	hash, err := hashing.New(
		rapid.SampledFrom([]hashing.Family{hashing.XXHash, hashing.SipHash, hashing.SHA256}).Draw(t, "family"),
		rapid.Uint64().Draw(t, "seed"))
	if err != nil {
		t.Fatal(err)
	}
	p := Params{
		M:      rapid.Uint64Range(1, 300).Draw(t, "m"),
		K:      rapid.Uint64Range(1, 12).Draw(t, "k"),
		Scheme: rapid.SampledFrom(Schemes()).Draw(t, "scheme"),
		Hash:   hash,
	}
	if p.Scheme == Partitioned {
		p.M += (p.K - p.M%p.K) % p.K
	}
	return p
}

var drawKeys = rapid.SliceOfN(rapid.Uint64(), 0, 30)

func TestAddedIsFoundAndOnlyPositionsAreSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := must(t, drawParams(t))
		keys, texts := drawKeys.Draw(t, "keys"), rapid.SliceOfN(rapid.SliceOf(rapid.Byte()), 0, 5).Draw(t, "texts")
		hashes := drawKeys.Draw(t, "hashes")
		want := map[uint64]bool{}
		note := func(positions []uint64) {
			if uint64(len(positions)) != f.K() {
				t.Fatalf("%d positions, k = %d", len(positions), f.K())
			}
			for _, p := range positions {
				want[p] = true
			}
		}
		add(t, f, keys...)
		for _, key := range keys {
			note(f.Positions(key))
		}
		for _, text := range texts {
			if err := f.AddBytes(text); err != nil {
				t.Fatal(err)
			}
			note(f.PositionsBytes(text))
		}
		for _, hash := range hashes {
			if err := f.AddHash(hash); err != nil {
				t.Fatal(err)
			}
			note(f.PositionsHash(hash))
		}
		for i := range f.M() {
			if f.Bit(i) != want[i] {
				t.Fatalf("bit %d is %v", i, f.Bit(i))
			}
		}
		if f.BitsSet() != uint64(len(want)) {
			t.Fatalf("%d bits set, want %d", f.BitsSet(), len(want))
		}
		all := func(positions []uint64) bool {
			return !slices.ContainsFunc(positions, func(p uint64) bool { return !want[p] })
		}
		for _, key := range append(keys, 1, 2, 3, 4, 5) {
			if f.Contains(key) != all(f.Positions(key)) {
				t.Fatalf("Contains(%d) disagrees with its bits", key)
			}
			text := []byte{byte(key), 7}
			if f.ContainsBytes(text) != all(f.PositionsBytes(text)) {
				t.Fatalf("ContainsBytes(%d) disagrees with its bits", text)
			}
			if f.ContainsHash(key) != all(f.PositionsHash(key)) {
				t.Fatalf("ContainsHash(%d) disagrees with its bits", key)
			}
		}
	})
}

func TestMergeIsTheFilterOfTheUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParams(t)
		a, b, both := must(t, p), must(t, p), must(t, p)
		ka, kb := drawKeys.Draw(t, "a"), drawKeys.Draw(t, "b")
		add(t, a, ka...)
		add(t, b, kb...)
		add(t, both, append(slices.Clone(kb), ka...)...)
		merge := func(x, y *Filter) *Filter {
			out, before := x.Clone(), y.Clone()
			if err := out.Merge(y); err != nil {
				t.Fatal(err)
			}
			if !y.Equal(before) {
				t.Fatal("merging changed its source")
			}
			return out
		}
		ab := merge(a, b)
		if !ab.Equal(both) {
			t.Fatal("the merged filter is not that of the union")
		}
		for i, w := range ab.Words() {
			if w != a.Words()[i]|b.Words()[i] {
				t.Fatal("the merged filter is not the bitwise or")
			}
		}
		if !merge(b, a).Equal(ab) || !merge(ab, ab).Equal(ab) || !merge(ab, a).Equal(ab) {
			t.Fatal("merging is not commutative and idempotent")
		}
		c := must(t, p)
		add(t, c, drawKeys.Draw(t, "c")...)
		if !merge(ab, c).Equal(merge(a, merge(b, c))) {
			t.Fatal("merging is not associative")
		}
	})
}

func TestClonesAndCopiesAreApart(t *testing.T) {
	f := must(t, Params{M: 100, K: 3, Hash: hashing.XX(0)})
	c, words := f.Clone(), f.Words()
	add(t, f, 1)
	if c.BitsSet() != 0 || words[0]|words[1] != 0 {
		t.Error("a copy changed with its origin")
	}
	if f.Equal(c) {
		t.Error("different bits are equal")
	}
	f.Reset()
	if !f.Equal(c) || f.Contains(1) {
		t.Error("reset left bits")
	}
}

func TestMergeNamesTheDifference(t *testing.T) {
	base := Params{M: 128, K: 4, Scheme: Double, Hash: hashing.XX(1)}
	for word, change := range map[string]func(*Params){
		"m is 128 and 127":              func(p *Params) { p.M = 127 },
		"k is 4 and 5":                  func(p *Params) { p.K = 5 },
		"scheme is double and derived":  func(p *Params) { p.Scheme = Derived },
		"xxhash64 seed 1 and xxhash64 ": func(p *Params) { p.Hash = hashing.XX(2) },
		"siphash-2-4":                   func(p *Params) { p.Hash = hashing.Keyed([16]byte{1}) },
	} {
		p := base
		change(&p)
		f, other := must(t, base), must(t, p)
		add(t, other, 1, 2, 3)
		err := f.Merge(other)
		if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), word) || f.BitsSet() != 0 {
			t.Errorf("%s: %v, %d bits set", word, err, f.BitsSet())
		}
	}
	a, b := must(t, Params{M: 1, K: 1, Hash: hashing.Keyed([16]byte{1})}), must(t, Params{M: 1, K: 1, Hash: hashing.Keyed([16]byte{2})})
	if err := a.Merge(b); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "under two keys") {
		t.Errorf("two secret keys: %v", err)
	}
}

func TestNewRefusesBeforeItAllocates(t *testing.T) {
	for word, p := range map[string]Params{
		"m is 1 to":                     {M: 0, K: 1},
		"ask for 137438953473 bytes":    {M: MaxBits + 8, K: 1}, // 2^40/8 + 1
		"ask for 2305843009213693951 b": {M: math.MaxUint64, K: 1},
		"k is 1 to 64":                  {M: 1, K: 0},
		"65 probes":                     {M: 1, K: 65},
		"unknown scheme 6":              {M: 1, K: 1, Scheme: 6},
		"k must divide m":               {M: 100, K: 7, Scheme: Partitioned},
	} {
		if f, err := New(p); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%+v: %v, %v", p, f, err)
		}
	}
	if _, err := ForRate(100, 1.5, Exact, hashing.XX(1)); err == nil {
		t.Error("rate 1.5 was accepted")
	}
}

func TestDefaults(t *testing.T) {
	f, err := ForRate(1000, 0.01, Nearest, hashing.XX(0))
	if err != nil {
		t.Fatal(err)
	}
	// 9586 bits are 150 words.
	if f.M() != 9586 || f.K() != 7 || f.Scheme() != Derived || f.Hash() != hashing.XX(0) || f.SizeBytes() != 1200 {
		t.Errorf("m=%d k=%d %v %v, %d bytes", f.M(), f.K(), f.Scheme(), f.Hash(), f.SizeBytes())
	}
	defer func() {
		if recover() == nil {
			t.Error("a bit beyond m was read")
		}
	}()
	f.Bit(9586)
}

func TestEstimates(t *testing.T) {
	f := must(t, Params{M: 128, K: 2, Hash: hashing.XX(0)})
	if f.RateEstimate() != 0 || f.CountEstimate() != 0 {
		t.Errorf("empty: %g, %g", f.RateEstimate(), f.CountEstimate())
	}
	f.words[0] = math.MaxUint64 // 64 of 128 bits: rate 1/4, count 64 ln 2
	if f.Fill() != 0.5 || f.RateEstimate() != 0.25 || off(f.CountEstimate(), 64*math.Ln2, 1e-12) {
		t.Errorf("half full: %g, %g, %g", f.Fill(), f.RateEstimate(), f.CountEstimate())
	}
	f.words[1] = math.MaxUint64
	if f.RateEstimate() != 1 || !math.IsInf(f.CountEstimate(), 1) {
		t.Errorf("full: %g, %g", f.RateEstimate(), f.CountEstimate())
	}
}
