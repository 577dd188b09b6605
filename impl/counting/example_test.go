package counting_test

import (
	"fmt"
	"log"

	"github.com/sketchproof/sketchproof/impl/counting"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func Example() {
	f, err := counting.New(counting.Params{Cells: 1000, Hashes: 5, CellBits: 4, Hash: hashing.XX(1)})
	if err != nil {
		log.Fatal(err)
	}
	for _, word := range []string{"cat", "dog"} {
		if err := f.AddBytes([]byte(word)); err != nil {
			log.Fatal(err)
		}
	}
	if err := f.RemoveBytes([]byte("cat")); err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsBytes([]byte("cat")), f.ContainsBytes([]byte("dog")))
	fmt.Println(f.RemoveBytes([]byte("cat")))
	// Output:
	// false true
	// sketchproof: key not found
}
