package experiments

import (
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/stats"
)

func TestPrintedRanksOnTrial(t *testing.T) {
	for _, c := range []struct {
		counter counter
		want    stats.Verdict
	}{
		{printedCounter("masked", maskedRank, true), stats.Holds},
		{printedCounter("zeros-alone", zerosAlone, true), stats.Broken},
		{printedCounter("shifted", shiftedRank, false), stats.Broken},
	} {
		cell := spreadCell(c.counter, 8, 64)
		cell.Trials = 16384
		wantVerdict(t, cell, "hll.unbiased", c.want)
	}
}

func TestShiftedRankNeedsZeros(t *testing.T) {
	// One one after the index and p zeros: the first rank above 0.
	const p = 4
	if got := shiftedRank(1<<(63-p-p), p); got != 1 {
		t.Errorf("rank %d, want 1", got)
	}
	if got := maskedRank(1<<(63-p-p), p); got != p+1 {
		t.Errorf("rank %d, want %d", got, p+1)
	}
}

func TestLongestRunOfOneKey(t *testing.T) {
	// A geometric variable from 0: mean 1, variance 2, and 2^R more than twice 1
	// unless it is 0 or 1.
	l := longestRunOf(1)
	if math.Abs(l.mean-1) > 1e-12 || math.Abs(l.variance-2) > 1e-12 || math.Abs(l.beyond-0.25) > 1e-12 {
		t.Errorf("%+v", l)
	}
}

func TestRegistersAreNoSparseForm(t *testing.T) {
	wantVerdict(t, sparseCell(cardinality("hll-sparse"), 14, 1000), notExact.Law, stats.Holds)
	wantVerdict(t, sparseCell(cardinality("hll"), 14, 1000), notExact.Law, stats.Broken)
	wantVerdict(t, sparseCell(cardinality("hll"), 14, 1000), sparseBytes.Law, stats.Broken)
}
