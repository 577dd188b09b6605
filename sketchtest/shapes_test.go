package sketchtest

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// Keys of a shape are distinct, also those that a filter is given and those that it
// is asked for beside them.
func TestShapesHoldDistinctKeys(t *testing.T) {
	for _, s := range slices.Concat(numberShapes, textShapes) {
		for _, n := range []int{1, 2, 7, 8, 9, 1000} {
			for _, seed := range []uint64{0, 1 << 50, math.MaxUint64} {
				seen := map[string]bool{}
				for _, k := range append(s.keys(seed, n, held), s.keys(seed, 4000, absent(n))...) {
					name := k.String()
					if k.isText {
						name = string(k.text)
					}
					if seen[name] {
						t.Fatalf("%s, n = %d: key %v comes twice", s.name, n, k)
					}
					seen[name] = true
				}
			}
		}
	}
}

// Absent keys lie before those held and after them.
func TestAbsentKeysSurroundTheHeld(t *testing.T) {
	const n = 100
	var before, after, far int
	for j := range 300 {
		switch i := absent(n)(j); {
		case i < held(0):
			before++
		case i >= held(n)+100:
			far++
		case i >= held(n):
			after++
		default:
			t.Errorf("absent key %d is held as key %d", j, i-held(0))
		}
	}
	if before != 100 || after != 100 || far != 100 {
		t.Errorf("%d before, %d after, %d far", before, after, far)
	}
}

func TestRarelyReachedIsRare(t *testing.T) {
	for _, mean := range []float64{0.01, 1, 30, 1000} {
		k, law := rarelyReached(mean), distuv.Poisson{Lambda: mean}
		if p := law.Survival(float64(k - 1)); p > 1e-12 {
			t.Errorf("mean %v: %d are reached with a chance of %v", mean, k, p)
		}
		if p := law.Survival(float64(k - 2)); p < 1e-15 {
			t.Errorf("mean %v: %d is far from where it becomes likely", mean, k)
		}
	}
}

func TestShrinkFindsThePair(t *testing.T) {
	list := make([]int, 1000)
	for i := range list {
		list[i] = i
	}
	asked := 0
	got := shrink(list, 400, func(list []int) bool {
		asked++
		return slices.Contains(list, 17) && slices.Contains(list, 801)
	})
	if !slices.Equal(got, []int{17, 801}) {
		t.Errorf("left: %v", got)
	}
	if asked > 401 {
		t.Errorf("asked %d times", asked)
	}
	if got := shrink(list, 400, func([]int) bool { return false }); len(got) != len(list) {
		t.Errorf("of a list that does not fail, %d are left", len(got))
	}
}
