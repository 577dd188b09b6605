package exact

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof"
)

// Keys from a small range, so that repeats and hits happen.
var drawKeys = rapid.SliceOf(rapid.Uint64Range(0, 40))

func TestSetsAgreeWithTheList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys, more := drawKeys.Draw(t, "keys"), drawKeys.Draw(t, "more")
		given := slices.Clone(keys)
		m, other, sorted, distinct := NewMap(), NewMap(), NewSorted(keys), NewDistinct()
		if !slices.Equal(keys, given) {
			t.Fatal("the caller's keys were moved")
		}
		for _, key := range keys {
			if err := m.Add(key); err != nil {
				t.Fatal(err)
			}
			distinct.Add(key)
		}
		clear(keys)
		check := func(name string, f sketchproof.Filter, want []uint64) {
			for key := range uint64(42) {
				if f.Contains(key) != slices.Contains(want, key) {
					t.Fatalf("%s: Contains(%d) is %v", name, key, f.Contains(key))
				}
			}
		}
		check("map", m, given)
		check("sorted", sorted, given)
		count := len(slices.Compact(slices.Sorted(slices.Values(given))))
		if m.Len() != count || sorted.Len() != count || distinct.Estimate() != float64(count) {
			t.Fatalf("%d, %d and %g keys, want %d", m.Len(), sorted.Len(), distinct.Estimate(), count)
		}
		for _, key := range more {
			if err := other.Add(key); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.Merge(other); err != nil {
			t.Fatal(err)
		}
		check("merged", m, append(slices.Clone(given), more...))
		check("source", other, more)
		for _, key := range more {
			err := m.Remove(key)
			if again := m.Remove(key); !errors.Is(again, sketchproof.ErrNotFound) || err != nil && !errors.Is(err, sketchproof.ErrNotFound) {
				t.Fatalf("removing %d: %v, again: %v", key, err, again)
			}
		}
		check("removed", m, slices.DeleteFunc(given, func(key uint64) bool { return slices.Contains(more, key) }))
	})
}

func TestBytesAreCopiedAndApartFromNumbers(t *testing.T) {
	m, c, d := NewMap(), NewCounter(), NewDistinct()
	key := []byte{1, 0, 0, 0, 0, 0, 0, 0}
	if err := m.AddBytes(key); err != nil {
		t.Fatal(err)
	}
	c.AddBytes(key, 3)
	d.AddBytes(key)
	d.AddBytes(key)
	d.Add(1)
	if m.Contains(1) || c.Count(1) != 0 || d.Estimate() != 2 {
		t.Errorf("bytes were taken for a number: %v, %d, %g", m.Contains(1), c.Count(1), d.Estimate())
	}
	key[0] = 2
	if m.ContainsBytes(key) || c.CountBytes(key) != 0 {
		t.Error("the caller's slice was kept")
	}
	key[0] = 1
	if !m.ContainsBytes(key) || c.CountBytes(key) != 3 || m.Len() != 1 {
		t.Error("the bytes are lost")
	}
	other, more := NewMap(), NewDistinct()
	if err := errors.Join(other.AddBytes([]byte("x")), other.Merge(m), more.Merge(d)); err != nil {
		t.Fatal(err)
	}
	if !other.ContainsBytes(key) || !other.ContainsBytes([]byte("x")) || other.Len() != 2 || more.Estimate() != 2 {
		t.Error("merging lost bytes")
	}
}

func TestCounterSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, truth := NewCounter(), NewCounter(), [41]uint64{}
		for i, key := range drawKeys.Draw(t, "keys") {
			c, weight := a, uint64(i%4)
			if i%2 == 1 {
				c = b
			}
			c.Add(key, weight)
			c.AddBytes([]byte{byte(key)}, 2*weight)
			truth[key] += weight
		}
		before := b.Count(7)
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		for key, want := range truth {
			if a.Count(uint64(key)) != want || a.CountBytes([]byte{byte(key)}) != 2*want {
				t.Fatalf("%d: %d and %d, want %d", key, a.Count(uint64(key)), a.CountBytes([]byte{byte(key)}), want)
			}
		}
		if b.Count(7) != before {
			t.Fatal("merging changed its source")
		}
	})
}

func TestCounterSaturates(t *testing.T) {
	c := NewCounter()
	c.Add(1, math.MaxUint64)
	c.Add(1, 2)
	c.Add(2, 0)
	c.AddBytes(nil, 0)
	if c.Count(1) != math.MaxUint64 || len(c.numbers) != 1 || len(c.texts) != 0 {
		t.Errorf("count %d, %d and %d entries", c.Count(1), len(c.numbers), len(c.texts))
	}
}
