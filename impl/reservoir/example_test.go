package reservoir_test

import (
	"fmt"
	"log"

	"github.com/sketchproof/sketchproof/impl/reservoir"
)

func Example() {
	r, err := reservoir.New[string](2, 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, word := range []string{"ant", "bee", "cat", "dog", "emu"} {
		r.Add(word)
	}
	fmt.Println(len(r.Sample()), "of", r.Seen())
	fmt.Println(reservoir.Inclusion(2, 5), "is the chance of each")
	// Output:
	// 2 of 5
	// 0.4 is the chance of each
}
