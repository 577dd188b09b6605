package kmv

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

func build(t interface{ Fatal(...any) }, k int) *Sketch {
	s, err := New(Params{K: k, Hash: hashing.XX(5)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lowestOf are the k smallest of a list, by sorting all.
func lowestOf(k int, hashes []uint64) []uint64 {
	all := slices.Clone(hashes)
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(k, len(all))]
}

func TestKeepsTheSmallest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(MinK, 100).Draw(t, "k")
		// Few different hashes, so that many repeat, and the ends of the range.
		hash := rapid.OneOf(rapid.Uint64Range(0, 200), rapid.Uint64Range(math.MaxUint64-2, math.MaxUint64), rapid.Uint64())
		hashes := rapid.SliceOfN(hash, 0, 500).Draw(t, "hashes")
		all, a, b := build(t, k), build(t, k), build(t, k)
		left := 0
		for i, h := range hashes {
			all.AddHash(h)
			if i < len(hashes)/3 {
				a.AddHash(h)
				left++
			} else {
				b.AddHash(h)
			}
			if i%97 == 0 && !slices.Equal(all.Hashes(), lowestOf(k, hashes[:i+1])) {
				t.Fatalf("after %d hashes: %v", i+1, all.Hashes())
			}
		}
		if want := lowestOf(k, hashes); !slices.Equal(all.Hashes(), want) {
			t.Fatalf("%v, want %v", all.Hashes(), want)
		}
		o, err := Compare(a, b)
		if err != nil {
			t.Fatal(err)
		}
		common := 0
		for _, h := range lowestOf(k, hashes) {
			if slices.Contains(hashes[:left], h) && slices.Contains(hashes[left:], h) {
				common++
			}
		}
		if o.Common != common || o.Sampled != len(lowestOf(k, hashes)) || o.Union != all.Estimate() {
			t.Fatalf("overlap %+v, want %d common", o, common)
		}
		other := b.Clone()
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		x, _ := a.MarshalBinary()
		y, _ := all.MarshalBinary()
		if !bytes.Equal(x, y) || !a.Equal(all) || a.Estimate() != all.Estimate() || !b.Equal(other) {
			t.Fatal("the merge differs from the sketch of the union, or changed its source")
		}
		for _, h := range hashes { // goes on after a merge, and repeats change nothing
			a.AddHash(h)
		}
		if !a.Equal(all) {
			t.Fatal("repeats changed something")
		}
	})
}

func TestExactBelowK(t *testing.T) {
	s := build(t, 64)
	for k := range uint64(63) {
		if s.Estimate() != float64(k) {
			t.Fatalf("%d keys read %g", k, s.Estimate())
		}
		for range 100 {
			s.Add(k) // many more than fit beside the sorted ones
		}
	}
	s.Add(63)
	if s.Estimate() == 64 {
		t.Error("from k on it is an estimate")
	}
	if s.SizeBytes() > 10*64+16*8 {
		t.Errorf("%d bytes held", s.SizeBytes())
	}
}

func TestByHand(t *testing.T) {
	s := build(t, 3)
	for _, h := range []uint64{1 << 63, 1<<61 - 1, 1 << 60, 1 << 62, 1 << 60} {
		s.AddHash(h)
	}
	// The third smallest is 1/4: (3-1)/(1/4).
	if got := s.Estimate(); math.Abs(got-8) > 1e-12 {
		t.Errorf("estimate %v, want 8", got)
	}
	u := build(t, 3)
	for range 3 {
		u.AddHash(0)
	}
	if got := u.Estimate(); got != 1 {
		t.Errorf("one hash, 0, reads %v", got)
	}
}

func TestLawsBySimulation(t *testing.T) {
	// Bias and spread of random hashes, within five standard errors. (k-1)/U has
	// heavier tails than a normal variable: its kurtosis is about 3 + 9/k, which
	// the tolerance of the spread takes in.
	const k, trials = 50, 4000
	r := rand.New(rand.NewPCG(4, 0))
	for _, n := range []int{50, 80, 1000} {
		var sum, square, share, shares, both, boths float64
		j := 0.3
		for range trials {
			a, b := build(t, k), build(t, k)
			common := int(j * float64(n))
			for i := range n {
				h := r.Uint64()
				if i < common || i%2 == 0 {
					a.AddHash(h)
				}
				if i < common || i%2 == 1 {
					b.AddHash(h)
				}
			}
			o, err := Compare(a, b)
			if err != nil {
				t.Fatal(err)
			}
			e, i := o.Union/float64(n)-1, o.Intersection/float64(common)-1
			sum, square = sum+e, square+e*e
			share, shares = share+o.Jaccard-j, shares+(o.Jaccard-j)*(o.Jaccard-j)
			both, boths = both+i, boths+i*i
		}
		for what, c := range map[string][3]float64{
			"union":        {sum, square, Error(k, float64(n))},
			"Jaccard":      {share, shares, JaccardError(k, float64(n), j)},
			"intersection": {both, boths, IntersectionError(k, float64(n), j)},
		} {
			mean := c[0] / trials
			if math.Abs(mean) > 5*c[2]/math.Sqrt(trials) {
				t.Errorf("n %d, %s: bias %.5f", n, what, mean)
			}
			if sd := math.Sqrt(c[1] / trials); math.Abs(sd-c[2]) > c[2]*(5/math.Sqrt(2*trials)+0.03) {
				t.Errorf("n %d, %s: spread %.5f, want %.5f", n, what, sd, c[2])
			}
		}
	}
	if Error(50, 49) != 0 || JaccardError(50, 50, 0.3) != 0 || IntersectionError(50, 20, 0.3) != 0 {
		t.Error("fewer than k keys err")
	}
}

func TestRefusals(t *testing.T) {
	s := build(t, 16)
	s.Add(1)
	before := s.Clone()
	other, err := New(Params{K: 16, Hash: hashing.XX(6)})
	if err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]*Sketch{"k = 17": build(t, 17), "hash": other} {
		o.Add(2)
		if err := s.Merge(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		if _, err := Compare(s, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if !s.Equal(before) {
		t.Error("a refused merge changed the sketch")
	}
	for name, p := range map[string]Params{
		"k 2": {K: 2, Hash: hashing.XX(1)}, "k -1": {K: -1, Hash: hashing.XX(1)}, "k large": {K: MaxK + 1, Hash: hashing.XX(1)}, "no hash": {K: 16},
	} {
		if s, err := New(p); err == nil || s != nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if o, err := Compare(build(t, 3), build(t, 3)); err != nil || o != (Overlap{}) {
		t.Errorf("two empty sketches: %+v, %v", o, err)
	}
}

func TestKeysBytesHashesBatches(t *testing.T) {
	a, b, c := build(t, 100), build(t, 100), build(t, 100)
	h := a.Params().Hash
	keys, texts := []uint64{}, [][]byte{}
	for k := range uint64(700) {
		keys = append(keys, k)
		texts = append(texts, []byte{byte(k), byte(k >> 8)})
		a.Add(k)
		a.AddBytes(texts[k])
		b.AddHash(h.Uint64(k))
		b.AddHash(h.Bytes(texts[k]))
	}
	if n, err := c.AddBatch(keys); n != len(keys) || err != nil {
		t.Error(n, err)
	}
	if n, err := c.AddBytesBatch(texts); n != len(keys) || err != nil {
		t.Error(n, err)
	}
	if !a.Equal(b) || !a.Equal(c) || a.K() != 100 {
		t.Error("keys, their hashes and batches differ")
	}
	d := a.Clone()
	d.AddHash(0)
	if d.Equal(a) {
		t.Error("the clone shares memory")
	}
	d.Reset()
	if !d.Equal(build(t, 100)) || d.Estimate() != 0 {
		t.Error("Reset left something")
	}
}

func encode(k uint64, hashes ...uint64) []byte {
	h := frame.Header{Structure: structure, Version: version, Hash: hashing.XX(1), Geometry: []uint64{k}}
	return frame.Encode(h, 8*len(hashes), func(b []byte) []byte {
		for _, v := range hashes {
			for i := range 8 {
				b = append(b, byte(v>>(8*i)))
			}
		}
		return b
	})
}

func TestUnmarshal(t *testing.T) {
	s := build(t, 20)
	for k := range uint64(100) {
		s.Add(k)
	}
	data, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	var c Sketch
	if err := c.UnmarshalBinary(data); err != nil || !c.Equal(s) || c.Estimate() != s.Estimate() {
		t.Fatalf("the copy differs: %v", err)
	}
	clear(data)
	for k := range uint64(100) {
		c.Add(1000 + k)
		s.Add(1000 + k)
	}
	if !c.Equal(s) {
		t.Fatal("the copy goes on in another way")
	}
	for name, data := range map[string][]byte{
		"disorder": encode(3, 2, 1), "repeat": encode(3, 2, 2), "too many": encode(3, 1, 2, 3, 4), "k 2": encode(2, 1),
		"k large": encode(MaxK + 1), "k wrapped": encode(1<<63 + 3), "nothing": nil,
	} {
		if err := s.UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !c.Equal(s) {
		t.Error("refused bytes changed the sketch")
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add(encode(3))
	f.Add(encode(3, 0, 1, math.MaxUint64))
	f.Add(encode(100, 7))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Sketch
		if err := s.UnmarshalBinary(data); err != nil {
			if !errors.Is(err, frame.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		if again, _ := s.MarshalBinary(); !bytes.Equal(again, data) {
			t.Fatalf("%x was read and written as %x", data, again)
		}
		if x := s.Estimate(); !(x >= 0) {
			t.Fatalf("estimate %g", x)
		}
	})
}
