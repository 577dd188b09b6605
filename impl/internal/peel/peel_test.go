package peel

import (
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func someHashes(n int) Hashes {
	s := make(Hashes, n)
	for i := range s {
		s[i] = hashing.Mix(uint64(i+1000) * hashing.Gamma) // the first are the seeds
	}
	return s
}

// A mixed hash leaves the count alone, and another seed makes another one.
func TestMix(t *testing.T) {
	seen := map[uint64]bool{}
	for attempt := 1; attempt <= MaxAttempts; attempt++ {
		for _, hash := range append(someHashes(20), 0, 1, 1<<64-1) {
			h := Mix(hash, Seed(attempt))
			if h&CountMask != 0 || seen[h] {
				t.Fatalf("attempt %d: %x becomes %x", attempt, hash, h)
			}
			seen[h] = true
		}
	}
}

func TestPartitionIsASortByTheHighestBits(t *testing.T) {
	for _, n := range []int{1, chunk, 3*chunk + 17} {
		source := someHashes(n)
		kept := slices.Clone(source)
		want := make([]uint64, n)
		MixEach(want, source, 5)
		for i, h := range want {
			if h != Mix(source[i], 5) {
				t.Fatalf("n = %d: hash %d is mixed otherwise in an array", n, i)
			}
		}
		for bits := 1; bits <= MaxPartitionBits; bits++ {
			got := make([]uint64, n)
			Partition(got, make([]uint64, n+3), source, 5, bits)
			part := func(a, b uint64) int { return int(a>>(64-bits)) - int(b>>(64-bits)) }
			if !slices.IsSortedFunc(got, part) {
				t.Errorf("n = %d, %d bits: not in order", n, bits)
			}
			slices.Sort(got)
			if !slices.Equal(got, slices.Sorted(slices.Values(want))) {
				t.Errorf("n = %d, %d bits: other hashes", n, bits)
			}
		}
		if !slices.Equal(source, kept) {
			t.Errorf("n = %d: the source was changed", n)
		}
	}
}

func TestDistinct(t *testing.T) {
	keys := []uint64{3, 1, 3, 2, 1}
	hash := hashing.XX(1)
	got := Distinct(Keys{Hash: hash, Keys: keys})
	want := []uint64{hash.Uint64(1), hash.Uint64(2), hash.Uint64(3)}
	slices.Sort(want)
	if !slices.Equal(got, want) || keys[0] != 3 {
		t.Errorf("got %v of %v", got, keys)
	}
}

// A count that goes over is seen, whatever it does to the hash beside it.
func TestWhole(t *testing.T) {
	slots := []uint64{1<<20 | 31, 7 << 20}
	if !Whole(slots, 31) {
		t.Error("31 keys are not counted")
	}
	slots[0]++
	if Whole(slots, 32) {
		t.Error("the 32nd went unnoticed")
	}
}

func TestSingle(t *testing.T) {
	for _, c := range []struct {
		slot, one uint64
		want      uint
	}{{32 | 1, 1, 1}, {32 | 2, 1, 0}, {0, 1, 0}, {0, 0, 0}, {32 | 1, 0, 0}} {
		if got := Single(c.slot, c.one); got != c.want {
			t.Errorf("Single(%d, %d) = %d", c.slot, c.one, got)
		}
	}
}
