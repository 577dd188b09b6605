package rotating_test

import (
	"fmt"
	"log"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/rotating"
)

func Example() {
	f, err := rotating.ForRate(1000, 0.001, hashing.XX(1)) // the latest 1000 keys
	if err != nil {
		log.Fatal(err)
	}
	for key := range uint64(100_000) {
		if err := f.Add(key); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("seen lately:", f.Contains(99_999), f.Contains(99_500), f.Contains(7))
	fmt.Println("the rate is below 0.1 %:", f.RateEstimate() < 0.001)
	// Output:
	// seen lately: true true false
	// the rate is below 0.1 %: true
}
