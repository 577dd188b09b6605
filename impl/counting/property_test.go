package counting

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func drawParams(t *rapid.T) Params {
	return Params{
		Cells:    rapid.IntRange(1, 80).Draw(t, "cells"),
		Hashes:   rapid.IntRange(1, 8).Draw(t, "hashes"),
		CellBits: rapid.SampledFrom([]int{4, 8, 16}).Draw(t, "bits"),
		Scheme:   rapid.SampledFrom([]Scheme{Derived, Independent}).Draw(t, "scheme"),
		Hash:     hashing.XX(rapid.Uint64().Draw(t, "seed")),
	}
}

func build(t *rapid.T, p Params, keys ...uint64) *Filter {
	f, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		_ = f.Add(key)
	}
	return f
}

func drawKeys(t *rapid.T, name string) []uint64 {
	return rapid.SliceOfN(rapid.Uint64Range(0, 50), 0, 60).Draw(t, name)
}

// No present key is ever missed while only present keys are removed, and
// without saturation the filter is that of the keys that are left.
func TestRemovalRestoresTheFilter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParams(t)
		stay, leave := drawKeys(t, "stay"), drawKeys(t, "leave")
		f := build(t, p, append(append([]uint64{}, stay...), leave...)...)
		for _, key := range leave {
			if err := f.Remove(key); err != nil {
				t.Fatalf("key %d was added and is not found: %v", key, err)
			}
		}
		for _, key := range stay {
			if !f.Contains(key) {
				t.Errorf("key %d is missed", key)
			}
		}
		// 16-bit cells hold the 120 keys with 8 increments each: none sticks.
		if p.CellBits == 16 && !f.Equal(build(t, p, stay...)) {
			t.Error("the filter is not that of the keys that stayed")
		}
	})
}

func TestMergeIsTheFilterOfBoth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParams(t)
		first, second := drawKeys(t, "first"), drawKeys(t, "second")
		a, b := build(t, p, first...), build(t, p, second...)
		joined := build(t, p, append(append([]uint64{}, first...), second...)...)
		before := marshal(t, b)
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(marshal(t, a), marshal(t, joined)) {
			t.Error("the merged filter is not that of all keys")
		}
		if !bytes.Equal(marshal(t, b), before) {
			t.Error("the merge changed its source")
		}
	})
}

func TestEveryFilterComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := build(t, drawParams(t), drawKeys(t, "keys")...)
		var back Filter
		if err := back.UnmarshalBinary(marshal(t, f)); err != nil {
			t.Fatal(err)
		}
		if !back.Equal(f) {
			t.Error("the filter came back different")
		}
	})
}
