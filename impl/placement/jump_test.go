package placement

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// published is the function as the paper writes it, with its integers.
func published(key uint64, buckets int) int {
	b, j := int64(-1), int64(0)
	for j < int64(buckets) {
		b = j
		key = key*2862933555777941757 + 1
		j = int64(float64(b+1) * (float64(1<<31) / float64((key>>33)+1)))
	}
	return int(b)
}

func TestJumpHashIsThePublishedFunction(t *testing.T) {
	for i := range uint64(30000) {
		hash := hashing.Mix(i)
		for _, n := range []int{1, 2, 3, 10, 1 + int(i), MaxJump} {
			if got, want := JumpHash(hash, n), published(hash, n); got != want {
				t.Fatalf("hash %#x of %d: %d, want %d", hash, n, got, want)
			}
		}
	}
	for _, hash := range []uint64{0, 1, 1 << 63, math.MaxUint64} {
		if got, want := JumpHash(hash, MaxJump), published(hash, MaxJump); got != want {
			t.Errorf("hash %#x: %d, want %d", hash, got, want)
		}
	}
}

func mustJump(t testing.TB, nodes ...string) *Jump {
	t.Helper()
	j, err := NewJump(hashing.XX(3))
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range nodes {
		if err := j.Add(node); err != nil {
			t.Fatal(err)
		}
	}
	return j
}

func TestJumpRemovesTheLastNodeAlone(t *testing.T) {
	j := mustJump(t, "C", "A", "B")
	before := j.Clone()
	if err := j.Remove("A"); !errors.Is(err, ErrNotLast) || !j.Equal(before) {
		t.Errorf("removed A: %v, left %v", err, j.Nodes())
	}
	if err := j.Remove("B"); err != nil || !slices.Equal(j.Nodes(), []string{"C", "A"}) {
		t.Errorf("removed B: %v, left %v", err, j.Nodes())
	}
	if !j.Equal(mustJump(t, "C", "A")) || j.Equal(mustJump(t, "A", "C")) {
		t.Error("the order of nodes is what they are")
	}
}
