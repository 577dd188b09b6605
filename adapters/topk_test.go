package adapters

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof"
)

func buildTopK(t *testing.T, s TopK, k int, seed uint64) sketchproof.TopK {
	t.Helper()
	top, err := s.Build(sketchproof.TopKSpec{K: k, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// feedTopK adds 500 keys, the i-th with a weight of about 1000/i, in two rounds, and
// returns what each weighs.
func feedTopK(top sketchproof.TopK, from int) map[uint64]uint64 {
	truth := map[uint64]uint64{}
	for range 2 {
		for i := from; i < from+500; i++ {
			weight := uint64(500 / (i - from + 1))
			top.Add(key(i), weight)
			truth[key(i)] += weight
		}
	}
	return truth
}

// wantTruth checks what is listed: in order, no key twice, each within its bounds.
func wantTruth(t *testing.T, top sketchproof.TopK, k int, truth map[uint64]uint64) {
	t.Helper()
	list := top.Top(k)
	if len(list) > k || len(top.Top(0)) != 0 || len(top.Top(-1)) != 0 || !slices.Equal(top.Top(3), list[:min(3, len(list))]) {
		t.Fatalf("%d listed of %d", len(list), k)
	}
	if !slices.IsSortedFunc(list, func(a, b sketchproof.Heavy) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
	}) {
		t.Errorf("not in order: %v", list)
	}
	seen := map[uint64]bool{}
	for _, h := range list {
		if w := truth[h.Key]; seen[h.Key] || w > h.Count || h.Over > h.Count || w < h.Count-h.Over {
			t.Errorf("key %x weighs %d: %+v", h.Key, w, h)
		}
		seen[h.Key] = true
	}
	for key, weight := range truth {
		if weight > 200 && !seen[key] {
			t.Errorf("a key of %d is not listed", weight)
		}
	}
	if top.SizeBytes() <= 0 {
		t.Error("no memory")
	}
}

func TestTopKsMerge(t *testing.T) {
	const k = 80
	for _, s := range TopKs {
		if s.Merge == nil {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			a, b := buildTopK(t, s, k, 1), buildTopK(t, s, k, 1)
			truth := feedTopK(a, 0)
			for key, weight := range feedTopK(b, 400) {
				truth[key] += weight
			}
			before := b.Top(math.MaxInt)
			if err := s.Merge(a, b); err != nil {
				t.Fatal(err)
			}
			wantTruth(t, a, k, truth)
			if !slices.Equal(b.Top(math.MaxInt), before) {
				t.Error("the source changed")
			}
			if s.Encode == nil {
				return // exact: no seed and no size
			}
			for _, other := range []sketchproof.TopK{buildTopK(t, s, k+1, 1), buildTopK(t, s, k, 2)} {
				before, err := s.Encode(a)
				if err != nil {
					t.Fatal(err)
				}
				if s.Merge(a, other) == nil {
					t.Error("unlike ones were merged")
				}
				if after, err := s.Encode(a); err != nil || !bytes.Equal(before, after) {
					t.Errorf("a refused merge changed it, %v", err)
				}
			}
		})
	}
}

func TestTopKsRefuse(t *testing.T) {
	for _, s := range TopKs {
		if s.Encode == nil {
			continue // exact: no size
		}
		for _, k := range []int{0, -1, math.MinInt} {
			if _, err := s.Build(sketchproof.TopKSpec{K: k}); err == nil {
				t.Errorf("%s: k = %d was taken", s.Name, k)
			}
		}
	}
}
