package blocked

import (
	"math"
	"testing"
)

// A filter of more keys than there are bits finds everything, and its law says so
// without a walk over all the numbers of keys that a block may have.
func TestLawOfCrowdedFilters(t *testing.T) {
	for _, kind := range Kinds() {
		for _, n := range []uint64{1 << 40, 1 << 62, math.MaxUint64} {
			if r := FPR(kind, 1<<20, 8, n); r != 1 && n > 1<<40 || r < 1-1e-15 {
				t.Errorf("%v, %d keys: %v", kind, n, r)
			}
		}
		// The shortcut begins where the mean over blocks is 1 already.
		for mean := uint64(30000); mean < 40000; mean += 500 {
			if r := FPR(kind, 1000, 1, 1000*mean); math.Abs(r-1) > 1e-14 {
				t.Errorf("%v, %d keys a block: %v", kind, mean, r)
			}
		}
	}
}
