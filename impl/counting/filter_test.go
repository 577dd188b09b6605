package counting

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func mustNew(t testing.TB, p Params) *Filter {
	t.Helper()
	f, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func cells(f *Filter) []int {
	all := make([]int, f.Cells())
	for i := range all {
		all[i] = f.Cell(i)
	}
	return all
}

// The figures printed in "Probabilistic Structures", Deletion and Counting
// Bloom Filters. Both hashes of emu are cell 14, one of bee is too: it shows 3.
func TestPrintedFigures(t *testing.T) {
	data, err := os.ReadFile("testdata/printed.json")
	if err != nil {
		t.Fatal(err)
	}
	var printed struct {
		Counting struct {
			Added    []string        `json:"added"`
			Removed  string          `json:"removed"`
			Cells    []int           `json:"cells"`
			Contains map[string]bool `json:"contains"`
		} `json:"counting16"`
	}
	if err := json.Unmarshal(data, &printed); err != nil {
		t.Fatal(err)
	}
	want := printed.Counting
	if len(want.Added) != 4 || len(want.Contains) != 4 {
		t.Fatalf("read %+v", want)
	}
	hash, err := hashing.New(hashing.SHA256, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, bits := range []int{4, 8, 16} {
		f := mustNew(t, Params{Cells: 16, Hashes: 2, CellBits: bits, Scheme: Independent, Hash: hash})
		for _, word := range want.Added {
			_ = f.AddBytes([]byte(word))
		}
		if err := f.RemoveBytes([]byte(want.Removed)); err != nil {
			t.Fatal(err)
		}
		if got := cells(f); !slices.Equal(got, want.Cells) {
			t.Errorf("%d bits: cells %v, want %v", bits, got, want.Cells)
		}
		for word, present := range want.Contains {
			if got := f.ContainsBytes([]byte(word)); got != present {
				t.Errorf("%d bits: %s present %t, want %t", bits, word, got, present)
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	good := Params{Cells: 10, Hashes: 3, CellBits: 4, Hash: hashing.XX(1)}
	for says, change := range map[string]func(*Params){
		"0 cells, must be at least 1":              func(p *Params) { p.Cells = 0 },
		"-1 cells, must be at least 1":             func(p *Params) { p.Cells = -1 },
		"0 hashes, must be from 1 to 64":           func(p *Params) { p.Hashes = 0 },
		"-2 hashes, must be from 1 to 64":          func(p *Params) { p.Hashes = -2 },
		"65 hashes, must be from 1 to 64":          func(p *Params) { p.Hashes = 65 },
		"cells of 0 bits, must be 4, 8 or 16":      func(p *Params) { p.CellBits = 0 },
		"cells of 5 bits, must be 4, 8 or 16":      func(p *Params) { p.CellBits = 5 },
		"cells of -4 bits, must be 4, 8 or 16":     func(p *Params) { p.CellBits = -4 },
		"unknown scheme 2, must be Derived or Ind": func(p *Params) { p.Scheme = 2 },
		"unknown hash family":                      func(p *Params) { p.Hash = hashing.Hasher{} },
	} {
		p := good
		change(&p)
		if f, err := New(p); f != nil || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want an error with %q", err, says)
		}
	}
	if math.MaxInt > math.MaxInt32 {
		// 2^63-1 cells of 16 bits, 4 to a word of 8 bytes: 2^64 bytes.
		p := good
		p.Cells, p.CellBits = math.MaxInt, 16
		if _, err := New(p); err == nil || !strings.Contains(err.Error(), "take 18446744073709551616 bytes, at most") {
			t.Errorf("got %v", err)
		}
	}
}

func TestSizeBytes(t *testing.T) {
	// 17 cells of 4, 8 and 16 bits are 68, 136 and 272 bits: 2, 3 and 5 words.
	for bits, want := range map[int]int{4: 16, 8: 24, 16: 40} {
		f := mustNew(t, Params{Cells: 17, Hashes: 1, CellBits: bits, Hash: hashing.XX(1)})
		if f.SizeBytes() != want || f.CellBits() != bits || f.Cells() != 17 || f.Hashes() != 1 {
			t.Errorf("%d bits: %d bytes, want %d", bits, f.SizeBytes(), want)
		}
	}
}

// A cell at its maximum sticks, and what it could not count is told.
func TestCellsSaturateAndStick(t *testing.T) {
	for _, bits := range []int{4, 8, 16} {
		top := 1<<bits - 1
		f := mustNew(t, Params{Cells: 1, Hashes: 1, CellBits: bits, Hash: hashing.XX(1)})
		for range top - 1 {
			_ = f.Add(7)
		}
		if err := f.Remove(7); err != nil || f.Cell(0) != top-2 {
			t.Errorf("%d bits: cell %d after %d keys less one, %v", bits, f.Cell(0), top-1, err)
		}
		for range 5 { // to the maximum with two, and three too many
			_ = f.Add(7)
		}
		if f.Cell(0) != top || f.Overflows() != 3 {
			t.Errorf("%d bits: cell %d, overflows %d, want %d and 3", bits, f.Cell(0), f.Overflows(), top)
		}
		for range top + 3 {
			if err := f.Remove(7); err != nil {
				t.Fatal(err)
			}
			f.RemoveUnguarded(7)
		}
		if f.Cell(0) != top || !f.Contains(7) {
			t.Errorf("%d bits: the full cell went down to %d", bits, f.Cell(0))
		}
		f.Reset()
		if f.Cell(0) != 0 || f.Overflows() != 0 {
			t.Errorf("%d bits: not empty after Reset", bits)
		}
	}
}

func TestRemoveOfAnAbsentKey(t *testing.T) {
	f := mustNew(t, Params{Cells: 1000, Hashes: 4, CellBits: 4, Hash: hashing.XX(1)})
	_ = f.Add(1)
	before := f.Clone()
	for _, err := range []error{f.Remove(2), f.RemoveBytes([]byte("x")), f.RemoveHash(77)} {
		if !errors.Is(err, sketchproof.ErrNotFound) {
			t.Errorf("got %v, want %v", err, sketchproof.ErrNotFound)
		}
	}
	if !f.Equal(before) {
		t.Error("a refused removal changed the filter")
	}
	f.RemoveUnguarded(2)
	f.RemoveUnguardedBytes([]byte("x"))
	for i, c := range cells(f) {
		if c < 0 || c > before.Cell(i) {
			t.Errorf("cell %d went from %d to %d", i, before.Cell(i), c)
		}
	}
}

// In one cell every stranger looks present, and removing one takes the place
// of a key: unguarded removal of strangers loses keys, whatever the guard.
func TestStrangersDoDamage(t *testing.T) {
	for name, remove := range map[string]func(f *Filter){
		"unguarded": func(f *Filter) { f.RemoveUnguarded(2) },
		"bytes":     func(f *Filter) { f.RemoveUnguardedBytes([]byte("x")) },
		"guarded":   func(f *Filter) { _ = f.Remove(2) },
	} {
		f := mustNew(t, Params{Cells: 1, Hashes: 1, CellBits: 8, Hash: hashing.XX(1)})
		_ = f.Add(1)
		remove(f)
		if f.Contains(1) || f.Cell(0) != 0 {
			t.Errorf("%s: the key is still there, cell %d", name, f.Cell(0))
		}
		remove(f)
		if f.Cell(0) != 0 {
			t.Errorf("%s: an empty cell went to %d", name, f.Cell(0))
		}
	}
}

func TestMergeNamesTheDifference(t *testing.T) {
	base := Params{Cells: 10, Hashes: 3, CellBits: 4, Hash: hashing.XX(1)}
	for says, change := range map[string]func(*Params){
		"10 cells against 11":           func(p *Params) { p.Cells = 11 },
		"3 hashes against 4":            func(p *Params) { p.Hashes = 4 },
		"cells of 4 bits against 8":     func(p *Params) { p.CellBits = 8 },
		"derived scheme against indepe": func(p *Params) { p.Scheme = Independent },
		"hash function xxhash64 seed 1": func(p *Params) { p.Hash = hashing.XX(2) },
	} {
		p := base
		change(&p)
		a, b := mustNew(t, base), mustNew(t, p)
		_ = b.Add(1)
		if err := a.Merge(b); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want an error with %q", err, says)
		}
		if !a.Equal(mustNew(t, base)) || a.Equal(b) {
			t.Errorf("%s: the refused merge changed the filter", says)
		}
	}
}

func TestCloneSharesNothing(t *testing.T) {
	f := mustNew(t, Params{Cells: 1, Hashes: 1, CellBits: 4, Hash: hashing.XX(1)})
	c := f.Clone()
	_ = c.Add(1)
	if f.Cell(0) != 0 || c.Cell(0) != 1 || f.Equal(c) {
		t.Errorf("cells %d and %d, want 0 and 1", f.Cell(0), c.Cell(0))
	}
}

func TestMergeWithItself(t *testing.T) {
	f := mustNew(t, Params{Cells: 1, Hashes: 1, CellBits: 4, Hash: hashing.XX(1)})
	for range 17 {
		_ = f.Add(1)
	}
	// 17 keys overflow by 2; twice 15 in a cell of 15 loses 15 more.
	if err := f.Merge(f); err != nil || f.Cell(0) != 15 || f.Overflows() != 2+2+15 {
		t.Errorf("cell %d, overflows %d, %v", f.Cell(0), f.Overflows(), err)
	}
}

func TestCellOutOfRangePanics(t *testing.T) {
	f := mustNew(t, Params{Cells: 3, Hashes: 1, CellBits: 4, Hash: hashing.XX(1)})
	for _, i := range []int{-1, 3} { // cell 3 is in the word, not in the filter
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Cell(%d) did not panic", i)
				}
			}()
			f.Cell(i)
		}()
	}
}

func TestHashesAsKeys(t *testing.T) {
	for _, scheme := range []Scheme{Derived, Independent} {
		p := Params{Cells: 100, Hashes: 5, CellBits: 16, Scheme: scheme, Hash: hashing.XX(3)}
		a, b := mustNew(t, p), mustNew(t, p)
		for key := range uint64(50) {
			hash := key
			if scheme == Derived {
				hash = p.Hash.Uint64(key)
			}
			_, _ = a.Add(key), b.AddHash(hash)
			if !b.ContainsHash(hash) || !b.Contains(key) {
				t.Errorf("%v: key %d is missed", scheme, key)
			}
		}
		if !a.Equal(b) {
			t.Errorf("%v: cells differ", scheme)
		}
		if err := b.RemoveHash(0); scheme == Independent && err != nil {
			t.Error(err)
		}
	}
}

// The derived cells of many keys fill the table evenly: chi-square with
// mean m-1 and variance 2(m-1), seven standard deviations allowed.
func TestDerivedCellsAreUniform(t *testing.T) {
	const m, k, n = 101, 4, 5000
	f := mustNew(t, Params{Cells: m, Hashes: k, CellBits: 16, Hash: hashing.XX(3)})
	for key := range uint64(n) {
		_ = f.Add(key)
	}
	x, fair := 0.0, CellMean(n, m, k)
	for _, c := range cells(f) {
		x += (float64(c) - fair) * (float64(c) - fair) / fair
	}
	if limit := m - 1 + 7*math.Sqrt(2*(m-1)); x > limit {
		t.Errorf("chi-square %.0f, at most %.0f", x, limit)
	}
}

func TestNames(t *testing.T) {
	if got := fmt.Sprint(Derived, " ", Independent, " ", Scheme(9)); got != "derived independent unknown scheme 9" {
		t.Error(got)
	}
}
