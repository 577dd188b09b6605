package placement

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// The index finds what going through all points finds, with points spread, and
// with many in one arc or one place.
func TestIndexFindsTheNextPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		place := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 3), rapid.Uint64Range(math.MaxUint64-3, math.MaxUint64),
			rapid.Uint64Range(1<<40, 1<<40+100))
		places := rapid.SliceOfN(place, 1, 80).Draw(t, "points")
		slices.Sort(places)
		points := make([]point, len(places))
		for i, p := range places {
			points[i].place = p
		}
		x := newIndex(points)
		for _, p := range append(places, rapid.SliceOfN(place, 5, 5).Draw(t, "keys")...) {
			want := slices.IndexFunc(places, func(q uint64) bool { return q > p })
			if want < 0 {
				want = 0
			}
			if got := x.after(points, p); got != want {
				t.Fatalf("after %#x comes number %d of %#x, got %d", p, want, places, got)
			}
		}
	})
}

func TestAddAllIsAddOneByOne(t *testing.T) {
	r, all := mustNew(t, 7, hashing.XX(3), "C", "A", "B"), mustNew(t, 7, hashing.XX(3), "A")
	if err := all.AddAll("B", "C"); err != nil || !all.Equal(r) || !slices.Equal(all.Points(), r.Points()) {
		t.Errorf("another ring: %v", err)
	}
	for _, nodes := range [][]string{{"D", "D"}, {"D", "A"}} {
		if err := all.AddAll(nodes...); err == nil || !all.Equal(r) || len(all.points) != len(r.points) {
			t.Errorf("added %v: %v", nodes, err)
		}
	}
}

// A node of weight w has the points of one of weight w-1, and v more.
func TestRingWeights(t *testing.T) {
	r := mustNew(t, 4, hashing.XX(3), "A")
	if err := r.AddWeighted("B", 3); err != nil || r.Weight("B") != 3 || r.Weight("A") != 1 || r.Weight("C") != 0 {
		t.Fatal(err)
	}
	plain := mustNew(t, 12, hashing.XX(3), "B").Points()
	if got := slices.DeleteFunc(r.Points(), func(p Point) bool { return p.Node == "A" }); !slices.Equal(got, plain) {
		t.Errorf("points %v, want %v", got, plain)
	}
	for _, w := range []int{0, -1, MaxVirtualNodes/4 + 1} {
		if err := r.AddWeighted("C", w); err == nil || r.Len() != 2 {
			t.Errorf("weight %d: %v", w, err)
		}
	}
	if err := r.Remove("B"); err != nil || !r.Equal(mustNew(t, 4, hashing.XX(3), "A")) || len(r.points) != 4 {
		t.Errorf("removed B: %v, %d points", err, len(r.points))
	}
}

func TestRingHasAtMostMaxPoints(t *testing.T) {
	r := mustNew(t, MaxVirtualNodes, hashing.XX(3))
	if err := r.AddAll("A", "B", "C", "D", "E"); err == nil || !strings.Contains(err.Error(), "more than 4194304 points") || r.Len() != 0 {
		t.Errorf("five times the most points of a node: %v", err)
	}
}
