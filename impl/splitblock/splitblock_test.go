package splitblock

import (
	"bytes"
	"errors"
	"math"
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

// hashers are one of each family.
var hashers = []hashing.Hasher{hashing.XX(0), hashing.XX(7), hashing.XX3(0), hashing.XX3(9), hashing.Keyed([16]byte{1, 15: 2})}

// inSpec is the filter of the specification, written down without regard to time.
type inSpec []byte

func (s inSpec) bits(hash uint64) (at [8]int, bit [8]byte) {
	salts := [8]uint64{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31}
	block := (hash >> 32) * uint64(len(s)/32) >> 32
	for i, salt := range salts {
		n := (hash & math.MaxUint32) * salt % (1 << 32) / (1 << 27) // of lane i
		at[i] = int(32*block + 4*uint64(i) + n/8)
		bit[i] = 1 << (n % 8)
	}
	return at, bit
}

func (s inSpec) add(hash uint64) {
	at, bit := s.bits(hash)
	for i := range at {
		s[at[i]] |= bit[i]
	}
}

func (s inSpec) contains(hash uint64) bool {
	at, bit := s.bits(hash)
	for i := range at {
		if s[at[i]]&bit[i] == 0 {
			return false
		}
	}
	return true
}

// Every way in and out of a filter does what the specification says, on whatever
// this machine runs and in the portable code.
func TestAgainstTheSpecification(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		blocks := rapid.Uint64Range(1, 300).Draw(t, "blocks")
		if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
			blocks += fetchFrom / blockBytes // the batches fetch ahead
		}
		n := rapid.IntRange(0, 70).Draw(t, "n")
		some := hashes(rapid.Uint64().Draw(t, "from"), uint64(n))
		absent := hashes(rapid.Uint64().Draw(t, "absent"), uint64(rapid.IntRange(0, 70).Draw(t, "absent n")))
		probes := slices.Concat(some, absent)

		spec := make(inSpec, 32*blocks)
		single, batch, portable := must2(New(Params{Blocks: blocks, Hash: hashing.XX(0)})), must2(New(Params{Blocks: blocks, Hash: hashing.XX(0)})), must2(New(Params{Blocks: blocks, Hash: hashing.XX(0)}))
		for _, hash := range some {
			spec.add(hash)
			_ = single.AddHash(hash)
			portable.addPortable(hash)
		}
		if added, err := batch.AddHashBatch(some); added != n || err != nil {
			t.Fatalf("added %d of %d, %v", added, n, err)
		}
		if !bytes.Equal(single.ParquetBitset(), spec) || !single.Equal(batch) || !single.Equal(portable) {
			t.Fatal("the bits differ")
		}

		count := 0
		found := make([]bool, len(probes)+1)
		found[len(probes)] = true
		single.ContainsHashBatch(probes, found)
		for i, hash := range probes {
			want := spec.contains(hash)
			if want {
				count++
			}
			if got := single.ContainsHash(hash); got != want || got != found[i] || got != single.containsPortable(hash) {
				t.Fatalf("hash %x: %v, %v in a batch, portable %v; want %v", hash, got, found[i], single.containsPortable(hash), want)
			}
		}
		if !found[len(probes)] {
			t.Fatal("a batch wrote beyond its keys")
		}
		if got := single.CountHashBatch(probes); got != count {
			t.Fatalf("counted %d, want %d", got, count)
		}
		withoutAVX2(func() {
			other := must2(New(Params{Blocks: blocks, Hash: hashing.XX(0)}))
			_, _ = other.AddHashBatch(some)
			answers := make([]bool, len(probes))
			other.ContainsHashBatch(probes, answers)
			if !other.Equal(single) || !slices.Equal(answers, found[:len(probes)]) || other.CountHashBatch(probes) != count {
				t.Fatal("the portable batches differ")
			}
		})
	})
}

func must2(f *Filter, err error) *Filter {
	if err != nil {
		panic(err)
	}
	return f
}

// Keys, byte strings and hashes are one key where they should be, singly and in
// batches, whatever the hash.
func TestForms(t *testing.T) {
	for _, h := range hashers {
		f := must(t, Params{Blocks: 5000, Hash: h})
		h = f.Hash()
		keys := hashes(1, 1000)
		texts := make([][]byte, len(keys))
		byHash := f.Clone()
		for i, key := range keys {
			texts[i] = bytes.Repeat([]byte{byte(key), byte(key >> 8), byte(key >> 16)}, i%50)
			_ = f.Add(key)
			_ = f.AddBytes(texts[i])
			_ = byHash.AddHash(h.Uint64(key))
			_ = byHash.AddHash(h.Bytes(texts[i]))
		}
		inBatch := must(t, Params{Blocks: 5000, Hash: h})
		_, _ = inBatch.AddBatch(keys)
		_, _ = inBatch.AddBytesBatch(texts)
		if !f.Equal(byHash) || !f.Equal(inBatch) {
			t.Fatalf("%v: the bits differ", h)
		}
		probes := slices.Concat(keys, hashes(1<<40, 1000))
		for i := range 1000 {
			texts = append(texts, []byte{byte(i), byte(i >> 8), 'x'})
		}
		found, foundTexts := make([]bool, 2000), make([]bool, 2000)
		f.ContainsBatch(probes, found)
		f.ContainsBytesBatch(texts, foundTexts)
		count, countTexts := 0, 0
		for i := range probes {
			if f.Contains(probes[i]) != found[i] || f.ContainsBytes(texts[i]) != foundTexts[i] {
				t.Fatalf("%v: key %d: the batch answers otherwise", h, i)
			}
			if i < 1000 && !(found[i] && foundTexts[i]) {
				t.Fatalf("%v: key %d is lost", h, i)
			}
			if found[i] {
				count++
			}
			if foundTexts[i] {
				countTexts++
			}
		}
		if f.CountBatch(probes) != count || f.CountBytesBatch(texts) != countTexts || count == 2000 {
			t.Fatalf("%v: counts differ", h)
		}
		withoutAVX2(func() {
			if !f.ContainsBytes(texts[1]) || f.CountBatch(probes) != count {
				t.Fatalf("%v: portable answers differ", h)
			}
		})
	}
}

// Keys of every length, the hash is in the assembly for some: one answer.
func TestLengths(t *testing.T) {
	for _, h := range hashers {
		f := must(t, Params{Blocks: 40, Hash: h})
		text := make([]byte, 300)
		for i := range text {
			text[i] = byte(hashOf(uint64(i)))
		}
		for n := range 40 {
			_ = f.AddBytes(text[n : 2*n])
		}
		for n := range 40 {
			for from := range 256 {
				key := text[from : from+n : from+n]
				if got := f.ContainsBytes(key); got != f.containsPortable(f.hash.Bytes(key)) {
					t.Fatalf("%v, %d bytes: %v", f.hash, n, got)
				}
			}
			if !f.ContainsBytes(text[n : 2*n]) {
				t.Fatalf("%v: %d bytes are lost", f.hash, n)
			}
		}
		if f.ContainsBytes(nil) != f.ContainsBytes([]byte{}) {
			t.Fatal("nothing is not nothing")
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, blocks := range []uint64{0, MaxBlocks + 1, math.MaxUint64} {
		if f, err := New(Params{Blocks: blocks, Hash: hashing.XX(0)}); err == nil || f != nil {
			t.Errorf("%d blocks were made", blocks)
		}
	}
	for _, eps := range []float64{0, 1, -1, MinRate / 2, 1e-300, math.NaN(), math.Inf(1)} {
		if _, err := Size(10, eps); err == nil {
			t.Errorf("a size for rate %v", eps)
		}
		if f, err := ForRate(10, eps, hashing.XX(0)); err == nil || f != nil {
			t.Errorf("a filter for rate %v", eps)
		}
	}
	if _, err := Size(math.MaxUint64, 0.01); err == nil {
		t.Error("a size for 2^64 keys")
	}
}

func TestMerge(t *testing.T) {
	a, b, both := must(t, Params{Blocks: 9, Hash: hashing.XX(0)}), must(t, Params{Blocks: 9, Hash: hashing.XX(0)}), must(t, Params{Blocks: 9, Hash: hashing.XX(0)})
	_, _ = a.AddHashBatch(hashes(0, 20))
	_, _ = b.AddHashBatch(hashes(20, 20))
	_, _ = both.AddHashBatch(hashes(0, 40))
	before := b.Clone()
	if err := a.Merge(b); err != nil || !a.Equal(both) || !b.Equal(before) {
		t.Fatalf("merged into something else, %v", err)
	}
	key := must(t, Params{Blocks: 9, Hash: hashing.Keyed([16]byte{1})})
	for _, other := range []*Filter{
		must(t, Params{Blocks: 8, Hash: hashing.XX(0)}), must(t, Params{Blocks: 9, Hash: hashing.XX(1)}), must(t, Params{Blocks: 9, Hash: hashing.XX3(0)}), key,
	} {
		if err := a.Merge(other); !errors.Is(err, ErrMismatch) || !a.Equal(both) || a.Equal(other) {
			t.Errorf("merge with %d blocks of %v: %v", other.Blocks(), other.Hash(), err)
		}
	}
	if err := key.Merge(must(t, Params{Blocks: 9, Hash: hashing.Keyed([16]byte{2})})); !errors.Is(err, ErrMismatch) {
		t.Errorf("two keys: %v", err)
	}
	a.Reset()
	if !a.Equal(must(t, Params{Blocks: 9, Hash: hashing.XX(0)})) || a.SizeBytes() != 9*32 || a.CountHashBatch(hashes(0, 40)) != 0 {
		t.Error("reset left something")
	}
}
