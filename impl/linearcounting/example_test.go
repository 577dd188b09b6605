package linearcounting_test

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/linearcounting"
)

func Example() {
	bits, err := linearcounting.BitsFor(100_000, 0.01)
	if err != nil {
		panic(err)
	}
	s, err := linearcounting.New(linearcounting.Params{Bits: bits, Hash: hashing.XX(1)})
	if err != nil {
		panic(err)
	}
	for key := range uint64(100_000) {
		s.Add(key)
		s.Add(key) // repeats change nothing
	}
	fmt.Println(s.SizeBytes(), "bytes")
	fmt.Println("within three standard errors:", math.Abs(s.Estimate()/100_000-1) < 0.03)
	// Output:
	// 3344 bytes
	// within three standard errors: true
}
