package blocked

import (
	"bytes"
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

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

// hashOf makes the i-th key's hash by counting, so that no two are the same.
func hashOf(i uint64) uint64 { return hashing.Mix(i * hashing.Gamma) }

func hashes(from, n uint64) []uint64 {
	all := make([]uint64, n)
	for i := range all {
		all[i] = hashOf(from + uint64(i))
	}
	return all
}

var hashers = []hashing.Hasher{hashing.XX(0), hashing.XX(7), hashing.XX3(9), hashing.Keyed([16]byte{1, 15: 2})}

// drawParams are small ones of all kinds.
func drawParams(t *rapid.T) Params {
	kind := rapid.SampledFrom(Kinds()).Draw(t, "kind")
	return Params{
		Kind: kind, Blocks: rapid.Uint64Range(1, 60).Draw(t, "blocks"),
		K: rapid.SampledFrom(kind.Probes()).Draw(t, "k"), Hash: rapid.SampledFrom(hashers).Draw(t, "hash"),
	}
}

func TestEveryFormOfAKeyIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParams(t)
		f, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		h := f.Hash()
		keys := rapid.SliceOfN(rapid.Uint64(), 0, 50).Draw(t, "keys")
		texts := rapid.SliceOfN(rapid.SliceOf(rapid.Byte()), 0, 10).Draw(t, "texts")
		byHash, inBatch := f.Clone(), f.Clone()
		for _, key := range keys {
			_ = f.Add(key)
			_ = byHash.AddHash(h.Uint64(key))
		}
		for _, text := range texts {
			_ = f.AddBytes(text)
			_ = byHash.AddHash(h.Bytes(text))
		}
		n, _ := inBatch.AddBatch(keys)
		m, _ := inBatch.AddBytesBatch(texts)
		if n != len(keys) || m != len(texts) || !f.Equal(byHash) || !f.Equal(inBatch) {
			t.Fatal("the bits differ")
		}
		if f.CountBatch(keys) != len(keys) || f.CountBytesBatch(texts) != len(texts) {
			t.Fatal("a key is lost")
		}
		probes := slices.Concat(keys, hashes(uint64(len(keys)), 50))
		found := make([]bool, len(probes)+1)
		found[len(probes)] = true
		f.ContainsBatch(probes, found)
		count := 0
		for i, key := range probes {
			if f.Contains(key) != found[i] || f.ContainsHash(h.Uint64(key)) != found[i] {
				t.Fatal("the batch answers otherwise")
			}
			if found[i] {
				count++
			}
		}
		if !found[len(probes)] || f.CountBatch(probes) != count {
			t.Fatal("the batch wrote beyond its keys, or miscounted")
		}
		answers := make([]bool, len(texts))
		f.ContainsBytesBatch(texts, answers)
		for i, text := range texts {
			if !f.ContainsBytes(text) || !answers[i] {
				t.Fatal("a text is lost")
			}
		}
		f.Reset()
		if f.CountBatch(keys) != 0 && len(keys) > 0 {
			t.Fatal("reset left something")
		}
	})
}

// One key sets bits in one block, as its kind says; a look-up wants each of them.
func TestWhereTheBitsLie(t *testing.T) {
	for _, kind := range Kinds() {
		for _, k := range kind.Probes() {
			f := must(t, Params{Kind: kind, Blocks: 5, K: k, Hash: hashing.XX(0)})
			per := int(kind.BlockBits() / 64)
			for i := range uint64(200) {
				f.Reset()
				_ = f.AddHash(hashOf(i))
				block := int(hashing.Reduce(hashOf(i), 5))
				set := 0
				for w, word := range f.words {
					set += bits.OnesCount64(word)
					if word != 0 && w/per != block {
						t.Fatalf("%v k=%d: word %d for block %d", kind, k, w, block)
					}
				}
				if set < 1 || set > k {
					t.Fatalf("%v k=%d: %d bits", kind, k, set)
				}
				if kind == Sectors {
					checkSectors(t, f.words[per*block:per*block+per], k)
				}
				for w := range f.words {
					for left := f.words[w]; left != 0; left &= left - 1 {
						f.words[w] ^= left & -left
						if f.ContainsHash(hashOf(i)) || f.CountHashBatch([]uint64{hashOf(i)}) != 0 {
							t.Fatalf("%v k=%d: found without one of its bits", kind, k)
						}
						f.words[w] ^= left & -left
					}
				}
			}
		}
	}
}

// checkSectors wants one bit in each of k sectors, or 1 to k/8 in each of eight.
func checkSectors(t *testing.T, line []uint64, k int) {
	t.Helper()
	sectors := min(k, 8)
	for s := range sectors {
		n := 0
		for bit := 512 / sectors * s; bit < 512/sectors*(s+1); bit++ {
			n += int(line[bit/64] >> (bit % 64) & 1)
		}
		if n < 1 || n > k/sectors {
			t.Fatalf("k=%d: %d bits in sector %d", k, n, s)
		}
	}
}

// The batches of a filter that is larger than the caches do what single calls do.
func TestLargeBatches(t *testing.T) {
	for _, kind := range Kinds() {
		p := Params{Kind: kind, Blocks: (fetchFrom + 1<<16) * 8 / kind.BlockBits(), K: 8, Hash: hashing.XX(0)}
		for _, n := range []uint64{0, 1, 63, 64, 65, 1000} {
			single, batch := must(t, p), must(t, p)
			for _, hash := range hashes(0, n) {
				_ = single.AddHash(hash)
			}
			if added, err := batch.AddHashBatch(hashes(0, n)); added != int(n) || err != nil || !batch.Equal(single) {
				t.Fatalf("%v, %d keys: %d added, %v", kind, n, added, err)
			}
			probes := hashes(n/2, n)
			found, count := make([]bool, n), 0
			batch.ContainsHashBatch(probes, found)
			for i, hash := range probes {
				if found[i] != batch.ContainsHash(hash) {
					t.Fatalf("%v, %d keys: the batch answers otherwise", kind, n)
				}
				if found[i] {
					count++
				}
			}
			if batch.CountHashBatch(probes) != count {
				t.Fatalf("%v, %d keys: miscounted", kind, n)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, p := range []Params{
		{Blocks: 0, K: 1},
		{Blocks: 1, K: 0},
		{Blocks: 1, K: MaxK + 1},
		{Blocks: 1, K: -1},
		{Kind: 3, Blocks: 1, K: 1},
		{Blocks: MaxBits/512 + 1, K: 1},
		{Kind: Word, Blocks: MaxBits/64 + 1, K: 1},
		{Blocks: math.MaxUint64, K: 1},
		{Kind: Sectors, Blocks: 1, K: 3},
		{Kind: Sectors, Blocks: 1, K: 12},
		{Kind: Sectors, Blocks: 1, K: 40},
		{Kind: Sectors, Blocks: 1, K: 0},
		{Kind: Sectors, Blocks: 1, K: -8},
	} {
		if f, err := New(p); err == nil || f != nil {
			t.Errorf("%+v was made", p)
		}
		if p.Blocks == 1 && !math.IsNaN(FPR(p.Kind, 1, p.K, 1)) || !math.IsNaN(FPR(Line, 0, 1, 1)) {
			t.Errorf("%+v has a rate", p)
		}
	}
	for _, eps := range []float64{0, 1, -1, MinRate / 2, 1e-300, math.NaN(), math.Inf(1)} {
		if f, err := ForRate(10, eps, Line, hashing.XX(0)); err == nil || f != nil {
			t.Errorf("a filter for rate %v", eps)
		}
	}
	if _, err := Size(10, 0.01, 3); err == nil {
		t.Error("a size for kind 3")
	}
	if _, err := Size(math.MaxUint64, 0.01, Line); err == nil {
		t.Error("a size for 2^64 keys")
	}
	if Kind(3).String() != "unknown kind 3" || Line.String() != "line" || Sectors.String() != "sectors" || Word.String() != "word" {
		t.Error("names")
	}
}

func TestMerge(t *testing.T) {
	p := Params{Kind: Sectors, Blocks: 9, K: 8, Hash: hashing.XX(0)}
	a, b, both := must(t, p), must(t, p), must(t, p)
	_, _ = a.AddHashBatch(hashes(0, 20))
	_, _ = b.AddHashBatch(hashes(20, 20))
	_, _ = both.AddHashBatch(hashes(0, 40))
	before := b.Clone()
	if err := a.Merge(b); err != nil || !a.Equal(both) || !b.Equal(before) {
		t.Fatalf("merged into something else, %v", err)
	}
	key, otherKey := p, p
	key.Hash, otherKey.Hash = hashing.Keyed([16]byte{1}), hashing.Keyed([16]byte{2})
	for _, q := range []Params{
		{Kind: Line, Blocks: 9, K: 8, Hash: hashing.XX(0)},
		{Kind: Sectors, Blocks: 8, K: 8, Hash: hashing.XX(0)},
		{Kind: Sectors, Blocks: 9, K: 4, Hash: hashing.XX(0)},
		{Kind: Sectors, Blocks: 9, K: 8, Hash: hashing.XX(1)},
		key,
	} {
		if err := a.Merge(must(t, q)); !errors.Is(err, ErrMismatch) || !a.Equal(both) {
			t.Errorf("merge with %+v: %v", q, err)
		}
	}
	if err := must(t, key).Merge(must(t, otherKey)); !errors.Is(err, ErrMismatch) {
		t.Errorf("two keys: %v", err)
	}
	if !bytes.Equal(encoded(t, a), encoded(t, both)) {
		t.Error("same keys, other bytes")
	}
}

func encoded(t testing.TB, f *Filter) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}
