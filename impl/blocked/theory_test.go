package blocked

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
// binomial differs by a part in the number of blocks.
func TestFPRGolden(t *testing.T) {
	near(t, "line", FPR(Line, 1_000_000/512, 7, 100_000), 0.009686048583528343, 2e-3)
	near(t, "word", FPR(Word, 1_000_000/64, 6, 100_000), 0.01876468188215633, 1e-3)
	// Published measurements of a 64-bit block with 8 probes at 10 bits a key are
	// 2.419 and 2.430 %; the textbook rate inside the block makes 2.146 %.
	near(t, "word, k=8", FPR(Word, 1<<20, 8, 1<<26/10), 0.02420, 1e-3)
}

func TestFPREdges(t *testing.T) {
	for _, kind := range Kinds() {
		if FPR(kind, 5, 8, 0) != 0 {
			t.Errorf("%v: an empty filter errs", kind)
		}
		near(t, "much too full", FPR(kind, 3, 8, 1_000_000), 1, 1e-12)
	}
	near(t, "one line is a Bloom filter", FPR(Line, 1, 7, 50), bloom.FPRExact(512, 7, 50), 1e-12)
	near(t, "one word is a Bloom filter", FPR(Word, 1, 4, 6), bloom.FPRExact(64, 4, 6), 1e-12)
	near(t, "eight sectors", FPRInBlock(Sectors, 8, 50), math.Pow(1-math.Pow(63.0/64, 50), 8), 1e-12)
	near(t, "two halves", FPRInBlock(Sectors, 2, 50), math.Pow(1-math.Pow(255.0/256, 50), 2), 1e-12)
	near(t, "two in each", FPRInBlock(Sectors, 16, 50), math.Pow(bloom.FPRExact(64, 2, 50), 8), 1e-12)
	if FPRInBlock(Sectors, 1, 50) != FPRInBlock(Line, 1, 50) {
		t.Error("one sector is the line")
	}
}

// Filters of every kind and of few blocks too err as the law says. The bands are five
// standard errors of the look-ups, and what single filters stray.
func TestFPRMeasured(t *testing.T) {
	for _, c := range []struct {
		kind              Kind
		blocks            uint64
		k                 int
		n, filters, tries uint64
	}{
		{Line, 1, 7, 60, 60, 20_000},
		{Line, 3, 7, 150, 60, 20_000},
		{Line, 500, 7, 25_600, 2, 200_000},
		{Line, 500, 10, 25_600, 2, 200_000},
		{Sectors, 2, 8, 120, 60, 20_000},
		{Sectors, 500, 1, 25_600, 2, 50_000},
		{Sectors, 500, 2, 25_600, 2, 50_000},
		{Sectors, 500, 4, 25_600, 2, 200_000},
		{Sectors, 500, 8, 25_600, 2, 200_000},
		{Sectors, 500, 16, 16_000, 2, 400_000},
		{Word, 1, 4, 8, 300, 2000},
		{Word, 4000, 4, 25_600, 2, 200_000},
		{Word, 4000, 8, 25_600, 2, 200_000},
		{Word, 4000, 11, 25_600, 2, 200_000},
	} {
		var found, tries float64
		for i := range c.filters {
			f := must(t, Params{Kind: c.kind, Blocks: c.blocks, K: c.k, Hash: hashing.XX(0)})
			_, _ = f.AddHashBatch(hashes(i<<32, c.n))
			found += float64(f.CountHashBatch(hashes(i<<32|1<<31, c.tries)))
			tries += float64(c.tries)
		}
		want := FPR(c.kind, c.blocks, c.k, c.n)
		t.Logf("%v %d blocks k=%d n=%d: %.5f, law %.5f", c.kind, c.blocks, c.k, c.n, found/tries, want)
		near(t, c.kind.String(), found/tries, want, 5/math.Sqrt(want*tries)+4/math.Sqrt(float64(c.n*c.filters)))
	}
}

// Size keeps its promise, a block less does not at any k, and no other k is better.
func TestSize(t *testing.T) {
	for _, kind := range Kinds() {
		for _, n := range []uint64{0, 1, 2, 10, 1000, 1_000_000, 1_000_000_000} {
			for _, eps := range []float64{0.5, 0.03, 0.001, 1e-5} {
				p, err := Size(n, eps, kind)
				if err != nil {
					t.Fatal(err)
				}
				keys := max(n, 1)
				got := FPR(kind, p.Blocks, p.K, keys)
				if got > eps {
					t.Errorf("%v n=%d eps=%v: %d blocks, k=%d have rate %v", kind, n, eps, p.Blocks, p.K, got)
				}
				for _, k := range kind.Probes() {
					if k > mostProbes(eps) {
						continue
					}
					if p.Blocks > 1 && FPR(kind, p.Blocks-1, k, keys) <= eps {
						t.Errorf("%v n=%d eps=%v: %d blocks would do with k=%d", kind, n, eps, p.Blocks-1, k)
					}
					if k != p.K && FPR(kind, p.Blocks, k, keys) < got {
						t.Errorf("%v n=%d eps=%v: k=%d is better than %d", kind, n, eps, k, p.K)
					}
				}
			}
		}
	}
}
