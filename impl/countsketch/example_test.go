package countsketch_test

import (
	"fmt"
	"log"

	"github.com/sketchproof/sketchproof/impl/countsketch"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// What changed from one day to the next is in the difference of two tables.
func Example() {
	w, d, err := countsketch.Size(0.05, 0.01)
	if err != nil {
		log.Fatal(err)
	}
	today, err := countsketch.New(countsketch.Params{Width: w, Depth: d, Hash: hashing.XX(1)})
	if err != nil {
		log.Fatal(err)
	}
	yesterday := today.Clone()
	yesterday.AddBytes([]byte("apple"), 30)
	yesterday.AddBytes([]byte("pear"), 20)
	today.AddBytes([]byte("apple"), 10)
	today.AddBytes([]byte("pear"), 25)
	if err := today.Subtract(yesterday); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d rows of %d\n", d, w)
	fmt.Println("apple", today.CountBytes([]byte("apple")))
	fmt.Println("pear", today.CountBytes([]byte("pear")))
	// Output:
	// 19 rows of 1600
	// apple -20
	// pear 5
}
