package adapters

import (
	"math"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// key is one of endless distinct random keys.
func key(i int) uint64 { return hashing.Mix(uint64(i+1) * hashing.Gamma) }

func TestNamesAreUniqueAndFitIntoCells(t *testing.T) {
	seen := map[string]bool{}
	check := func(name, module string) {
		if name == "" || seen[name] || strings.ContainsAny(name, "/= ,") {
			t.Errorf("bad or repeated name %q", name)
		}
		seen[name] = true
		// A test program does not know the versions it was built from.
		if module != "" && !strings.HasPrefix(At(module), module+"@") {
			t.Errorf("%s: At gives %s", name, At(module))
		}
	}
	for _, s := range AllFilters() {
		check(s.Name, s.Module)
	}
	for _, s := range AllCardinalities() {
		check(s.Name, s.Module)
	}
	for _, s := range Frequencies {
		check(s.Name, s.Module)
	}
	for _, s := range AllTopKs() {
		check(s.Name, s.Module)
	}
	for _, s := range AllSignatures() {
		check(s.Name, s.Module)
	}
	for _, s := range AllSamplers() {
		check(s.Name, s.Module)
	}
	for _, s := range AllPlacers() {
		check(s.Name, s.Module)
	}
	for _, s := range Blooms {
		if !seen[s.Name] {
			t.Errorf("%s is no filter of the catalogue", s.Name)
		}
	}
}

func TestCardinalitiesCountThroughEveryPower(t *testing.T) {
	const n = 3000
	for _, s := range Cardinalities {
		t.Run(s.Name, func(t *testing.T) {
			build := func(from, to int) sketchproof.Cardinality {
				c, err := s.Build(sketchproof.CardinalitySpec{Precision: 12, Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				for i := from; i < to; i++ {
					c.Add(key(i))
				}
				return c
			}
			// Six standard errors of 1.04/sqrt(4096): 9.8 %.
			near := func(state string, c sketchproof.Cardinality) {
				if e := c.Estimate(); math.Abs(e/n-1) > 6*1.04/64 {
					t.Errorf("%s: %v for %d keys", state, e, n)
				}
			}
			c := build(0, n)
			near("built", c)
			if s.Encode != nil {
				data, err := s.Encode(c)
				if err != nil {
					t.Fatal(err)
				}
				d, err := s.Decode(data)
				if err != nil {
					t.Fatal(err)
				}
				near("decoded", d)
			}
			if s.Merge != nil {
				a := build(0, 2000)
				if err := s.Merge(a, build(1000, n)); err != nil {
					t.Fatal(err)
				}
				near("merged", a)
			}
		})
	}
}

func TestFrequenciesNeverUnderCount(t *testing.T) {
	for _, s := range Frequencies {
		t.Run(s.Name, func(t *testing.T) {
			f, err := s.Build(sketchproof.FrequencySpec{Width: 64, Depth: 3, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 100 {
				f.Add(key(i), uint64(i))
			}
			if s.Encode != nil {
				data, err := s.Encode(f)
				if err != nil {
					t.Fatal(err)
				}
				if f, err = s.Decode(data); err != nil {
					t.Fatal(err)
				}
			}
			for i := range 100 {
				if got := f.Count(key(i)); got < uint64(i) {
					t.Errorf("key %d counts %d, is %d", i, got, i)
				}
			}
		})
	}
}

func TestUnknownModuleSaysSo(t *testing.T) {
	if got := At("example.org/none"); got != "example.org/none@unknown" {
		t.Errorf("got %q", got)
	}
	if At("") != "" {
		t.Error("our own have no module")
	}
}
