package speed

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
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
	operations, weighed := 0, 0
	for _, c := range list {
		operations += len(c.ops)
		if c.weigh != nil {
			weighed++
		}
	}
	if len(timings) != operations || len(r.Weights) != weighed {
		t.Errorf("%d timings and %d weights, want %d and %d", len(timings), len(r.Weights), operations, weighed)
	}
	for _, x := range timings {
		if x.Err != "" || len(x.Rounds) != few.rounds || !(x.Lo <= x.Median && x.Median <= x.Hi) || !(x.Median > 0) {
			t.Errorf("%+v", x)
		}
	}
	for _, w := range r.Weights {
		if w.Err != "" || w.Kind == "filter" && w.Subject != Overhead && w.Told < leastBytes(w.Eps) {
			t.Errorf("%+v", w)
		}
	}
}

// leastBytes is what any filter takes for few keys: log2(1/eps) bits each. A
// library of fixed tags may have another rate: the least is that of eight slots
// of eight bits.
func leastBytes(eps float64) int {
	return int(float64(few.keys) * -math.Log2(max(eps, eightBits)) / 8)
}

func TestRacesCompareRoundByRound(t *testing.T) {
	r := Result{Timings: []Timing{
		{Subject: "cuckoo", Op: opHit, Eps: eightBits, Keys: 1_000_000, Rounds: []float64{1, 2, 4, 1, 1, 1}, Rate: 0.02},
		{Subject: "seiflotfy-cuckoo", Op: opHit, Eps: rate, Keys: 1_000_000, Rounds: []float64{3, 6, 12, 3, 3, 3}, Rate: 0.03},
		{Subject: "xor8", Op: opAdd, Eps: rate, Keys: 1_000_000, Err: "no room"},
		{Subject: "fastfilter-xor8", Op: opAdd, Eps: rate, Keys: 1_000_000, Rounds: []float64{1}},
	}}
	r.race()
	if len(r.Races) != 2 {
		t.Fatalf("%d races: %+v", len(r.Races), r.Races)
	}
	broken, run := r.Races[0], r.Races[1]
	if !(run.Ratio == 3 && run.Lo == 3 && run.Hi == 3 && run.Rounds == 6 && run.Rate == 0.02 && run.PeerRate == 0.03) {
		t.Errorf("%+v", run)
	}
	if broken.Err != "xor8: no room" || !math.IsNaN(broken.Ratio) {
		t.Errorf("%+v", broken)
	}
}

// Every race names subjects that exist and operations that they have.
func TestRacesCanBeRun(t *testing.T) {
	ops := map[string][]string{}
	for _, c := range contenders() {
		ops[c.subject] = append(ops[c.subject], c.ops...)
	}
	for _, race := range races() {
		if !slices.Contains(ops[race.Subject], race.Op) || !slices.Contains(ops[race.Peer], race.PeerOp) {
			t.Errorf("%+v", race)
		}
	}
}

// A subject that fails or panics drops out with its error; the others go on.
func TestFailingSubjectIsARow(t *testing.T) {
	fine := contenders()[0]
	failing, panicking := fine, fine
	failing.subject, panicking.subject = "failing", "panicking"
	failing.round = func(int, uint64) (reading, error) { return reading{}, errors.New("no luck") }
	panicking.round = func(int, uint64) (reading, error) { panic("lost") }
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
	for name, columns := range map[string]int{TimingsName: 13, WeightsName: 12} {
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
