package splitblock

import (
	"math"
	"testing"
)

// A filter of more keys than there are bits finds everything, and its law says so
// without a walk over all the numbers of keys that a block may have.
func TestLawOfCrowdedFilters(t *testing.T) {
	for _, n := range []uint64{1 << 40, 1 << 62, math.MaxUint64} {
		for _, blocks := range []uint64{2, 1 << 20} {
			if r := FPR(blocks, n); math.Abs(r-1) > 1e-15 {
				t.Errorf("%d keys in %d blocks: %v", n, blocks, r)
			}
		}
	}
	// The shortcut begins where the mean over blocks is 1 already.
	for mean := uint64(3000); mean < 8000; mean += 100 {
		if r := FPR(1000, 1000*mean); math.Abs(r-1) > 1e-14 {
			t.Errorf("%d keys a block: %v", mean, r)
		}
	}
}
