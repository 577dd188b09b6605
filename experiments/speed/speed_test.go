package speed

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/sketchproof/sketchproof/record"
)

// few is a size that takes no time; a cuckoo filter of 1024 slots takes it.
var few = size{keys: 900, rounds: 3}

func TestEverySubjectIsTimedAndWeighed(t *testing.T) {
	list := contenders()
	timings, err := timeAll(t.Context(), list, few, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	r := Result{Timings: timings}
	if err := r.weighAll(t.Context(), list, few.keys); err != nil {
		t.Fatal(err)
	}
	operations := 0
	for _, c := range list {
		operations += len(c.ops)
	}
	if len(timings) != operations || len(r.Weights) != len(list) {
		t.Errorf("%d timings and %d weights, want %d and %d", len(timings), len(r.Weights), operations, len(list))
	}
	for _, x := range timings {
		if x.Err != "" || len(x.Rounds) != few.rounds || !(x.Lo <= x.Median && x.Median <= x.Hi) || !(x.Median > 0) {
			t.Errorf("%+v", x)
		}
	}
	for _, w := range r.Weights {
		// The rate of 1 % takes 6.6 bits a key, whoever says so: 747 bytes.
		if w.Err != "" || w.Kind == "filter" && w.Subject != "harness-overhead" && w.Told < 747 {
			t.Errorf("%+v", w)
		}
	}
}

// A subject that fails or panics drops out with its error; the others go on.
func TestFailingSubjectIsARow(t *testing.T) {
	fine := contenders()[0]
	failing, panicking := fine, fine
	failing.subject, panicking.subject = "failing", "panicking"
	failing.round = func(int, uint64) ([]float64, error) { return nil, errors.New("no luck") }
	panicking.round = func(int, uint64) ([]float64, error) { panic("lost") }
	panicking.weigh = func(int, uint64) (weight, error) { panic("lost") }
	list := []contender{failing, panicking, fine}
	timings, err := timeAll(t.Context(), list, few, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	r := Result{Timings: timings}
	if err := r.weighAll(t.Context(), list, few.keys); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"failing": "no luck", "panicking": "panic: lost", fine.subject: ""}
	for _, x := range timings {
		if x.Err != want[x.Subject] || math.IsNaN(x.Median) != (x.Err != "") {
			t.Errorf("%+v", x)
		}
	}
	dir := t.TempDir()
	if err := r.Write(dir, Here("test")); err != nil {
		t.Fatal(err)
	}
	for name, columns := range map[string]int{TimingsName: 11, WeightsName: 11} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		header, rows, err := record.ReadRaw(f)
		if err != nil || len(header) != columns || len(rows) == 0 {
			t.Errorf("%s: %d columns, %d rows, %v", name, len(header), len(rows), err)
		}
		_ = f.Close()
	}
	// benchstat reads what the fine subject measured.
	f, err := os.Open(filepath.Join(dir, BenchmarksName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	results := 0
	for reader := benchfmt.NewReader(f, BenchmarksName); reader.Scan(); {
		switch line := reader.Result().(type) {
		case *benchfmt.Result:
			if results++; !strings.Contains(string(line.Name), fine.subject) {
				t.Errorf("a line of %s", line.Name)
			}
		case *benchfmt.SyntaxError:
			t.Error(line)
		}
	}
	if results != len(fine.ops)*few.rounds {
		t.Errorf("%d lines, want %d", results, len(fine.ops)*few.rounds)
	}
}
