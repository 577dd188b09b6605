package countmin

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

type printed struct {
	CountMin struct {
		Events   int      `json:"events"`
		Distinct int      `json:"distinct"`
		Rows     [][]any  `json:"rows"`
		True     []uint64 `json:"true"`
		Size     []int    `json:"size_for eps=.05 delta=.01"`
	} `json:"countmin"`
}

func readPrinted(t *testing.T) printed {
	t.Helper()
	data, err := os.ReadFile("testdata/printed.json")
	if err != nil {
		t.Fatal(err)
	}
	var p printed
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// printedStream is w0..w19, w_i repeated floor(40/(i+1)) times.
func printedStream() (words []string, truth map[string]uint64) {
	truth = map[string]uint64{}
	for i := range 20 {
		word := fmt.Sprintf("w%d", i)
		for range 40 / (i + 1) {
			words = append(words, word)
			truth[word]++
		}
	}
	return words, truth
}

// The figures printed in "Probabilistic Structures", Count-Min Sketch: row r
// uses the hash of seed r, modulo the width.
func TestPrintedFigures(t *testing.T) {
	want := readPrinted(t).CountMin
	words, truth := printedStream()
	if len(words) != want.Events || len(truth) != want.Distinct {
		t.Fatalf("%d events of %d words, want %d of %d", len(words), len(truth), want.Events, want.Distinct)
	}
	asked := []string{"w0", "w5", "w19"}
	for i, word := range asked {
		if truth[word] != want.True[i] {
			t.Errorf("%s occurs %d times, want %d", word, truth[word], want.True[i])
		}
	}
	if len(want.Rows) != 4 {
		t.Fatalf("%d printed rows, want 4", len(want.Rows))
	}
	for _, row := range want.Rows {
		w, d, worst := int(row[0].(float64)), int(row[1].(float64)), uint64(row[2].(float64))
		hash, err := hashing.New(hashing.SHA256, 0)
		if err != nil {
			t.Fatal(err)
		}
		s := mustNew(t, Params{Width: w, Depth: d, Rows: Independent, Hash: hash})
		for _, word := range words {
			s.AddBytes([]byte(word), 1)
		}
		var over uint64
		for word, f := range truth {
			over = max(over, s.CountBytes([]byte(word))-f)
		}
		if over != worst {
			t.Errorf("%d x %d: worst excess %d, want %d", d, w, over, worst)
		}
		var got []any
		for _, word := range asked {
			got = append(got, float64(s.CountBytes([]byte(word))))
		}
		if !slices.Equal(got, row[3].([]any)) {
			t.Errorf("%d x %d: estimates %v, want %v", d, w, got, row[3])
		}
	}
}

func TestPrintedSize(t *testing.T) {
	want := readPrinted(t).CountMin.Size
	w, d, err := Size(0.05, 0.01)
	if err != nil || w != want[0] || d != want[1] {
		t.Errorf("%d x %d, %v, want %v", w, d, err, want)
	}
}
