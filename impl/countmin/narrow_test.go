package countmin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// everySize is one sketch of each scheme, update rule and counter size, those of
// 32 bits behind those of 64.
func everySize(t testing.TB, w, d int, h hashing.Hasher) []*Sketch {
	t.Helper()
	all := everyKind(t, w, d, h)
	for _, s := range all {
		all = append(all, mustNew(t, Params{Width: w, Depth: d, Rows: s.rows, Conservative: s.conservative, CellBits: 32, Hash: h}))
	}
	return all
}

// Below 2^32 in all, counters of both sizes are the same numbers.
func TestNarrowCountersAreTheWideOnes(t *testing.T) {
	for _, d := range []int{1, 5, 20} {
		all := everySize(t, 60, d, hashing.XX(3))
		wide, narrow := all[:4], all[4:]
		for i := range wide {
			r := rand.New(rand.NewPCG(1, 0))
			for range 2000 {
				key, weight := r.Uint64N(300), r.Uint64N(2_000_000)
				wide[i].Add(key, weight)
				narrow[i].Add(key, weight)
			}
			if narrow[i].CellBits() != 32 || wide[i].CellBits() != 64 || 2*narrow[i].SizeBytes() != wide[i].SizeBytes() || narrow[i].Saturated() {
				t.Fatal("the sizes, or it saturated")
			}
			for row := range d {
				if !slices.Equal(wide[i].Row(row), narrow[i].Row(row)) {
					t.Fatalf("%v, conservative %t: row %d differs", wide[i].rows, wide[i].conservative, row)
				}
			}
			for key := range uint64(310) {
				if wide[i].Count(key) != narrow[i].Count(key) || wide[i].MeanMin(key) != narrow[i].MeanMin(key) {
					t.Fatalf("key %d: two counts", key)
				}
			}
		}
	}
}

// Beyond 2^32 the counters stop, and no estimate falls below the truth.
func TestNarrowCountersStop(t *testing.T) {
	for _, s := range everySize(t, 500, 3, hashing.XX(2))[4:] {
		truth := map[uint64]uint64{}
		add := func(key, weight uint64) {
			s.Add(key, weight)
			truth[key] += weight
		}
		add(1, math.MaxUint32-3)
		add(2, 2)
		if s.Saturated() {
			t.Error("saturated too soon")
		}
		add(1, 7)
		add(3, 1<<40)
		add(4, 9)
		if !s.Saturated() {
			t.Error("not saturated")
		}
		for key, weight := range truth {
			if got := s.Count(key); got < weight || got > s.Total() {
				t.Errorf("%v, conservative %t: key %d counts %d, is %d", s.rows, s.conservative, key, got, weight)
			}
		}
		// The chance that key 4 meets key 1 or 3 in all rows is below 500^-3.
		if s.Count(4) != 9 || s.Count(1) != s.Total() {
			t.Errorf("counts %d and %d", s.Count(4), s.Count(1))
		}
		var back Sketch
		if err := back.UnmarshalBinary(marshal(t, s)); err != nil || !back.Equal(s) {
			t.Errorf("read back: %v", err)
		}
		other := s.Clone()
		if err := s.Merge(other); (err == nil) == s.conservative {
			t.Error(err)
		}
		if !s.conservative && (s.Count(4) != 18 || s.Count(1) != s.Total()) {
			t.Errorf("merged: counts %d and %d", s.Count(4), s.Count(1))
		}
		s.Reset()
		if s.Count(1) != 0 || s.Saturated() {
			t.Error("not empty after Reset")
		}
	}
}

func forgeNarrow(geometry []uint64, cells ...uint32) []byte {
	h := frame.Header{Structure: narrowStructure, Version: version, Hash: hashing.XX(1), Geometry: geometry}
	return frame.Encode(h, 4*len(cells), func(b []byte) []byte {
		for _, c := range cells {
			b = binary.LittleEndian.AppendUint32(b, c)
		}
		return b
	})
}

func TestNarrowUnmarshalRefuses(t *testing.T) {
	var s Sketch
	for says, data := range map[string][]byte{
		"8 bytes of counters for 2 rows of 2":  forgeNarrow([]uint64{2, 2, 0, 0, 5}, 2, 3),
		"row 0 adds up to 5, the total is 6":   forgeNarrow([]uint64{2, 1, 0, 0, 6}, 2, 3),
		"row 0 adds up to 5, the total is 4":   forgeNarrow([]uint64{2, 1, 0, 1, 4}, 2, 3),
		"at most":                              forgeNarrow([]uint64{1 << 60, 4, 0, 0, 0}),
		"adds up to 4294967298, the total is ": forgeNarrow([]uint64{2, 1, 0, 0, math.MaxUint32}, math.MaxUint32, 3),
	} {
		if err := s.UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want corrupt bytes with %q", err, says)
		}
	}
	good := forgeNarrow([]uint64{2, 1, 0, 0, 1 << 40}, math.MaxUint32, 3)
	if err := s.UnmarshalBinary(good); err != nil || s.CellBits() != 32 || !bytes.Equal(marshal(t, &s), good) {
		t.Error(err)
	}
}

// Batches are the single calls, at every length, across the number at which
// counters stop.
func TestBatchesAreSingleCalls(t *testing.T) {
	for _, d := range []int{1, 4, 5, 13, 25} {
		for _, s := range everySize(t, 40, d, hashing.XX(5)) {
			one, many, texts := s.Clone(), s.Clone(), s.Clone()
			r := rand.New(rand.NewPCG(2, 0))
			for _, weight := range []uint64{0, 1, 1000, 1 << 24, 1 << 40, 1 << 57, math.MaxUint64} {
				for _, n := range []int{0, 1, block - 1, block, block + 1, 3*block + 5} {
					keys, names := make([]uint64, n), make([][]byte, n)
					for i := range keys {
						keys[i] = r.Uint64N(200)
						names[i] = binary.LittleEndian.AppendUint64(nil, keys[i])
						one.Add(keys[i], weight)
					}
					many.AddBatch(keys, weight)
					texts.AddBytesBatch(names, weight)
					if !one.Equal(many) || !one.Equal(texts) {
						t.Fatalf("%v, %d bits, conservative %t, depth %d: %d keys of weight %d differ", s.rows, s.CellBits(), s.conservative, d, n, weight)
					}
					counts, same := make([]uint64, n+1), make([]uint64, n)
					many.CountBatch(keys, counts)
					texts.CountBytesBatch(names, same)
					for i, key := range keys {
						if want := one.Count(key); counts[i] != want || same[i] != want {
							t.Fatalf("key %d counts %d and %d, want %d", key, counts[i], same[i], want)
						}
					}
					many.CountBatch(keys, keys)
					if !slices.Equal(keys, same) || counts[n] != 0 {
						t.Fatal("counting in place, or past the keys")
					}
				}
			}
		}
	}
}

func TestBatchesDoNotAllocate(t *testing.T) {
	keys, counts := make([]uint64, 1000), make([]uint64, 1000)
	for _, bits := range []int{32, 64} {
		s := mustNew(t, Params{Width: 100, Depth: 5, CellBits: bits, Hash: hashing.XX(1)})
		if n := testing.AllocsPerRun(20, func() {
			s.AddBatch(keys, 1)
			s.CountBatch(keys, counts)
		}); n != 0 {
			t.Errorf("%d bits: %v allocations", bits, n)
		}
	}
}

// MeanMin is the median over rows of c - (N - c)/(w - 1), by Row and Index.
func TestMeanMinIsItsDefinition(t *testing.T) {
	for _, d := range []int{1, 2, 5, 20} {
		for _, s := range everySize(t, 30, d, hashing.XX(7)) {
			r := rand.New(rand.NewPCG(3, 0))
			for range 500 {
				s.Add(r.Uint64N(100), r.Uint64N(50))
			}
			for key := range uint64(110) {
				rows := make([]float64, d)
				for i := range rows {
					c := float64(s.Row(i)[s.Index(i, key)])
					rows[i] = c - (float64(s.Total())-c)/29
				}
				slices.Sort(rows)
				want := (rows[(d-1)/2] + rows[d/2]) / 2
				if got := s.MeanMin(key); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
					t.Fatalf("%v, depth %d: %v, want %v", s.rows, d, got, want)
				}
			}
			text := binary.LittleEndian.AppendUint64(nil, 5)
			if s.MeanMinBytes(text) != s.MeanMin(5) {
				t.Error("bytes and number differ")
			}
		}
	}
	one := mustNew(t, Params{Width: 1, Depth: 3, Hash: hashing.XX(1)})
	one.Add(1, 5)
	if one.MeanMin(1) != 0 {
		t.Errorf("of one column: %v", one.MeanMin(1))
	}
}

// One row over fresh hash functions: mean f, variance (F2 - f^2)/(w - 1).
func TestMeanMinMomentsHold(t *testing.T) {
	const trials, w, f = 4000, 7, 5
	f2, fourth, p := float64(f*f), 0.0, 1.0/w
	for c := 1.0; c <= 20; c++ {
		f2 += c * c
		v := p * (1 - p) // see TestRowMomentsHold
		fourth += c * c * c * c * (v*(1-3*v) - 3*v*v)
	}
	variance, scale := MeanMinVariance(f2, f, w), math.Pow(w/(w-1.0), 4)
	fourth = scale*fourth + 3*variance*variance
	sum, squares := 0.0, 0.0
	for trial := range uint64(trials) {
		s := mustNew(t, Params{Width: w, Depth: 1, Hash: hashing.XX(hashing.Mix(trial))})
		s.Add(0, f)
		for key := uint64(1); key <= 20; key++ {
			s.Add(key, key)
		}
		off := s.MeanMin(0) - f
		sum += off
		squares += off * off
	}
	within(t, "mean", sum/trials, 0, math.Sqrt(variance), trials)
	within(t, "variance", squares/trials, variance, math.Sqrt(fourth-variance*variance), trials)
}
