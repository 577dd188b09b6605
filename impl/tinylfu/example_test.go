package tinylfu_test

import (
	"fmt"
	"log"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/tinylfu"
)

// A key that comes once is no reason to drop one that comes often.
func Example() {
	s, err := tinylfu.New(tinylfu.Params{
		Width: 1000, Sample: 10000, // ten occurrences for each place of a cache of 1000
		DoorBits: 8192, DoorProbes: 3,
		Hash: hashing.XX(1),
	})
	if err != nil {
		log.Fatal(err)
	}
	for range 6 {
		s.AddBytes([]byte("/index"))
	}
	s.AddBytes([]byte("/once"))
	fmt.Println(s.EstimateBytes([]byte("/index")), s.EstimateBytes([]byte("/once")))
	fmt.Println(s.AdmitBytes([]byte("/once"), []byte("/index")))
	fmt.Println(s.SizeBytes(), "bytes")
	// Output:
	// 6 1
	// false
	// 3040 bytes
}
