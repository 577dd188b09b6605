package adapters

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	boom "github.com/tylertreat/BoomFilters"

	"github.com/sketchproof/sketchproof"
)

// boomTopKRows is the depth of the sketch, and twice K its width, as in
// countmin-heap.
const boomTopKRows = 4

var boomTopK = TopK{
	Name:   "boom-topk",
	Module: boomModule,
	Build: func(spec sketchproof.TopKSpec) (sketchproof.TopK, error) {
		if spec.K < 1 || spec.K > math.MaxInt32 {
			return nil, fmt.Errorf("adapters: boom-topk: %d counters; they must be 1 to %d", spec.K, math.MaxInt32)
		}
		// The library rounds e/ε and ln(1/δ) up.
		eps, delta := math.E/(float64(2*spec.K)-0.5), math.Exp(0.5-boomTopKRows)
		return &BoomTopK{boom.NewTopK(eps, delta, uint(spec.K)), spec.K}, nil
	},
	Laws: []sketchproof.Law[sketchproof.TopK, sketchproof.TopKSpec]{estimatedLaw},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Accuracy, Text: "relative accuracy is within a factor of epsilon with probability delta. It tracks the k-most frequent elements.", Where: "func NewTopK"},
	},
}

// BoomTopK is the TopK of github.com/tylertreat/BoomFilters: a heap beside a
// count-min sketch, FNV-1, no seed.
type BoomTopK struct {
	t *boom.TopK
	k int
}

// Add adds the key as often as it weighs: the library takes no weights.
func (b *BoomTopK) Add(key, weight uint64) {
	for range weight {
		b.t.Add(keyBytes(key))
	}
}

// Top lists the heaviest. The counts are those of a count-min sketch, which has no
// bound below.
func (b *BoomTopK) Top(n int) []sketchproof.Heavy {
	elements := b.t.Elements()
	list := make([]sketchproof.Heavy, len(elements))
	for i, e := range elements {
		list[i] = sketchproof.Heavy{Key: binary.LittleEndian.Uint64(e.Data), Count: e.Freq, Over: e.Freq}
	}
	slices.SortFunc(list, func(a, b sketchproof.Heavy) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
	})
	return list[:max(0, min(n, len(list)))]
}

// SizeBytes is eight bytes a counter, and a pointer, an element and a key of eight
// bytes for each that is kept.
func (b *BoomTopK) SizeBytes() int { return 8*2*b.k*boomTopKRows + b.k*(8+32+8) }
