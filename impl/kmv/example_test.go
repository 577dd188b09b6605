package kmv_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/kmv"
)

func Example() {
	p := kmv.Params{K: 1024, Hash: hashing.XX(1)}
	s, err := kmv.New(p)
	if err != nil {
		panic(err)
	}
	for key := range uint64(1000) {
		s.Add(key)
		s.Add(key) // repeats change nothing
	}
	fmt.Println(s.Estimate())
	// Output: 1000
}

// Two sketches tell how many keys both sets have.
func ExampleCompare() {
	p := kmv.Params{K: 1024, Hash: hashing.XX(1)}
	monday, _ := kmv.New(p)
	tuesday, _ := kmv.New(p)
	for key := range uint64(60_000) {
		monday.Add(key)
		tuesday.Add(key + 40_000) // 20 000 in common, of 100 000
	}
	o, err := kmv.Compare(monday, tuesday)
	if err != nil {
		panic(err)
	}
	near := func(got, want, err float64) bool { return got > want-3*err && got < want+3*err }
	fmt.Println(near(o.Jaccard, 0.2, kmv.JaccardError(1024, 100_000, 0.2)))
	fmt.Println(near(o.Intersection/20_000, 1, kmv.IntersectionError(1024, 100_000, 0.2)))
	// Output:
	// true
	// true
}
