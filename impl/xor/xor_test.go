package xor

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/peel"
)

// hashOf is one of endless distinct hashes.
func hashOf(i int) uint64 { return hashing.Mix(uint64(i+1) * hashing.Gamma) }

func hashes(from, to int) []uint64 {
	s := make([]uint64, to-from)
	for i := range s {
		s[i] = hashOf(from + i)
	}
	return s
}

func build8(t testing.TB, hashes []uint64) *Filter[uint8] {
	t.Helper()
	f, err := NewFromHashes[uint8](hashes, Params{Hash: hashing.XX(0)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func stored[F Fingerprint](t testing.TB, f *Filter[F]) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Every n to 3000, and the stretch where other libraries were seen to fail.
func TestEverySizeIsBuiltAndHoldsItsKeys(t *testing.T) {
	all := hashes(0, 12001)
	attempts, most, builds := 0, 0, 0
	try := func(n int) {
		f := build8(t, all[:n])
		for i, h := range all[:n] {
			if !f.ContainsHash(h) {
				t.Fatalf("n = %d: key %d is lost", n, i)
			}
		}
		if f.Len() != n {
			t.Fatalf("n = %d: Len is %d", n, f.Len())
		}
		attempts += f.Attempts()
		most = max(most, f.Attempts())
		builds++
	}
	for n := range 3001 {
		try(n)
	}
	for n := 11300; n <= 11700; n += 4 {
		try(n)
	}
	if mean := float64(attempts) / float64(builds); mean > 1.3 || most > 10 {
		t.Errorf("%.3f attempts a build, at most %d", mean, most)
	}
}

func TestWidthsAndKinds(t *testing.T) {
	t.Run("8", testWidth[uint8])
	t.Run("16", testWidth[uint16])
}

// testWidth builds filters of numbers, of strings and of hashes, large enough
// to be built in parts too, and counts the wrong answers.
func testWidth[F Fingerprint](t *testing.T) {
	for _, n := range []int{1, 1000, 70_000} {
		keys, texts := make([]uint64, n), make([][]byte, n)
		for i := range keys {
			keys[i] = uint64(i)
			texts[i] = fmt.Append(nil, "key ", i)
		}
		p := Params{Hash: hashing.Keyed([16]byte{1, 2, 3})}
		f, err1 := New[F](keys, p)
		g, err2 := NewFromBytes[F](texts, p)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		for i := range keys {
			if !f.Contains(keys[i]) || !g.ContainsBytes(texts[i]) {
				t.Fatalf("n = %d: key %d is lost", n, i)
			}
		}
		raw := make([]uint64, n)
		p.Hash.Uint64Each(raw, keys)
		same, err := NewFromHashes[F](raw, p)
		if err != nil || !same.Equal(f) {
			t.Errorf("n = %d: keys and their hashes build two filters (%v)", n, err)
		}
		wrong, probes := 0, 400_000
		for i := range probes {
			if f.ContainsHash(hashOf(i)) {
				wrong++
			}
		}
		want := FPR(f.FingerprintBits()) * float64(probes)
		if math.Abs(float64(wrong)-want) > 6*math.Sqrt(want)+1 {
			t.Errorf("n = %d: %d wrong answers, want about %.1f", n, wrong, want)
		}
	}
}

func TestOnlyTheSetCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, n := range []int{1, 2, 50, 3000, 70_000} {
		set := hashes(0, n)
		f := build8(t, set)
		want := stored(t, f)
		shuffled := slices.Clone(set)
		r.Shuffle(n, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if !bytes.Equal(stored(t, build8(t, shuffled)), want) {
			t.Errorf("n = %d: the order of the keys changes the filter", n)
		}
		once := append(shuffled, shuffled[n/2])
		kept := slices.Clone(once)
		if !bytes.Equal(stored(t, build8(t, once)), want) {
			t.Errorf("n = %d: a key given twice changes the filter", n)
		}
		if !slices.Equal(once, kept) {
			t.Errorf("n = %d: building changed the caller's slice", n)
		}
	}
	// Repeats that fill the count of a slot, and go round it once and twice.
	set := hashes(0, 50)
	want := stored(t, build8(t, set))
	for _, times := range []int{3, 31, 32, 33, 64, 65, 1000} {
		if !bytes.Equal(stored(t, build8(t, slices.Repeat(set, times))), want) {
			t.Errorf("each key %d times changes the filter", times)
		}
		one := append(slices.Repeat(set[:1], times), set[1:]...)
		if !bytes.Equal(stored(t, build8(t, one)), want) {
			t.Errorf("one key %d times changes the filter", times)
		}
	}
}

// Of many sets of a few keys, some need a second attempt, and the second
// differs from the first.
func TestRetries(t *testing.T) {
	retried := 0
	for i := range 2000 {
		set := hashes(1000*i, 1000*i+12)
		f := build8(t, set)
		if f.Attempts() > 1 {
			retried++
			for _, h := range set {
				if !f.ContainsHash(h) {
					t.Fatal("a key is lost")
				}
			}
		}
	}
	if retried == 0 {
		t.Error("no set of 2000 took a second attempt: the test sees none")
	}
}

// stubborn are two different hashes when they are looked at for repeats, and
// one and the same whenever a graph is made of them.
type stubborn struct{ looks int }

func (s *stubborn) Len() int { return 2 }
func (s *stubborn) Hashes(dst []uint64, _ int) {
	s.looks++
	dst[0], dst[1] = 7, 7
	if s.looks == 2 {
		dst[1] = 8
	}
}

func TestBuildEnds(t *testing.T) {
	s := &stubborn{}
	if _, err := build[uint8](s, hashing.XX(0)); !errors.Is(err, ErrBuild) {
		t.Errorf("got %v", err)
	}
	if s.looks != 256+1 {
		t.Errorf("%d looks at the hashes", s.looks)
	}
}

func TestLaterAttemptsAreLarger(t *testing.T) {
	for _, n := range []int{1, 100, 1_000_000} {
		first := newBlocks(n, 1).block
		if newBlocks(n, 4).block != first || newBlocks(n, 5).block != first+first/16 {
			t.Errorf("n = %d: blocks of %d, %d, %d at attempts 1, 4, 5", n, first, newBlocks(n, 4).block, newBlocks(n, 5).block)
		}
	}
}

func TestSpace(t *testing.T) {
	f := build8(t, hashes(0, 1_000_000))
	// floor(1230032/3) slots in a block.
	if f.Slots() != 1_230_030 || BitsPerKey(8, 1_000_000) != 9.84024 {
		t.Errorf("%d slots, BitsPerKey says %v", f.Slots(), BitsPerKey(8, 1_000_000))
	}
	if got := newBlocks(1, 1).block; got != 11 { // (1 + 32)/3
		t.Errorf("one key has blocks of %d", got)
	}
	if newBlocks(MaxKeys, peel.MaxAttempts).block > maxBlock || newBlocks(MaxKeys, 1).block == maxBlock {
		t.Error("the largest set has slots without a number")
	}
	if !math.IsNaN(BitsPerKey(8, 0)) {
		t.Error("no keys take bits")
	}
}

// Each block has one slot of a key, each as often.
func TestSlotsAreSpreadEvenly(t *testing.T) {
	b := newBlocks(1000, 1)
	counts := make([]int, 3*b.block)
	const tries = 400_000
	for i := range tries {
		p0, p1, p2 := b.three(hashOf(i) &^ 31)
		for j, at := range []uint{p0, p1, p2} {
			if uint64(at)/b.block != uint64(j) {
				t.Fatalf("slot %d of block %d, blocks of %d", at, j, b.block)
			}
			counts[at]++
		}
	}
	for j := range uint64(3) {
		want, chi := tries/float64(b.block), 0.0
		for _, c := range counts[j*b.block : (j+1)*b.block] {
			chi += (float64(c) - want) * (float64(c) - want) / want
		}
		df := float64(b.block - 1)
		if math.Abs(chi-df) > 6*math.Sqrt(2*df) {
			t.Errorf("block %d: chi-square %.0f of %.0f degrees", j, chi, df)
		}
	}
}

func TestBatchesAnswerAsSingleCalls(t *testing.T) {
	keys := make([]uint64, 3000)
	for i := range keys {
		keys[i] = uint64(i)
	}
	for _, n := range []int{0, 1, 2000} {
		f, err := New[uint8](keys[:n], Params{Hash: hashing.XX(0)})
		if err != nil {
			t.Fatal(err)
		}
		texts := make([][]byte, len(keys))
		for i, k := range keys {
			texts[i] = binary.LittleEndian.AppendUint64(nil, k)
		}
		found, single := make([]bool, len(keys)+1), make([]bool, len(keys)+1)
		check := func(name string, count int) {
			t.Helper()
			want := 0
			for _, x := range single {
				if x {
					want++
				}
			}
			if !slices.Equal(found, single) || count != want-1 {
				t.Errorf("n = %d, %s: the batch answers otherwise", n, name)
			}
		}
		found[len(keys)], single[len(keys)] = true, true // to be left as it is
		for i, k := range keys {
			single[i] = f.Contains(k)
		}
		f.ContainsBatch(keys, found)
		check("keys", f.CountBatch(keys))
		f.ContainsBytesBatch(texts, found)
		check("bytes", f.CountBytesBatch(texts))
		for i, k := range keys {
			single[i] = f.ContainsHash(k * hashing.Gamma)
		}
		raw := make([]uint64, len(keys))
		for i, k := range keys {
			raw[i] = k * hashing.Gamma
		}
		f.ContainsHashBatch(raw, found)
		check("hashes", f.CountHashBatch(raw))
	}
}

func TestNothingIsFoundInNothing(t *testing.T) {
	empty := build8(t, nil)
	for _, f := range []*Filter[uint8]{{}, empty} {
		for i := range 10_000 {
			if f.ContainsHash(hashOf(i)) {
				t.Fatal("found")
			}
		}
		if f.Contains(1) || f.ContainsBytes(nil) || f.Len() != 0 || f.SizeBytes() != 0 || f.Attempts() != 0 {
			t.Error("an empty filter holds something")
		}
	}
}

func TestRefusals(t *testing.T) {
	if _, err := (Params{Hash: hashing.XX(0)}).checked(MaxKeys + 1); err == nil {
		t.Error("too many keys were taken")
	}
	for _, eps := range []float64{0, -1, 1, 2, math.NaN(), math.Inf(1), math.Ldexp(0.99, -16)} {
		if _, err := Bits(eps); err == nil {
			t.Errorf("rate %v was taken", eps)
		}
	}
	for eps, want := range map[float64]int{0.5: 8, 1. / 256: 8, 0.0039: 16, 1. / 65536: 16} {
		if got, err := Bits(eps); err != nil || got != want {
			t.Errorf("rate %v: %d bits (%v), want %d", eps, got, err, want)
		}
	}
}
