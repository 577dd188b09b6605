package experiments

import (
	"context"
	"math"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/stats"
)

// verdictOf runs one cell in this process and returns its first verdict about a
// law.
func verdictOf(t *testing.T, cell engine.Cell, law string) stats.Verdict {
	t.Helper()
	all := []engine.Experiment{{Name: "test/cell", Plan: func(engine.Scale) []engine.Cell { return []engine.Cell{cell} }}}
	got, err := engine.Run(context.Background(), all, engine.Options{Root: 1, Dir: t.TempDir(), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range got.Rows {
		if row.Law == law {
			return row.Verdict
		}
	}
	t.Fatalf("no row of law %s", law)
	return stats.Undecided
}

func wantVerdict(t *testing.T, cell engine.Cell, law string, want stats.Verdict) {
	t.Helper()
	if got := verdictOf(t, cell, law); got != want {
		t.Errorf("law %s: %v, want %v", law, got, want)
	}
}

func TestRowTailOfEqualCounts(t *testing.T) {
	// Ten keys seen once, four columns: binomial with p = 1/4.
	ones := []uint64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	for x := range 11 {
		want, choose := 0.0, 1.0
		for i := range 11 {
			if i > x {
				want += choose * math.Pow(0.25, float64(i)) * math.Pow(0.75, float64(10-i))
			}
			choose *= float64(10-i) / float64(i+1)
		}
		if got := rowTail(ones, 4, x); math.Abs(got-want) > 1e-12 {
			t.Errorf("P(more than %d) = %v, want %v", x, got, want)
		}
	}
	// One key of weight 5 in two columns: over by 5 or not at all.
	if got := rowTail([]uint64{5}, 2, 4); got != 0.5 {
		t.Errorf("P(5 > 4) = %v, want 1/2", got)
	}
}

func TestStrangerLossOfOneStranger(t *testing.T) {
	// A single stranger loses a key where it meets exactly one: L e^-L, L the mean
	// number of keys with its tag and buckets.
	shape := cuckooShape{1 << 12, 4, 8}
	n := 14000
	mean := 2 * float64(n) / float64(shape.buckets) / 255
	if got, want := strangerLoss(shape, n, 1), mean*math.Exp(-mean); math.Abs(got/want-1) > 1e-5 {
		t.Errorf("%v, want %v", got, want)
	}
	// That is under the false-positive rate 1 - e^-L, by the meetings with two.
	if fpr := cuckoo.FPR(8, 4, float64(n)/float64(shape.slots())); strangerLoss(shape, n, n) >= fpr {
		t.Errorf("more are lost than are found, %v", fpr)
	}
}

func TestPrintedCuckooOnTrial(t *testing.T) {
	wantVerdict(t, printedAlternateCell(cuckooShape{1024, 4, 8}), noWayBack.Law, stats.Holds)
	wantVerdict(t, printedAlternateCell(cuckooShape{1000, 4, 8}), noWayBack.Law, stats.Broken)
	wantVerdict(t, churnCell(printedCuckooKind, cuckooShape{100, 4, 8}), churned.Law, stats.Broken)
	wantVerdict(t, churnCell(nativeCuckoo, cuckooShape{100, 4, 8}), churned.Law, stats.Holds)
	refusal := firstRefusalCell(printedCuckooKind, cuckooShape{100, 4, 16})
	refusal.Trials = 32 // the load is another matter
	wantVerdict(t, refusal, keptKeys.Law, stats.Broken)
}

func TestPrintedCuckooFindsWhatItTook(t *testing.T) {
	f, keys := newPrintedCuckoo(cuckooShape{1 << 8, 4, 16}, 1), keys(2)
	const n = 900 // of 1024 slots: no refusal
	if got, err := fillCuckoo(f, keys, n); got != n || err != nil {
		t.Fatalf("%d keys, %v", got, err)
	}
	if found := keys.foundIn(f, 0, n); found != n || f.Len() != n {
		t.Errorf("%d of %d keys found, Len %d", found, n, f.Len())
	}
	for i := range n {
		if err := f.Remove(keys.at(i)); err != nil {
			t.Fatal(err)
		}
	}
	if f.Len() != 0 {
		t.Errorf("%d left", f.Len())
	}
}

// aBitMore is a sketch that reads a half per cent too high: a sixth of a standard
// error with 1024 registers.
type aBitMore struct{ *hll.Sketch }

func (s aBitMore) Estimate() float64 { return s.Sketch.Estimate() * 1.005 }

func TestBiasIsSeen(t *testing.T) {
	good := native(hll.Ertl)
	wantVerdict(t, smallRangeCell(good, 10, 1024), "hll.unbiased", stats.Holds)
	bad := good
	bad.subject.Build = func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		s, err := good.subject.Build(spec)
		return aBitMore{s.(*hll.Sketch)}, err
	}
	wantVerdict(t, smallRangeCell(bad, 10, 1024), "hll.unbiased", stats.Broken)
}

// forgetful is a frequency sketch that drops one addition in a thousand.
type forgetful struct {
	sketchproof.Frequency
	added *int
}

func (f forgetful) Add(key, weight uint64) {
	if *f.added++; *f.added%1000 != 0 {
		f.Frequency.Add(key, weight)
	}
}

func TestUndercountIsSeen(t *testing.T) {
	stream := newZipfStream(20000, 5000, 1)
	good := plainFrequencies()[0]
	bad := good
	bad.Build = func(spec sketchproof.FrequencySpec) (sketchproof.Frequency, error) {
		f, err := good.Build(spec)
		return forgetful{f, new(int)}, err
	}
	for subject, want := range map[*adapters.Frequency]stats.Verdict{&good: stats.Holds, &bad: stats.Broken} {
		wantVerdict(t, neverUnderCell(*subject, cmsTable{2719, 7}, stream), underTruth.Law, want)
		wantVerdict(t, widthOneCell(*subject, 2, newZipfStream(5000, 100, 1)), notTotal.Law, want)
	}
}

func TestRowsAlikeAreSeen(t *testing.T) {
	// Rows that are copies of one another fail together: a single row passes for
	// three.
	good := plainFrequencies()[0]
	bad := good
	bad.Build = func(spec sketchproof.FrequencySpec) (sketchproof.Frequency, error) {
		spec.Depth = 1
		return good.Build(spec)
	}
	wantVerdict(t, rowTailCell(good, cmsTable{55, 3}), rowsFail.Law, stats.Holds)
	wantVerdict(t, rowTailCell(bad, cmsTable{55, 3}), rowsFail.Law, stats.Broken)
}
