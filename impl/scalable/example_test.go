package scalable_test

import (
	"fmt"
	"log"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/scalable"
)

func Example() {
	f, err := scalable.New(scalable.Params{Capacity: 1000, Rate: 0.01, Hash: hashing.XX(1)})
	if err != nil {
		log.Fatal(err)
	}
	for key := range uint64(100_000) { // a hundred times as many
		if err := f.Add(key); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("7 may be in:", f.Contains(7))
	fmt.Println(len(f.Links()), "links")
	fmt.Println("the rate is below 1 %:", f.RateEstimate() < 0.01)
	// Output:
	// 7 may be in: true
	// 7 links
	// the rate is below 1 %: true
}
