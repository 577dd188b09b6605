package experiments

import "testing"

// The k of each kind is the best one: the rate falls up to it and rises from it on.
func TestBlockedKIsBest(t *testing.T) {
	const n = 12800
	for _, kind := range blockKinds {
		for c, k := range kind.bestK {
			blocks := kind.blocks(c, n)
			if rate := kind.law(blocks, k, n); rate > kind.law(blocks, k-1, n) || rate > kind.law(blocks, k+1, n) {
				t.Errorf("%s, %d bits per key: k = %d is not best", kind.name, c, k)
			}
		}
	}
}
