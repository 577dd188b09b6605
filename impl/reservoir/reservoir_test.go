package reservoir

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// replay samples 0..n-1 with the dice of the printed programs.
func replay(t *testing.T, n uint64, k int, seed uint64) *R[int] {
	t.Helper()
	h, err := hashing.New(hashing.SHA256, seed)
	if err != nil {
		t.Fatal(err)
	}
	r, err := WithDraw[int](k, Hashed(h))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		r.Add(int(i))
	}
	return r
}

// The figures printed in "Probabilistic Structures", Reservoir Sampling.
func TestPrintedFigures(t *testing.T) {
	data, err := os.ReadFile("testdata/printed.json")
	if err != nil {
		t.Fatal(err)
	}
	var printed struct {
		Reservoir map[string]any `json:"reservoir"`
	}
	if err := json.Unmarshal(data, &printed); err != nil {
		t.Fatal(err)
	}
	want := printed.Reservoir
	for name, n := range map[string]uint64{"range100 k5 seed1": 100, "range3 k5 seed1": 3, "empty k5 seed1": 0} {
		r := replay(t, n, 5, 1)
		sample := append([]int{}, r.Sample()...) // the printed empty list is no null
		got, err := json.Marshal([]any{sample, r.Replacements()})
		if err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(want[name])
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(line) || r.Seen() != n {
			t.Errorf("%s: %s of %d seen, want %s", name, got, r.Seen(), line)
		}
	}
	counts := make([]any, 10)
	tally := make([]float64, 10)
	for seed := range uint64(3000) {
		for _, item := range replay(t, 10, 3, seed).Sample() {
			tally[item]++
		}
	}
	for i, c := range tally {
		counts[i] = c
	}
	if got := want["counts range10 k3 seeds0-2999"].([]any); !slices.Equal(counts, got) {
		t.Errorf("counts %v, want %v", counts, got)
	}
	if got := math.Round(100*PrintedReplacements(10, 2000)) / 100; got != want["k ln(n/k)"] {
		t.Errorf("k ln(n/k) = %v, want %v", got, want["k ln(n/k)"])
	}
	total := uint64(0)
	for seed := range uint64(100) {
		total += replay(t, 2000, 10, seed).Replacements()
	}
	if got := float64(total) / 100; got != want["mean replacements range2000 k10 seeds0-99"] {
		t.Errorf("%v replacements on average, want %v", got, want["mean replacements range2000 k10 seeds0-99"])
	}
}

func TestRefusals(t *testing.T) {
	if r, err := New[int](-1, 1); r != nil || err == nil || !strings.Contains(err.Error(), "capacity -1, must be at least 0") {
		t.Errorf("got %v", err)
	}
	if r, err := WithDraw[int](1, nil); r != nil || err == nil {
		t.Errorf("no source of draws was accepted")
	}
}

func TestDrawOutOfRangePanics(t *testing.T) {
	r, err := WithDraw[int](1, func(i uint64) uint64 { return i + 1 })
	if err != nil {
		t.Fatal(err)
	}
	r.Add(1)
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "drew 2, outside 0 to 1") {
			t.Errorf("panic %q", got)
		}
	}()
	r.Add(2)
}

// A draw of 0 to i is in range at both ends, and at the largest i there is.
func TestDrawsStayInRange(t *testing.T) {
	for name, draw := range map[string]Draw{"seeded": Seeded(3), "hashed": Hashed(hashing.XX(3))} {
		if got := draw(0); got != 0 {
			t.Errorf("%s: drew %d from 0 to 0", name, got)
		}
		top := false
		for range 100 {
			for i := range uint64(10) {
				j := draw(i)
				if j > i {
					t.Fatalf("%s: drew %d from 0 to %d", name, j, i)
				}
				top = top || i == 9 && j == 9 || i == 1 && j == 1
			}
		}
		if !top {
			t.Errorf("%s: never drew the largest number", name)
		}
		draw(math.MaxUint64)
	}
}

// At every prefix the sample has its size and holds no item twice.
func TestSampleOfEveryStream(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(0, 8).Draw(t, "capacity")
		n := rapid.IntRange(0, 40).Draw(t, "items")
		r, err := New[int](k, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			r.Add(i)
			if want := min(i+1, k); len(r.Sample()) != want {
				t.Fatalf("%d items of %d after %d", len(r.Sample()), want, i+1)
			}
		}
		sample := r.Sample()
		slices.Sort(sample)
		if len(slices.Compact(sample)) != min(n, k) {
			t.Errorf("an item is in the sample twice: %v", sample)
		}
		if r.Seen() != uint64(n) || r.Capacity() != k || r.Replacements() > uint64(max(0, n-k)) {
			t.Errorf("seen %d, capacity %d, replacements %d", r.Seen(), r.Capacity(), r.Replacements())
		}
	})
}

func TestSampleIsACopy(t *testing.T) {
	r, err := New[int](1, 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Add(5)
	r.Sample()[0] = 9
	if r.Sample()[0] != 5 {
		t.Error("writing to the sample's copy changed the reservoir")
	}
}

// Over many seeds every item, every pair and the number of replacements keep
// their laws, to six standard errors.
func TestLawsHold(t *testing.T) {
	const k, n, trials = 3, 12, 20000
	var singles [n]float64
	var pairs [n][n]float64
	replacements := 0.0
	for seed := range uint64(trials) {
		r, err := New[int](k, seed)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			r.Add(i)
		}
		sample := r.Sample()
		for _, a := range sample {
			singles[a]++
			for _, b := range sample {
				pairs[a][b]++
			}
		}
		replacements += float64(r.Replacements())
	}
	check := func(what string, got, want, variance float64) {
		t.Helper()
		if se := math.Sqrt(variance / trials); math.Abs(got/trials-want) > 6*se {
			t.Errorf("%s: %v, want %v within six standard errors of %v", what, got/trials, want, se)
		}
	}
	p, q := Inclusion(k, n), PairInclusion(k, n)
	for a := range n {
		check(fmt.Sprintf("item %d", a), singles[a], p, p*(1-p))
		for b := range a {
			check(fmt.Sprintf("items %d and %d", a, b), pairs[a][b], q, q*(1-q))
		}
	}
	check("replacements", replacements, ExpectedReplacements(k, n), ReplacementsVariance(k, n))
}
