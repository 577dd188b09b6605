package adapters

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof"
)

// What was added and removed again leaves no trace.
func TestRemovingAllLeavesAnEmptyFilter(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		f := filled(t, s, nil)
		r, ok := f.(sketchproof.Remover)
		if !ok {
			t.Skip("it removes nothing")
		}
		empty, keys := state(t, s, f), numbers(0, held)
		for range 2 { // a filter that was emptied is as good as new
			addAll(t, f, keys)
			for i, k := range keys {
				if err := r.Remove(k); err != nil {
					t.Fatalf("key %d: %v", i, err)
				}
				if i == held/2 {
					allFound(t, "half removed", f, keys[i+1:])
					holds(t, f, held-i-1)
				}
			}
			if !bytes.Equal(state(t, s, f), empty) {
				t.Fatal("an emptied filter is not an empty one")
			}
			holds(t, f, 0)
			slices.Reverse(keys)
		}
		if n := bytes.Count(answers(f, 0, 4*held), []byte{1}); n > 0 {
			t.Errorf("%d keys are found in an emptied filter", n)
		}
	})
}

func addAll(t *testing.T, f sketchproof.Filter, keys []uint64) {
	t.Helper()
	for i, k := range keys {
		if err := f.(sketchproof.Adder).Add(k); err != nil {
			t.Fatalf("key %d of %d: %v", i, len(keys), err)
		}
	}
}

func TestRemovingAStrangerChangesNothing(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		f := filled(t, s, numbers(0, held))
		r, ok := f.(sketchproof.Remover)
		if !ok {
			t.Skip("it removes nothing")
		}
		before := state(t, s, f)
		for _, k := range numbers(held, 3*held) {
			if f.Contains(k) {
				continue
			}
			if err := r.Remove(k); !errors.Is(err, sketchproof.ErrNotFound) {
				t.Fatalf("a certain stranger: %v", err)
			}
		}
		if !bytes.Equal(state(t, s, f), before) {
			t.Error("a stranger's removal left a trace")
		}
		allFound(t, "strangers removed", f, numbers(0, held))
		holds(t, f, held)
	})
}

// What is refused for want of room leaves the filter as it was.
func TestARefusedKeyChangesNothing(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		f := built(t, s, sketchproof.FilterSpec{Capacity: 64, Epsilon: 0.01, Seed: 1})
		a, ok := f.(sketchproof.Adder)
		if !ok || !native(s) || exactSet(s) {
			t.Skip("it takes no keys later, is never full, or is a library's")
		}
		for i := range 20 * 64 {
			before := state(t, s, f)
			err := a.Add(key(i))
			if err == nil {
				continue
			}
			if !errors.Is(err, sketchproof.ErrFull) {
				t.Fatal(err)
			}
			if !bytes.Equal(state(t, s, f), before) {
				t.Errorf("key %d was refused and left a trace", i)
			}
			allFound(t, "full", f, numbers(0, i))
			return
		}
	})
}

func TestMergeHoldsBothAndLeavesTheSource(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		if s.Merge == nil {
			t.Skip("it does not merge")
		}
		a, b := filled(t, s, numbers(0, held/2)), filled(t, s, numbers(held/2, held))
		before := state(t, s, b)
		if err := s.Merge(a, b); err != nil {
			t.Fatal(err)
		}
		allFound(t, "merged", a, numbers(0, held))
		if !bytes.Equal(state(t, s, b), before) {
			t.Error("merging changed its source")
		}
		// Of an empty filter, into an empty one, and of itself.
		merged := state(t, s, a)
		if err := s.Merge(a, filled(t, s, nil)); err != nil || !bytes.Equal(state(t, s, a), merged) {
			t.Errorf("merging an empty filter left a trace, or %v", err)
		}
		fresh := filled(t, s, nil)
		if err := s.Merge(fresh, b); err != nil {
			t.Error(err)
		}
		allFound(t, "merged into an empty one", fresh, numbers(held/2, held))
		if err := s.Merge(fresh, fresh); err == nil || native(s) {
			allFound(t, "merged with itself", fresh, numbers(held/2, held))
		}
	})
}

// Filters that were built unlike merge rightly or not at all.
func TestMergeOfUnlikesIsRefusedOrRight(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		if s.Merge == nil {
			t.Skip("it does not merge")
		}
		spec := sketchproof.FilterSpec{Keys: numbers(held, held+10), Capacity: held, Epsilon: 0.01, Seed: 1}
		unlike := map[string]sketchproof.FilterSpec{"capacity": spec, "rate": spec, "seed": spec}
		for name, other := range unlike {
			switch name {
			case "capacity":
				other.Capacity = 16 * held
			case "rate":
				other.Epsilon = 1e-4
			case "seed":
				other.Seed = 2
			}
			a, b := filled(t, s, numbers(0, 10)), built(t, s, other)
			stateA, stateB := state(t, s, a), state(t, s, b)
			err := s.Merge(a, b)
			switch {
			case err != nil && (!bytes.Equal(state(t, s, a), stateA) || err.Error() == ""):
				t.Errorf("unlike %s: refused (%v), and changed", name, err)
			case err == nil && name == "seed" && seeded(t, s):
				t.Error("filters of two seeds were merged")
			case err == nil:
				allFound(t, "merged of unlike "+name, a, slices.Concat(numbers(0, 10), numbers(held, held+10)))
			}
			if !bytes.Equal(state(t, s, b), stateB) {
				t.Errorf("unlike %s: merging changed its source", name)
			}
		}
	})
}
