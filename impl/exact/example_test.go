package exact_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/exact"
)

func Example() {
	keys := []uint64{3, 1, 3}
	set := exact.NewSorted(keys)
	fmt.Println(set.Contains(1), set.Contains(2), set.SizeBytes(), "bytes")

	counts := exact.NewCounter()
	for _, key := range keys {
		counts.Add(key, 1)
	}
	fmt.Println(counts.Count(3), counts.Count(2))
	// Output:
	// true false 16 bytes
	// 2 0
}
