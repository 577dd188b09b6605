package hll

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

func buildSparse(t interface{ Fatal(...any) }, precision int, form Registers) *Sketch {
	s, err := New(Params{Precision: precision, Registers: form, Sparse: true, Hash: hashing.XX(5)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sameRegisters compares values, whatever the forms.
func sameRegisters(a, b *Sketch) bool {
	for i := range a.M() {
		if a.Register(i) != b.Register(i) {
			return false
		}
	}
	return a.M() == b.M()
}

func TestCodesKeepWhatRegistersNeed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for n := range 20000 {
		hash := r.Uint64() >> (n % 65) << (n % 9)
		for p := MinPrecision; p <= MaxPrecision; p++ {
			i, rank := place(hash, uint(p))
			if j, got := placeOf(codeOf(hash), p); j != i || got != rank {
				t.Fatalf("%#x, p %d: register %d rank %d, want %d and %d", hash, p, j, got, i, rank)
			}
		}
		if rank := codeOf(hash) & 63; rank == 0 || rank > maxRank {
			t.Fatalf("%#x: rank %d in a code", hash, rank)
		}
	}
}

func TestTurnsDenseAtTheBreakEven(t *testing.T) {
	for _, form := range forms() {
		for p := MinPrecision; p <= 12; p++ {
			s, dense := buildSparse(t, p, form), build(t, p, form)
			most, last := 0, 0
			for k := uint64(0); s.Sparse(); k++ {
				if size := s.SizeBytes(); size > dense.SizeBytes() || size < last {
					t.Fatalf("p %d, %v: %d bytes, the registers take %d", p, form, size, dense.SizeBytes())
				}
				last, most = s.SizeBytes(), s.codes.n
				s.Add(k)
				dense.Add(k)
			}
			// The next size of table would take more than the registers.
			if want := capacity(dense.SizeBytes() / 4); most != want {
				t.Errorf("p %d, %v: turned dense after %d codes, want %d", p, form, most, want)
			}
			if !sameRegisters(s, dense) || s.Estimate() != dense.Estimate() {
				t.Errorf("p %d, %v: other registers", p, form)
			}
			checkHistogram(t, s)
		}
	}
}

func TestSparseReadsTheSameRegisters(t *testing.T) {
	s, dense := buildSparse(t, 10, Bytes8), build(t, 10, Bytes8)
	for k := range uint64(150) {
		s.Add(k)
		dense.Add(k)
	}
	for _, e := range Estimators() {
		if a, b := s.EstimateWith(e), dense.EstimateWith(e); a != b {
			t.Errorf("%v: %g, registers %g", e, a, b)
		}
	}
	if !s.Sparse() || s.Estimate() != 150+150*149/2*together {
		t.Errorf("estimate %.9f", s.Estimate())
	}
	if !sameRegisters(s, dense) || !s.Sparse() {
		t.Error("reading changed the form")
	}
}

func TestSparseErrorBySimulation(t *testing.T) {
	// The largest set at p = 18: 49152 codes, of which 6 are expected to have met
	// another. The mean of 60 estimates is exact to five standard errors.
	const n, trials = 48000, 60
	r := rand.New(rand.NewPCG(3, 0))
	s := buildSparse(t, 18, Bytes8)
	sum, square := 0.0, 0.0
	for range trials {
		s.Reset()
		for range n {
			s.AddHash(r.Uint64())
		}
		if !s.Sparse() {
			t.Fatal("not sparse")
		}
		x := s.Estimate()/n - 1
		sum, square = sum+x, square+x*x
	}
	if bias := sum / trials; math.Abs(bias) > 5*SparseError()/math.Sqrt(trials) {
		t.Errorf("bias %g", bias)
	}
	near(t, "spread", math.Sqrt(square/trials), SparseError(), 5/math.Sqrt(2*trials))
}

func TestMergeInAnyMixture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		precision := rapid.IntRange(4, 9).Draw(t, "precision")
		n := rapid.IntRange(0, 300)
		fresh := func(name string) *Sketch {
			s, err := New(Params{
				Precision: precision, Registers: rapid.SampledFrom(forms()).Draw(t, "form of "+name),
				Sparse: rapid.Bool().Draw(t, "sparse "+name), Hash: hashing.XX(5),
			})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		a, b := fresh("a"), fresh("b")
		all, _ := New(a.Params())
		dense, _ := New(Params{Precision: precision, Hash: hashing.XX(5)})
		for _, s := range []*Sketch{a, b} {
			for range n.Draw(t, "n") {
				k := rapid.Uint64Range(0, 1<<10).Draw(t, "key")
				s.Add(k)
				all.Add(k)
				dense.Add(k)
			}
		}
		before := b.Clone()
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		if !sameRegisters(a, dense) {
			t.Fatal("other registers than those of the union")
		}
		if a.Sparse() && !b.Sparse() {
			t.Fatal("sparse after a merge with registers")
		}
		// Six bits a register take over from the set earlier than eight do.
		if a.Sparse() != all.Sparse() && b.Params().Sparse && a.Params().Registers == b.Params().Registers {
			t.Fatal("the form depends on the way the keys took")
		}
		if a.Sparse() == all.Sparse() && (!a.Equal(all) || !bytes.Equal(stored(new(testing.T), a), stored(new(testing.T), all))) {
			t.Fatal("not equal to the sketch of the union")
		}
		if !b.Equal(before) {
			t.Fatal("Merge changed its source")
		}
		if err := a.Merge(a); err != nil || !sameRegisters(a, dense) {
			t.Fatalf("a merge with itself: %v", err)
		}
	})
}

func TestReduceIsTheSmallerSketch(t *testing.T) {
	for _, form := range forms() {
		for _, sparse := range []bool{false, true} {
			for _, n := range []int{0, 1, 10, 100, 700, 5000} {
				sketches := make([]*Sketch, 13)
				for p := MinPrecision; p < len(sketches); p++ {
					s, err := New(Params{Precision: p, Registers: form, Sparse: sparse, Hash: hashing.XX(5)})
					if err != nil {
						t.Fatal(err)
					}
					r := rand.New(rand.NewPCG(1, 0))
					for i := range n {
						s.AddHash(r.Uint64() >> (i % 61 * (i % 2)) << (i % 3))
					}
					sketches[p] = s
				}
				for from := MinPrecision; from < len(sketches); from++ {
					for to := MinPrecision; to <= from; to++ {
						got, err := sketches[from].Reduce(to)
						if err != nil {
							t.Fatal(err)
						}
						if want := sketches[to]; !bytes.Equal(stored(t, got), stored(t, want)) || !got.Equal(want) {
							t.Fatalf("%v, sparse %v, %d keys: from %d to %d differs", form, sparse, n, from, to)
						}
						checkHistogram(t, got)
					}
				}
			}
		}
	}
	s := build(t, 6, Bytes8)
	for _, p := range []int{3, 7, -1} {
		if _, err := s.Reduce(p); err == nil {
			t.Errorf("reduced to %d", p)
		}
	}
	same, err := s.Reduce(6)
	if err != nil {
		t.Fatal(err)
	}
	if same.Add(1); s.Register(0)+uint8(s.Estimate()) != 0 {
		t.Error("the result shares memory")
	}
}

func TestSparseCopiesAndBytes(t *testing.T) {
	for _, n := range []int{0, 1, 11, 12, 13, 191, 192, 193} { // around each growth of p = 10
		s, shuffled := buildSparse(t, 10, Bytes8), buildSparse(t, 10, Bytes8)
		for k := range uint64(n) {
			s.Add(k)
		}
		for _, k := range rand.New(rand.NewPCG(1, 0)).Perm(n) {
			shuffled.Add(uint64(k))
			shuffled.Add(uint64(k))
		}
		data := stored(t, s)
		if !s.Equal(shuffled) || !bytes.Equal(data, stored(t, shuffled)) {
			t.Fatalf("%d keys: order or repeats changed something", n)
		}
		var read Sketch
		if err := read.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		c := s.Clone()
		if !read.Equal(s) || !c.Equal(s) || read.SizeBytes() != s.SizeBytes() || read.Sparse() != (n <= 192) {
			t.Fatalf("%d keys: the copies differ", n)
		}
		alone := s.Clone()
		if alone.Add(999); !c.Equal(s) || alone.Sparse() && alone.Equal(s) {
			t.Fatalf("%d keys: the clone shares memory", n)
		}
		for k := range uint64(400) {
			s.Add(1000 + k)
			c.Add(1000 + k)
			read.Add(1000 + k)
			if !read.Equal(s) || !c.Equal(s) {
				t.Fatalf("%d keys: the copies go on in another way", n)
			}
		}
		c.Reset()
		if !c.Equal(buildSparse(t, 10, Bytes8)) || c.Estimate() != 0 || !c.Sparse() {
			t.Error("Reset left something")
		}
		checkHistogram(t, c)
	}
	a, b := buildSparse(t, 10, Bytes8), buildSparse(t, 10, Bytes8)
	a.Add(1)
	b.Add(2)
	if a.Equal(b) || a.Equal(build(t, 10, Bytes8)) {
		t.Error("sketches of other keys or parameters are equal")
	}
}

func TestUnmarshalRefusesSparse(t *testing.T) {
	const form = optionBit | sparseBit
	le := func(codes ...uint32) (b []byte) {
		for _, c := range codes {
			b = append(b, byte(c), byte(c>>8), byte(c>>16), byte(c>>24))
		}
		return b
	}
	good := le(1, 39, 64|1)
	if err := new(Sketch).UnmarshalBinary(encode(good, 4, form)); err != nil {
		t.Fatalf("good bytes: %v", err)
	}
	for name, data := range map[string][]byte{
		"rank 0":             encode(le(64), 4, form),
		"rank 40":            encode(le(40), 4, form),
		"twice":              encode(le(1, 1), 4, form),
		"out of order":       encode(le(2, 1), 4, form),
		"too many":           encode(le(1, 2, 3, 4), 4, form),
		"half a code":        encode(good[:6], 4, form),
		"without the option": encode(good, 4, sparseBit),
		"form 8":             encode(good, 4, form|8),
		"wrapped form":       encode(good, 4, form|256),
		"dense and short":    encode(good, 4, optionBit),
	} {
		if err := new(Sketch).UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBatchesAreSingleCalls(t *testing.T) {
	for _, form := range forms() {
		for _, sparse := range []bool{false, true} {
			fresh := func() *Sketch {
				s, err := New(Params{Precision: 8, Registers: form, Sparse: sparse, Hash: hashing.XX(5)})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			r := rand.New(rand.NewPCG(7, 0))
			hashes, keys := make([]uint64, 3000), make([]uint64, 3000)
			text := make([][]byte, 3000)
			for i := range hashes {
				hashes[i], keys[i] = r.Uint64()>>(i%65*(i%2)), r.Uint64N(2000)
				text[i] = fmt.Append(nil, keys[i])
			}
			single, batch := fresh(), fresh()
			for i := range hashes {
				single.AddHash(hashes[i])
				single.Add(keys[i])
				single.AddBytes(text[i])
			}
			for from := 0; from < len(hashes); from += 100 { // the form changes within one
				for _, add := range []func() (int, error){
					func() (int, error) { return batch.AddHashBatch(hashes[from : from+100]) },
					func() (int, error) { return batch.AddBatch(keys[from : from+100]) },
					func() (int, error) { return batch.AddBytesBatch(text[from : from+100]) },
				} {
					if n, err := add(); n != 100 || err != nil {
						t.Fatalf("%d added, %v", n, err)
					}
				}
			}
			if !single.Equal(batch) || single.Estimate() != batch.Estimate() {
				t.Errorf("%v, sparse %v: a batch is not its calls", form, sparse)
			}
		}
	}
}
