package adapters

import (
	"errors"
	"math"
	"slices"
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
	for _, s := range Filters {
		check(s.Name, s.Module)
	}
	for _, s := range Cardinalities {
		check(s.Name, s.Module)
	}
	for _, s := range Frequencies {
		check(s.Name, s.Module)
	}
	for _, s := range Blooms {
		if !seen[s.Name] {
			t.Errorf("%s is no filter of the catalogue", s.Name)
		}
	}
}

func TestFiltersHoldTheirKeysThroughEveryPower(t *testing.T) {
	const n = 400 // of 512: seiflotfy-cuckoo takes no more than 97 % of a power of two
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = key(i)
	}
	for _, s := range Filters {
		t.Run(s.Name, func(t *testing.T) {
			f, err := s.Build(sketchproof.FilterSpec{Keys: keys, Epsilon: 0.01, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			allFound(t, "built", f, keys)
			wrong := 0
			for i := range 10000 {
				if f.Contains(key(n + i)) {
					wrong++
				}
			}
			if wrong > 10000/10 { // no subject's rate is above 3 % here
				t.Errorf("%d of 10000 absent keys found", wrong)
			}
			if f.SizeBytes() <= 0 {
				t.Errorf("SizeBytes is %d", f.SizeBytes())
			}
			if s.Encode != nil {
				data, err := s.Encode(f)
				if err != nil {
					t.Fatal(err)
				}
				g, err := s.Decode(data)
				if err != nil {
					t.Fatal(err)
				}
				allFound(t, "decoded", g, keys)
			}
			if s.Merge != nil {
				spec := sketchproof.FilterSpec{Capacity: n, Epsilon: 0.01, Seed: 1}
				spec.Keys = keys[:n/2]
				a, err1 := s.Build(spec)
				spec.Keys = keys[n/2:]
				b, err2 := s.Build(spec)
				if err := errors.Join(err1, err2); err != nil {
					t.Fatal(err)
				}
				if err := s.Merge(a, b); err != nil {
					t.Fatal(err)
				}
				allFound(t, "merged", a, keys)
			}
			for _, law := range s.Laws {
				band := law.Predict(f, sketchproof.FilterSpec{Epsilon: 0.01}, n)
				if law.Name == "" || law.Source == "" || !(band.Hi >= band.Lo) || !(band.Predicted >= 0) {
					t.Errorf("law %+v predicts %+v", law.Name, band)
				}
			}
			bytesToo(t, f)
		})
	}
}

func allFound(t *testing.T, state string, f sketchproof.Filter, keys []uint64) {
	t.Helper()
	for _, k := range keys {
		if !f.Contains(k) {
			t.Fatalf("%s: key %d is lost", state, k)
		}
	}
}

// bytesToo adds byte strings, from one buffer, to filters that take them.
func bytesToo(t *testing.T, f sketchproof.Filter) {
	b, ok := f.(interface {
		sketchproof.BytesFilter
		sketchproof.BytesAdder
	})
	if !ok {
		return
	}
	buffer := []byte("a key of some length")
	if err := b.AddBytes(buffer); err != nil {
		t.Fatal(err)
	}
	copy(buffer, "overwritten afterwards")
	if !b.ContainsBytes([]byte("a key of some length")) {
		t.Error("the key went with its buffer")
	}
}

func TestFiltersRefuseImpossibleRates(t *testing.T) {
	for _, s := range Filters {
		if !slices.ContainsFunc(s.Laws, func(l filterLaw) bool { return l.Name == PromiseLaw }) {
			continue // its rate is not chosen
		}
		for _, eps := range []float64{0, 1, -1, 2, math.NaN(), math.Inf(1)} {
			if _, err := s.Build(sketchproof.FilterSpec{Capacity: 10, Epsilon: eps}); err == nil {
				t.Errorf("%s took rate %v", s.Name, eps)
			}
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
