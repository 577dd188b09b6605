package ribbon

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func mustBumped(t testing.TB, hashes []uint64, p Params) *Bumped {
	t.Helper()
	f, err := NewBumpedFromHashes(hashes, p)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range hashes {
		if !f.ContainsHash(h) {
			t.Fatalf("n=%d r=%v: hash %d is lost", len(hashes), p.Bits, i)
		}
	}
	return f
}

// eachBumped runs a test for both widths.
func eachBumped(t *testing.T, run func(t *testing.T, p Params)) {
	for _, w := range []int{64, 128} {
		t.Run(map[int]string{64: "w=64", 128: "w=128"}[w], func(t *testing.T) {
			run(t, Params{Width: w, Bits: 8, Hash: hashing.XX(1)})
		})
	}
}

func TestBumpedHoldsItsKeysAtEveryN(t *testing.T) {
	eachBumped(t, func(t *testing.T, p Params) {
		for _, n := range []int{0, 1, 2, 3, 100, fewKeys - 1, fewKeys, fewKeys + 1, 2000, 5000, 20000} {
			for _, r := range []float64{1, 5.3, 8, 32} {
				p.Bits = r
				f := mustBumped(t, hashesOf(n, 2*n), p)
				if f.Len() != n || (f.Layers() == 0) != (n <= fewKeys) {
					t.Errorf("n=%d: %d keys in %d layers", n, f.Len(), f.Layers())
				}
				if rate := f.Rate(); n > 0 && !(rate <= FPR(r) && rate >= FPR(math.Ceil(r)) && (n < fewKeys || rate > 0.9*FPR(r))) {
					t.Errorf("n=%d r=%v: the rate is %v, asked for was %v", n, r, rate, FPR(r))
				}
			}
		}
	})
}

// TestBumpedIsSmall: the paper's claim of less than 1 % over r bits a key, at a
// tenth of its n.
func TestBumpedIsSmall(t *testing.T) {
	const n = 200000
	eachBumped(t, func(t *testing.T, p Params) {
		f := mustBumped(t, hashesOf(0, n), p)
		if over := 8*float64(f.SizeBytes())/(8*n) - 1; over > 0.01 {
			t.Errorf("%.2f %% over 8 bits", 100*over)
		}
		// The bits answered wrongly are binomial: six standard deviations.
		const absent = 400000
		found := f.CountHashBatch(hashesOf(n, n+absent))
		mean := f.Rate() * absent
		if math.Abs(float64(found)-mean) > 6*math.Sqrt(mean) {
			t.Errorf("%d of %d absent keys are found, the law says %.0f", found, absent, mean)
		}
	})
}

func TestBumpedBytesAreAFunctionOfTheSet(t *testing.T) {
	eachBumped(t, func(t *testing.T, p Params) {
		for _, n := range []int{700, 9000} {
			hashes := hashesOf(0, n)
			want, _ := mustBumped(t, hashes, p).MarshalBinary()
			r := rand.New(rand.NewPCG(1, 1))
			r.Shuffle(n, func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
			before := slices.Clone(hashes)
			shuffled, _ := mustBumped(t, hashes, p).MarshalBinary()
			if !slices.Equal(hashes, before) {
				t.Error("the caller's hashes were changed")
			}
			repeated, _ := mustBumped(t, append(hashes, hashes[:n/2]...), p).MarshalBinary()
			if !bytes.Equal(want, shuffled) || !bytes.Equal(want, repeated) {
				t.Errorf("n=%d: order or repetition changes the bytes", n)
			}
		}
	})
}

func TestBumpedTakesBytesAndBatches(t *testing.T) {
	p := Params{Width: 64, Bits: 2.5, Hash: hashing.XX3(5)}
	keys := make([]uint64, 6000)
	strings := make([][]byte, len(keys))
	hashes := make([]uint64, len(keys))
	for i := range keys {
		keys[i] = uint64(i)
		strings[i] = binary.LittleEndian.AppendUint64(nil, uint64(i))
	}
	p.Hash.Uint64Each(hashes, keys)
	f, err1 := NewBumped(keys[:3000], p)
	g, err2 := NewBumpedFromBytes(strings[:3000], p)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	a, _ := f.MarshalBinary()
	b, _ := g.MarshalBinary()
	if !bytes.Equal(a, b) || f.Hash() != p.Hash {
		t.Error("bytes and numbers make different filters")
	}
	single, count := make([]bool, len(keys)), 0
	for i, k := range keys {
		single[i] = f.Contains(k)
		if single[i] != f.ContainsBytes(strings[i]) {
			t.Fatalf("key %d: another answer as bytes", i)
		}
		if single[i] {
			count++
		}
	}
	found := make([]bool, len(keys))
	for _, batch := range []func() int{
		func() int { f.ContainsBatch(keys, found); return f.CountBatch(keys) },
		func() int { f.ContainsBytesBatch(strings, found); return f.CountBytesBatch(strings) },
		func() int { f.ContainsHashBatch(hashes, found); return f.CountHashBatch(hashes) },
	} {
		if n := batch(); n != count || !slices.Equal(found, single) {
			t.Errorf("%d in a batch, %d one by one", n, count)
		}
		clear(found)
	}
}

func TestBumpedRefusesWhatItCannotBe(t *testing.T) {
	for _, p := range []Params{
		{Width: 32, Bits: 8},
		{Width: 64, Bits: 8, Form: Homogeneous},
		{Width: 64, Bits: 8, Overhead: 0.1},
		{Width: 64, Bits: 33},
		{Width: 64, Bits: math.NaN()},
		{Bits: 8},
	} {
		if _, err := NewBumped([]uint64{1}, p); err == nil {
			t.Errorf("%+v is taken", p)
		}
	}
}

func bumpedSamples(t testing.TB) [][]byte {
	var out [][]byte
	for _, n := range []int{0, 1, 2000} {
		for _, w := range []int{64, 128} {
			data, err := mustBumped(t, hashesOf(0, n), Params{Width: w, Bits: 1.5, Hash: hashing.XX(0)}).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, data)
		}
	}
	return out
}

func TestBumpedBytesAreChecked(t *testing.T) {
	for i, data := range bumpedSamples(t) {
		var f Bumped
		if err := f.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		again, err := f.AppendBinary(nil)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("sample %d: %v: other bytes", i, err)
		}
		for n := 0; n < len(data); n += 1 + n/64 {
			if f.UnmarshalBinary(data[:n]) == nil {
				t.Errorf("sample %d: %d of %d bytes are taken", i, n, len(data))
			}
		}
		// Wrong words under a right checksum: refused, or another filter.
		for at := 28; at+16 <= len(data); at += 8 {
			for _, value := range []uint64{0, 1, 63, 1 << 31, 1 << 58, 1<<64 - 1} {
				bad := bytes.Clone(data)
				binary.LittleEndian.PutUint64(bad[at:], value)
				checkBumpedBytes(t, bad)
			}
		}
	}
}

// checkBumpedBytes puts the checksum right: then bytes are refused, or they are
// those of a filter that answers and is written as it was read.
func checkBumpedBytes(t *testing.T, data []byte) {
	t.Helper()
	if len(data) < 8 {
		return
	}
	binary.LittleEndian.PutUint64(data[len(data)-8:], xxhash.Sum64(data[:len(data)-8]))
	var f Bumped
	if f.UnmarshalBinary(data) != nil {
		return
	}
	for i := range 20 {
		f.ContainsHash(hashOf(i))
	}
	again, err := f.MarshalBinary()
	if err != nil || !bytes.Equal(again, data) {
		t.Fatalf("%v: other bytes", err)
	}
}

func FuzzUnmarshalBumped(f *testing.F) {
	for _, data := range bumpedSamples(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkBumpedBytes(t, bytes.Clone(data)) })
}
