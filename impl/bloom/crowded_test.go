package bloom

import (
	"math"
	"testing"
)

// A filter of more keys than there are bits finds everything, and the laws of blocks
// say so without a walk over all the numbers of keys that a block may have.
func TestLawsOfCrowdedBlocks(t *testing.T) {
	for _, n := range []uint64{1 << 30, 1 << 62, math.MaxUint64} {
		if r := FPRBlocked(1024, 8, n, 512); math.Abs(r-1) > 1e-11 {
			t.Errorf("%d keys in blocks: %v", n, r)
		}
		if r := FPRSplitBlock(1024, n); math.Abs(r-1) > 1e-11 {
			t.Errorf("%d keys in split blocks: %v", n, r)
		}
	}
}
