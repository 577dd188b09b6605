package countmin_test

import (
	"fmt"
	"log"

	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// At most one estimate in a hundred may be above the truth by more than a
// twentieth of the stream.
func Example() {
	w, d, err := countmin.Size(0.05, 0.01)
	if err != nil {
		log.Fatal(err)
	}
	sketch, err := countmin.New(countmin.Params{Width: w, Depth: d, Hash: hashing.XX(1)})
	if err != nil {
		log.Fatal(err)
	}
	sketch.AddBytes([]byte("apple"), 3)
	sketch.AddBytes([]byte("pear"), 1)
	sketch.AddBytes([]byte("apple"), 2)
	fmt.Printf("%d rows of %d counters, %d bytes\n", sketch.Depth(), sketch.Width(), sketch.SizeBytes())
	fmt.Println("apple", sketch.CountBytes([]byte("apple")), "of", sketch.Total())
	fmt.Println("plum", sketch.CountBytes([]byte("plum")))
	// Output:
	// 5 rows of 55 counters, 2200 bytes
	// apple 5 of 6
	// plum 0
}

// Two machines count apart; the merged table is that of the joined stream.
func ExampleSketch_Merge() {
	p := countmin.Params{Width: 100, Depth: 4, Hash: hashing.XX(1)}
	here, err := countmin.New(p)
	if err != nil {
		log.Fatal(err)
	}
	there := here.Clone()
	here.Add(42, 10)
	there.Add(42, 5)
	if err := here.Merge(there); err != nil {
		log.Fatal(err)
	}
	fmt.Println(here.Count(42))
	// Output: 15
}
