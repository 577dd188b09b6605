package exact

import (
	"cmp"
	"slices"

	"github.com/sketchproof/sketchproof"
)

var _ sketchproof.TopK = (*Counter)(nil)

// Top lists at most n numbers with their exact weights, the heaviest first; of
// equal ones, the smaller key. Byte strings are not among them.
func (c *Counter) Top(n int) []sketchproof.Heavy {
	list := make([]sketchproof.Heavy, 0, len(c.numbers))
	for key, weight := range c.numbers {
		list = append(list, sketchproof.Heavy{Key: key, Count: weight})
	}
	slices.SortFunc(list, func(a, b sketchproof.Heavy) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
	})
	return list[:min(max(n, 0), len(list))]
}
