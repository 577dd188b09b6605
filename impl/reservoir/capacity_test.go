package reservoir

import (
	"math"
	"slices"
	"testing"
)

// A capacity is a bound, not a size: nothing is allocated for items that did not
// come, in a merge neither.
func TestAnyCapacityMergesFewItems(t *testing.T) {
	for _, capacity := range []int{math.MaxInt >> 20, math.MaxInt} {
		a, errA := NewL[uint64](capacity, 1)
		b, errB := NewL[uint64](capacity, 2)
		c, errC := NewWeighted[uint64](capacity, 1)
		d, errD := NewWeighted[uint64](capacity, 2)
		if errA != nil || errB != nil || errC != nil || errD != nil {
			t.Fatal(errA, errB, errC, errD)
		}
		for i := range uint64(3) {
			a.Add(i)
			b.Add(10 + i)
			c.Add(i)
			d.Add(10 + i)
		}
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		if err := c.Merge(d); err != nil {
			t.Fatal(err)
		}
		for name, sample := range map[string][]uint64{"L": a.Sample(), "weighted": c.Sample()} {
			if slices.Sort(sample); !slices.Equal(sample, []uint64{0, 1, 2, 10, 11, 12}) {
				t.Errorf("%s of capacity %d: %v", name, capacity, sample)
			}
		}
		joined, err := Combine(capacity, 3, Part[uint64]{Sample: []uint64{1, 2}, Seen: 2}, Part[uint64]{Sample: []uint64{3}, Seen: 1})
		if err != nil || len(joined.Sample) != 3 || joined.Seen != 3 {
			t.Errorf("combined: %+v, %v", joined, err)
		}
	}
}
