package ull_test

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/ull"
)

func Example() {
	p := ull.Params{Precision: 12, Hash: hashing.XX(1)}
	monday, err := ull.New(p)
	if err != nil {
		panic(err)
	}
	tuesday, _ := ull.New(p)
	for key := range uint64(60_000) {
		monday.Add(key)
		tuesday.Add(key + 40_000)
	}
	fmt.Println(monday.Merge(tuesday))
	fmt.Println(monday.SizeBytes(), "bytes")
	fmt.Println("within three standard errors:",
		math.Abs(monday.Estimate()/100_000-1) < 3*ull.MLError(4096, 100_000))
	// Output:
	// <nil>
	// 4096 bytes
	// within three standard errors: true
}

// A Martingale errs less, in one stream that is never merged.
func ExampleMartingale() {
	c, err := ull.NewMartingale(ull.Params{Precision: 12, Hash: hashing.XX(1)})
	if err != nil {
		panic(err)
	}
	for key := range uint64(100_000) {
		c.Add(key)
		c.Add(key) // repeats change nothing
	}
	fmt.Printf("%.2f %% against %.2f %%\n", 100*ull.MartingaleError(4096, 1e9), 100*ull.MLError(4096, 1e9))
	fmt.Println("within three standard errors:",
		math.Abs(c.Estimate()/100_000-1) < 3*ull.MartingaleError(4096, 100_000))
	// Output:
	// 1.03 % against 1.19 %
	// within three standard errors: true
}
