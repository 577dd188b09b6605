package infini_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/infini"
)

// A filter that starts with room for a thousand keys takes a hundred thousand,
// and still keeps its rate.
func Example() {
	f, err := infini.ForRate(1000, 0.01, hashing.XX(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	for key := range uint64(100_000) {
		if err := f.Add(key); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(f.Doublings(), "doublings, 7 is in:", f.Contains(7))
	fmt.Printf("rate by the law: %.4f, never above %.4f\n", infini.GrowthFPR(f.Params(), 100_000), infini.Bound(f.Params()))
	fmt.Println("removed:", f.Remove(7), f.Len(), "left")
	// Output:
	// 6 doublings, 7 is in: true
	// rate by the law: 0.0060, never above 0.0100
	// removed: <nil> 99999 left
}
