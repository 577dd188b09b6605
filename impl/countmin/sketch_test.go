package countmin

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var (
	_ sketchproof.Frequency       = (*Sketch)(nil)
	_ sketchproof.BytesFrequency  = (*Sketch)(nil)
	_ sketchproof.Merger[*Sketch] = (*Sketch)(nil)
)

func mustNew(t testing.TB, p Params) *Sketch {
	t.Helper()
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// everyKind is one sketch of each scheme and update rule.
func everyKind(t testing.TB, w, d int, h hashing.Hasher) []*Sketch {
	t.Helper()
	var all []*Sketch
	for _, rows := range []RowScheme{Derived, Independent} {
		for _, conservative := range []bool{false, true} {
			all = append(all, mustNew(t, Params{Width: w, Depth: d, Rows: rows, Conservative: conservative, Hash: h}))
		}
	}
	return all
}

func TestNewRefuses(t *testing.T) {
	hash := hashing.XX(1)
	for _, c := range []struct {
		p    Params
		says string
	}{
		{Params{Width: 0, Depth: 5, Hash: hash}, "width 0, must be at least 1"},
		{Params{Width: -3, Depth: 5, Hash: hash}, "width -3, must be at least 1"},
		{Params{Width: 9, Depth: 0, Hash: hash}, "depth 0, must be from 1 to 64"},
		{Params{Width: 9, Depth: -1, Hash: hash}, "depth -1, must be from 1 to 64"},
		{Params{Width: 9, Depth: 65, Hash: hash}, "depth 65, must be from 1 to 64"},
		{Params{Width: 9, Depth: 5, Rows: 2, Hash: hash}, "unknown row scheme 2, must be Derived or Independent"},
		{Params{Width: 9, Depth: 5}, "unknown hash family"},
		{Params{Width: 9, Depth: 5, CellBits: 16, Hash: hash}, "counters of 16 bits, must be 64 or 32"},
		{Params{Width: math.MaxInt32, Depth: 64, CellBits: 32, Hash: hash}, "take 549755813632 bytes"},
		// 64 rows of 2^31-1 counters of 8 bytes: 2^40 - 512.
		{Params{Width: math.MaxInt32, Depth: 64, Hash: hash}, "take 1099511627264 bytes"},
		// The product w*d wraps around in an int.
		{Params{Width: math.MaxInt, Depth: 64, Hash: hash}, "bytes, at most"},
	} {
		s, err := New(c.p)
		if s != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want an error with %q", c.p, err, c.says)
		}
	}
}

func TestGeometryIsWhatWasAsked(t *testing.T) {
	s := mustNew(t, Params{Width: 2719, Depth: 5, Rows: Independent, Conservative: true, Hash: hashing.XX(3)})
	if s.Width() != 2719 || s.Depth() != 5 || s.SizeBytes() != 2719*5*8 ||
		s.Rows() != Independent || !s.Conservative() || s.Hash() != hashing.XX(3) {
		t.Errorf("got %d x %d, %d bytes, %v, %t, %v", s.Depth(), s.Width(), s.SizeBytes(), s.Rows(), s.Conservative(), s.Hash())
	}
}

// One key alone shows which counters are its own.
func TestIndexNamesTheCounters(t *testing.T) {
	const key, weight = 0xfeedface, 7
	text := []byte("a word")
	// 100^8 < 2^58 < 100^9: the 20 rows take three words.
	for _, s := range everyKind(t, 100, 20, hashing.XX(5)) {
		s.Add(key, weight)
		index := s.Index
		for range 2 {
			for r := range s.Depth() {
				want := make([]uint64, 100)
				want[index(r, key)] = weight
				if got := s.Row(r); !slices.Equal(got, want) {
					t.Errorf("%v, conservative %t, row %d: %v", s.Rows(), s.Conservative(), r, got)
				}
			}
			s.Reset()
			s.AddBytes(text, weight)
			index = func(r int, _ uint64) int { return s.IndexBytes(r, text) }
		}
	}
}

func TestRowOutOfRangePanics(t *testing.T) {
	s := mustNew(t, Params{Width: 3, Depth: 2, Hash: hashing.XX(1)})
	for name, call := range map[string]func(){
		"Row(-1)": func() { s.Row(-1) }, "Row(2)": func() { s.Row(2) }, "Index(2)": func() { s.Index(2, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			call()
		}()
	}
}

func TestRowIsACopy(t *testing.T) {
	s := mustNew(t, Params{Width: 1, Depth: 1, Hash: hashing.XX(1)})
	s.Row(0)[0] = 9
	if s.Count(1) != 0 {
		t.Error("writing to a row's copy changed the sketch")
	}
}

// In one column everything collides, and the estimate is the whole stream.
func TestWidthOneAnswersTheTotal(t *testing.T) {
	for _, s := range everyKind(t, 1, 3, hashing.XX(2)) {
		for key := range uint64(20) {
			s.Add(key, key)
		}
		// 0 + 1 + ... + 19 = 19 * 20 / 2.
		if s.Total() != 190 || s.Count(3) != 190 || s.Count(999) != 190 {
			t.Errorf("%v, conservative %t: total %d, counts %d and %d", s.Rows(), s.Conservative(),
				s.Total(), s.Count(3), s.Count(999))
		}
	}
}

func TestWeightsSaturate(t *testing.T) {
	for _, s := range everyKind(t, 1000, 4, hashing.XX(2)) {
		s.Add(1, math.MaxUint64-1)
		if s.Saturated() || s.Total() != math.MaxUint64-1 {
			t.Errorf("%v: saturated %t at total %d", s.Rows(), s.Saturated(), s.Total())
		}
		s.Add(1, 5)
		s.Add(2, 9)
		if !s.Saturated() || s.Total() != math.MaxUint64 {
			t.Errorf("%v: not saturated at total %d", s.Rows(), s.Total())
		}
		if s.Count(1) != math.MaxUint64 || s.Count(2) < 9 {
			t.Errorf("%v: counts %d and %d", s.Rows(), s.Count(1), s.Count(2))
		}
		// The chance that key 2 meets key 1 in all four rows is 1000^-4.
		if s.Count(2) != 9 {
			t.Errorf("%v: a key with counters of its own reads %d, want 9", s.Rows(), s.Count(2))
		}
		s.Reset()
		if s.Saturated() || s.Total() != 0 || s.Count(1) != 0 {
			t.Errorf("%v: not empty after Reset", s.Rows())
		}
	}
}

func TestMergeSaturates(t *testing.T) {
	a := mustNew(t, Params{Width: 1, Depth: 2, Hash: hashing.XX(2)})
	a.Add(1, math.MaxUint64-2)
	b := a.Clone()
	if err := a.Merge(b); err != nil {
		t.Fatal(err)
	}
	if a.Count(1) != math.MaxUint64 || !a.Saturated() || b.Saturated() {
		t.Errorf("count %d, saturated %t, source saturated %t", a.Count(1), a.Saturated(), b.Saturated())
	}
}

func TestMergeNamesTheDifference(t *testing.T) {
	base := Params{Width: 10, Depth: 3, Hash: hashing.XX(1)}
	for says, change := range map[string]func(*Params){
		"width 10 against 11":                       func(p *Params) { p.Width = 11 },
		"depth 3 against 4":                         func(p *Params) { p.Depth = 4 },
		"counters of 64 bits against 32":            func(p *Params) { p.CellBits = 32 },
		"row scheme derived against independent":    func(p *Params) { p.Rows = Independent },
		"conservative update false against true":    func(p *Params) { p.Conservative = true },
		"hash function xxhash64 seed 1 against ano": func(p *Params) { p.Hash = hashing.XX(2) },
	} {
		p := base
		change(&p)
		a, b := mustNew(t, base), mustNew(t, p)
		a.Add(1, 1)
		b.Add(1, 1)
		before := a.Clone()
		if err := a.Merge(b); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want an error with %q", err, says)
		}
		if !a.Equal(before) {
			t.Errorf("%s: the refused merge changed the sketch", says)
		}
		if a.Equal(b) {
			t.Errorf("%s: sketches built differently are equal", says)
		}
	}
	conservative := base
	conservative.Conservative = true
	a, b := mustNew(t, conservative), mustNew(t, conservative)
	b.Add(1, 1)
	if err := a.Merge(b); err == nil || a.Total() != 0 {
		t.Errorf("conservative sketches merged: %v, total %d", err, a.Total())
	}
}

func TestCloneAndEqual(t *testing.T) {
	for _, s := range everyKind(t, 50, 3, hashing.XX(4)) {
		s.Add(1, 5)
		c := s.Clone()
		if !c.Equal(s) {
			t.Error("a clone differs")
		}
		c.Add(1, 1)
		if c.Equal(s) || s.Count(1) != 5 {
			t.Errorf("the clone shares its table: count %d, want 5", s.Count(1))
		}
	}
}

// AddHash stands for Add with the sketch's own hash when rows are derived, and
// takes the hash for a key when they are independent.
func TestHashesAsKeys(t *testing.T) {
	h := hashing.XX(6)
	for _, s := range everyKind(t, 64, 5, h) {
		a, b := s.Clone(), s.Clone()
		for key := range uint64(100) {
			hash := key
			if s.Rows() == Derived {
				hash = h.Uint64(key)
			}
			a.Add(key, key)
			b.AddHash(hash, key)
			if a.Count(key) != b.CountHash(hash) {
				t.Fatalf("%v: key %d counts %d by key, %d by hash", s.Rows(), key, a.Count(key), b.CountHash(hash))
			}
		}
		if !a.Equal(b) {
			t.Errorf("%v, conservative %t: the tables differ", s.Rows(), s.Conservative())
		}
	}
}

func TestDerivedRowsDoNotAllocate(t *testing.T) {
	for _, conservative := range []bool{false, true} {
		s := mustNew(t, Params{Width: 100, Depth: 20, Conservative: conservative, Hash: hashing.XX(1)})
		if n := testing.AllocsPerRun(100, func() { s.Add(s.Count(1), 1) }); n != 0 {
			t.Errorf("conservative %t: %v allocations", conservative, n)
		}
	}
}
