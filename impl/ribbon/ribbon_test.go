package ribbon

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// hashOf is one of endless distinct random hashes.
func hashOf(i int) uint64 { return hashing.Mix(uint64(i+1) * hashing.Gamma) }

func hashesOf(from, to int) []uint64 {
	out := make([]uint64, to-from)
	for i := range out {
		out[i] = hashOf(from + i)
	}
	return out
}

// everyKind runs a test for both forms and all widths.
func everyKind(t *testing.T, run func(t *testing.T, p Params)) {
	for _, form := range []Form{Standard, Homogeneous} {
		for _, w := range []int{32, 64, 128} {
			t.Run(fmt.Sprintf("%v/w=%d", form, w), func(t *testing.T) {
				run(t, Params{Width: w, Bits: 8, Form: form, Hash: hashing.XX(1)})
			})
		}
	}
}

func mustHashes(t testing.TB, hashes []uint64, p Params) *Filter {
	t.Helper()
	f, err := NewFromHashes(hashes, p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func allFound(t testing.TB, f *Filter, hashes []uint64) {
	t.Helper()
	for i, h := range hashes {
		if !f.ContainsHash(h) {
			t.Fatalf("n=%d r=%v: hash %d is lost", len(hashes), f.Bits(), i)
		}
	}
}

func TestEveryKeyIsFoundAtEveryN(t *testing.T) {
	everyKind(t, func(t *testing.T, p Params) {
		ns := []int{499, 500, 1000, 1023, 4999, 11500, 30000}
		for n := range 200 {
			ns = append(ns, n)
		}
		for _, n := range ns {
			hashes := hashesOf(n*31, n*32)
			for _, r := range []float64{1, 7.3, 8, 32} {
				if r != 8 && n > 1000 {
					continue
				}
				p.Bits = r
				f := mustHashes(t, hashes, p)
				allFound(t, f, hashes)
				if f.Len() != n || n > 0 && f.Bits() < r || f.Width() != p.Width || f.Form() != p.Form {
					t.Fatalf("n=%d r=%v: it says %d keys, %v bits", n, r, f.Len(), f.Bits())
				}
				if n > 0 && f.Slots()-f.Starts() != max(64, uint64(p.Width)) {
					t.Fatalf("%d starts of %d rows", f.Starts(), f.Slots())
				}
			}
		}
	})
}

func TestEveryColumnCountIsHeld(t *testing.T) {
	everyKind(t, func(t *testing.T, p Params) {
		hashes := hashesOf(0, 700)
		for r := 1.0; r <= 32; r += 0.25 {
			p.Bits = r
			f := mustHashes(t, hashes, p)
			allFound(t, f, hashes)
			// One block is a share 64/starts.
			if over := f.Bits() - r; over < 0 || over > 64/float64(f.Starts()) {
				t.Errorf("r=%v is built as %v", r, f.Bits())
			}
			if want := float64(f.Slots()) * f.Bits() / 8; math.Abs(float64(f.SizeBytes())-want) > 64 {
				t.Errorf("r=%v: %d bytes, the columns are %.0f", r, f.SizeBytes(), want)
			}
		}
	})
}

func TestNoKeysAreNeverFound(t *testing.T) {
	everyKind(t, func(t *testing.T, p Params) {
		f := mustHashes(t, nil, p)
		for i := range 1000 {
			if f.ContainsHash(hashOf(i)) {
				t.Fatal("found a key in an empty filter")
			}
		}
		if f.SizeBytes() != 0 || f.Attempts() != 1 || f.Bits() != 8 {
			t.Errorf("an empty filter takes %d bytes, %d attempts, r = %v", f.SizeBytes(), f.Attempts(), f.Bits())
		}
	})
	if new(Filter).Contains(1) {
		t.Error("the zero filter holds something")
	}
}

// TestBytesAreAFunctionOfTheSet: order and repetition of keys change nothing,
// also where the standard form takes several attempts.
func TestBytesAreAFunctionOfTheSet(t *testing.T) {
	everyKind(t, func(t *testing.T, p Params) {
		for _, tight := range []float64{0, 0.03} {
			p.Overhead, p.Bits = tight, 3.5
			hashes := hashesOf(0, 3000)
			want, err := mustHashes(t, hashes, p).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 1))
			for i := range 4 {
				r.Shuffle(len(hashes), func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
				some := hashes
				if i > 1 {
					some = append(slices.Clone(hashes), hashes[:1<<(5*(i-2))]...)
				}
				before := slices.Clone(some)
				got, err := mustHashes(t, some, p).MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("overhead %v, order %d: other bytes", tight, i)
				}
				if !slices.Equal(some, before) {
					t.Error("the caller's hashes were changed")
				}
			}
		}
	})
}

func TestManyCopiesOfFewKeys(t *testing.T) {
	everyKind(t, func(t *testing.T, p Params) {
		var hashes []uint64
		for i := range 20000 {
			hashes = append(hashes, hashOf(i*3/20000))
		}
		f := mustHashes(t, hashes, p)
		allFound(t, f, hashes)
		if f.Len() != 3 || f.Slots() > 256 {
			t.Errorf("%d keys in %d slots of three distinct", f.Len(), f.Slots())
		}
	})
}

// TestTightStandardFiltersRetryAndEnd: at 2 % overhead a system of width 32 has
// no solution, so attempts enlarge it until it has.
func TestTightStandardFiltersRetryAndEnd(t *testing.T) {
	hashes := hashesOf(0, 20000)
	p := Params{Width: 32, Bits: 8, Overhead: 0.02, Hash: hashing.XX(0)}
	f := mustHashes(t, hashes, p)
	allFound(t, f, hashes)
	if f.Attempts() < 4 || float64(f.Slots()) < 1.05*20000 {
		t.Errorf("%d attempts, %d slots", f.Attempts(), f.Slots())
	}
	p.Form = Homogeneous
	f = mustHashes(t, hashes, p)
	allFound(t, f, hashes)
	if f.Attempts() != 1 {
		t.Errorf("the homogeneous form took %d attempts", f.Attempts())
	}
}

// TestAttemptsAreFew: the rule for the overhead leaves a chance under 0.2 that an
// attempt fails, so 40 builds with 20 failures or more have one below 1e-6.
func TestAttemptsAreFew(t *testing.T) {
	for _, w := range []int{32, 64, 128} {
		failed := 0
		for i := range 40 {
			failed += mustHashes(t, hashesOf(i*5000, i*5000+5000), Params{Width: w, Bits: 8, Hash: hashing.XX(0)}).Attempts() - 1
		}
		if failed >= 20 {
			t.Errorf("w=%d: %d failures in 40 builds", w, failed)
		}
	}
}

func TestKeysBytesAndHashesAreOneFilter(t *testing.T) {
	p := Params{Width: 64, Bits: 8, Hash: hashing.Keyed([16]byte{1, 2, 3})}
	var keys, hashes []uint64
	var strings [][]byte
	for i := range uint64(2000) {
		keys = append(keys, i)
		hashes = append(hashes, p.Hash.Uint64(i))
		strings = append(strings, binary.LittleEndian.AppendUint64(nil, i))
	}
	a, err1 := New(keys, p)
	b, err2 := NewFromHashes(hashes, p)
	c, err3 := NewFromBytes(strings, p)
	if err1 != nil || err2 != nil || err3 != nil {
		t.Fatal(err1, err2, err3)
	}
	x, _ := a.MarshalBinary()
	y, _ := b.MarshalBinary()
	z, _ := c.MarshalBinary()
	if !bytes.Equal(x, y) || !bytes.Equal(x, z) {
		t.Error("three ways to give the same keys make different filters")
	}
	for i := range keys {
		if !a.Contains(keys[i]) || !a.ContainsBytes(strings[i]) || !a.ContainsHash(hashes[i]) {
			t.Fatalf("key %d is lost", i)
		}
	}
	if a.Hash() != p.Hash {
		t.Error("the hash function changed")
	}
}

func TestBatchesAreTheSingleCalls(t *testing.T) {
	everyKind(t, func(t *testing.T, p Params) {
		keys := make([]uint64, 1000)
		strings := make([][]byte, len(keys))
		for i := range keys {
			keys[i] = uint64(i)
			strings[i] = binary.LittleEndian.AppendUint64(nil, uint64(i))
		}
		p.Bits = 2.5
		f, err := New(keys[:500], p)
		if err != nil {
			t.Fatal(err)
		}
		hashes := make([]uint64, len(keys))
		p.Hash.Uint64Each(hashes, keys)
		single := make([]bool, len(keys))
		count := 0
		for i, k := range keys {
			single[i] = f.Contains(k)
			if single[i] {
				count++
			}
		}
		found := make([]bool, len(keys)+1)
		check := func(name string, counted int) {
			if !slices.Equal(found[:len(keys)], single) || found[len(keys)] || counted != count {
				t.Errorf("%s differs from single calls", name)
			}
			clear(found)
		}
		f.ContainsBatch(keys, found)
		check("ContainsBatch", f.CountBatch(keys))
		f.ContainsBytesBatch(strings, found)
		check("ContainsBytesBatch", f.CountBytesBatch(strings))
		f.ContainsHashBatch(hashes, found)
		check("ContainsHashBatch", f.CountHashBatch(hashes))
	})
}

func TestParamsOutOfRangeAreRefused(t *testing.T) {
	good := Params{Width: 64, Bits: 8, Hash: hashing.XX(0)}
	for name, change := range map[string]func(p *Params){
		"width":    func(p *Params) { p.Width = 48 },
		"bits":     func(p *Params) { p.Bits = 0.5 },
		"r":        func(p *Params) { p.Bits = 32.01 },
		"32":       func(p *Params) { p.Bits = math.NaN() },
		"forms":    func(p *Params) { p.Form = 2 },
		"overhead": func(p *Params) { p.Overhead = math.NaN() },
		"0.001":    func(p *Params) { p.Overhead = -0.1 },
	} {
		p := good
		change(&p)
		if _, err := New([]uint64{1}, p); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: %v", p, err)
		}
		if _, err := NewFromBytes(nil, p); err == nil {
			t.Errorf("%+v was taken", p)
		}
	}
}
