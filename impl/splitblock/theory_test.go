package splitblock

import (
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got/want-1) <= tolerance) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Reference values of the Poisson mixture, computed apart with 60 digits; the
// binomial differs by a part in the number of blocks, the collisions of 32 bits add
// less.
func TestFPRGolden(t *testing.T) {
	near(t, "10 bits per key", FPR(1_000_000/256, 100_000), 0.012648451535639106, 1e-3)
	near(t, "16 bits per key", FPR(1_600_000/256, 100_000), 0.0013155734028506452, 1e-3)
}

// The printed figures of the split block filter: Parquet format, 5, 10 and 20 bits
// per key.
func TestFPRPrinted(t *testing.T) {
	for c, want := range map[uint64]float64{5: 0.179, 10: 0.01265, 20: 0.00042} {
		const blocks = 1 << 20
		near(t, "printed", FPR(blocks, blocks*256/c), want, 0.005)
		near(t, "mixture", FPR(blocks, blocks*256/c), bloom.FPRSplitBlock(blocks*256, blocks*256/c), 1e-4)
	}
}

func TestFPREdges(t *testing.T) {
	if FPR(5, 0) != 0 {
		t.Error("an empty filter errs")
	}
	near(t, "one key, one block", FPR(1, 1), math.Pow(1.0/32, 8), 1e-3+math.Pow(32, 8)*0x1p-32)
	near(t, "ten keys, one block", FPR(1, 10), math.Pow(1-math.Pow(31.0/32, 10), 8), 1e-3)
	near(t, "much too full", FPR(3, 100_000), 1, 1e-12)
	for _, blocks := range []uint64{0, MaxBlocks + 1} {
		if !math.IsNaN(FPR(blocks, 1)) {
			t.Errorf("%d blocks have a rate", blocks)
		}
	}
	// 2^30 blocks by 32 bits: all alike. Half as many again: by twos and by threes.
	even, uneven := FPR(1<<30, 24<<30), FPR(3<<29, 36<<30)
	if !(uneven > 1.02*even && uneven < 1.5*even) {
		t.Errorf("blocks of unlike weight: %v, alike %v", uneven, even)
	}
	// What the doc comment says about great sizes, at a block number just past the
	// worst.
	for blocks, most := range map[uint64]float64{1<<26 - 1<<20: 1.001, 3 << 28: 1.16} {
		n := blocks * 256 / 11
		if ratio := FPR(blocks, n) / bloom.FPRSplitBlock(blocks*256, n); !(ratio < most) {
			t.Errorf("%d blocks: %v times the even rate", blocks, ratio)
		}
	}
}

// Filters of all sizes err as the law says. The bands are five standard errors of
// the look-ups, and what single filters of few blocks stray.
func TestFPRMeasured(t *testing.T) {
	for _, c := range []struct{ blocks, n, filters uint64 }{
		{1, 20, 200}, {2, 40, 100}, {7, 150, 50}, {1000, 25600, 2}, {1000, 51200, 1}, {1000, 12800, 5},
	} {
		var found, tries float64
		const probes = 50_000
		for i := range c.filters {
			f := must(t, Params{Blocks: c.blocks, Hash: hashing.XX(0)})
			_, _ = f.AddHashBatch(hashes(i<<32, c.n))
			found += float64(f.CountHashBatch(hashes(i<<32|1<<31, probes)))
			tries += probes
		}
		want := FPR(c.blocks, c.n)
		near(t, "rate", found/tries, want, 5/math.Sqrt(want*tries)+2/math.Sqrt(float64(c.n*c.filters)))
	}
}

func TestRateEstimate(t *testing.T) {
	f := must(t, Params{Blocks: 2, Hash: hashing.XX(0)})
	for lane := range f.blocks[1] {
		f.blocks[1][lane] = 0xffff
	}
	near(t, "estimate", f.RateEstimate(), 0.5/256, 1e-12)
}

// Size keeps its promise, and a block less does not.
func TestSize(t *testing.T) {
	for _, n := range []uint64{0, 1, 2, 10, 100, 1000, 12345, 1_000_000, 100_000_000} {
		for _, eps := range []float64{0.5, 0.1, 0.01, 0.001, 1e-4, 1e-6, MinRate} {
			blocks, err := Size(n, eps)
			if err != nil {
				t.Fatal(err)
			}
			keys := max(n, 1)
			if got := FPR(blocks, keys); got > eps {
				t.Errorf("n=%d eps=%v: %d blocks have rate %v", n, eps, blocks, got)
			}
			if blocks > 1 && FPR(blocks-1, keys) <= eps && blocks < 1<<21 {
				t.Errorf("n=%d eps=%v: %d blocks would do", n, eps, blocks-1)
			}
		}
	}
}

// The specification's formula is too small by what has been published (parquet-
// format, issue 547).
func TestSizeSpecified(t *testing.T) {
	for eps, times := range map[float64]float64{0.1: 1.13, 0.01: 1.46, 0.001: 2.08, 1e-4: 3.22} {
		blocks, err := SizeSpecified(1_000_000, eps)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "times the wanted rate", FPR(blocks, 1_000_000)/eps, times, 0.005)
	}
}
