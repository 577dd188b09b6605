package bloom

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// replayed makes the filter of the printed programs: SHA-256 with seeds 0 to
// k-1, each modulo m.
func replayed(t *testing.T, m, k uint64) *Filter {
	t.Helper()
	hash, err := hashing.New(hashing.SHA256, 0)
	if err != nil {
		t.Fatal(err)
	}
	return must(t, Params{M: m, K: k, Scheme: Independent, Hash: hash})
}

func addWords(t *testing.T, f *Filter, words ...string) {
	t.Helper()
	for _, w := range words {
		if err := f.AddBytes([]byte(w)); err != nil {
			t.Fatal(err)
		}
	}
}

// printed is what the programs of "Probabilistic Structures" print.
type printed struct {
	Bloom16 struct {
		M, K  uint64
		Add   map[string][]uint64
		Bits  string
		Query map[string][2]any
	}
	Measured struct {
		Rows [][6]*float64
	} `json:"bloom_measured"`
	Delete struct {
		Added    []string
		Cleared  string
		Contains map[string]bool
	} `json:"naive_delete16"`
}

func TestPrintedTrace(t *testing.T) {
	var p printed
	readJSON(t, "printed-outputs.json", &p)
	f := replayed(t, p.Bloom16.M, p.Bloom16.K)
	for _, word := range slices.Sorted(maps.Keys(p.Bloom16.Add)) {
		if got := f.PositionsBytes([]byte(word)); !slices.Equal(got, p.Bloom16.Add[word]) {
			t.Errorf("%s: %v, printed %v", word, got, p.Bloom16.Add[word])
		}
		addWords(t, f, word)
	}
	var bits []byte
	for i := range f.M() {
		bit := byte('0')
		if f.Bit(i) {
			bit = '1'
		}
		bits = append(bits, bit)
	}
	if string(bits) != p.Bloom16.Bits || len(bits) != 16 {
		t.Errorf("%s, printed %s", bits, p.Bloom16.Bits)
	}
	for word, want := range p.Bloom16.Query {
		if got := fmt.Sprint(f.PositionsBytes([]byte(word)), f.ContainsBytes([]byte(word))); got != fmt.Sprint(want[0], want[1]) {
			t.Errorf("%s: %s, printed %v", word, got, want)
		}
	}
	if len(p.Bloom16.Query) != 3 {
		t.Errorf("%d queries", len(p.Bloom16.Query))
	}
}

func TestPrintedRates(t *testing.T) {
	var p printed
	readJSON(t, "printed-outputs.json", &p)
	if len(p.Measured.Rows) != 6 {
		t.Fatalf("%d rows", len(p.Measured.Rows))
	}
	for _, row := range p.Measured.Rows {
		n, m, k := uint64(*row[0]), uint64(*row[1]), uint64(*row[2])
		f := replayed(t, m, k)
		for i := range n {
			addWords(t, f, fmt.Sprint("in", i))
		}
		var missed, found float64
		for i := range n {
			if !f.ContainsBytes(fmt.Append(nil, "in", i)) {
				missed++
			}
		}
		for i := range 10_000 {
			if f.ContainsBytes(fmt.Append(nil, "out", i)) {
				found++
			}
		}
		if missed != *row[3] || found/10_000 != *row[4] {
			t.Errorf("n=%d m=%d k=%d: %g missed, rate %g, printed %g and %g", n, m, k, missed, found/10_000, *row[3], *row[4])
		}
		if got := math.Round(1e4*FPRClassic(m, k, n)) / 1e4; row[5] != nil && got != *row[5] {
			t.Errorf("n=%d m=%d k=%d: predicted %g, printed %g", n, m, k, got, *row[5])
		}
	}
}

func TestPrintedNaiveDelete(t *testing.T) {
	var p printed
	readJSON(t, "printed-outputs.json", &p)
	f := replayed(t, 16, 2)
	addWords(t, f, p.Delete.Added...)
	for _, i := range f.PositionsBytes([]byte(p.Delete.Cleared)) {
		f.words[i/64] &^= 1 << (i % 64)
	}
	for word, want := range p.Delete.Contains {
		if got := f.ContainsBytes([]byte(word)); got != want {
			t.Errorf("%s: %v, printed %v", word, got, want)
		}
	}
	if len(p.Delete.Contains) != 4 {
		t.Errorf("%d words", len(p.Delete.Contains))
	}
}
