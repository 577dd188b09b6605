package adapters

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/sketchproof/sketchproof"
)

// The bytes and answers of our own filters are the same on every machine, with
// assembly or without (-tags purego): the file was written by one of them.
// Another form of a structure is written with SKETCHPROOF_UPDATE=1, and its
// version goes up.
func TestNativeFiltersAreTheSameEverywhere(t *testing.T) {
	const file = "testdata/portable.json"
	got := map[string]string{}
	for _, s := range Filters {
		if s.Module != "" || s.Encode == nil {
			continue
		}
		for _, n := range []int{0, 1, 100, 3000} {
			f, err := s.Build(sketchproof.FilterSpec{Keys: numbers(0, n), Capacity: max(n, 1), Epsilon: 0.01, Seed: 7})
			if err != nil {
				t.Fatalf("%s: %v", s.Name, err)
			}
			data, err := s.Encode(f)
			if err != nil {
				t.Fatalf("%s: %v", s.Name, err)
			}
			got[fmt.Sprintf("%s/n=%d", s.Name, n)] = fmt.Sprintf("%d bytes, digest %016x, answers %016x", len(data), xxhash.Sum64(data), answersDigest(f))
		}
	}
	if os.Getenv("SKETCHPROOF_UPDATE") != "" {
		data, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]string
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if got[name] != want[name] {
			t.Errorf("%s: %s, want %s", name, got[name], want[name])
		}
	}
	if len(want) != len(got) {
		t.Errorf("%d filters, want %d", len(got), len(want))
	}
}

// answersDigest digests what a filter says of 20 000 keys, one by one and in a
// batch.
func answersDigest(f sketchproof.Filter) uint64 {
	const asked = 20000
	list := answers(f, 0, asked)
	if b, ok := f.(sketchproof.BatchFilter); ok {
		found := make([]bool, asked)
		b.ContainsBatch(numbers(0, asked), found)
		for _, yes := range found {
			if yes {
				list = append(list, 1)
			} else {
				list = append(list, 0)
			}
		}
	}
	return xxhash.Sum64(list)
}
