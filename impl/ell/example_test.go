package ell_test

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/ell"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func Example() {
	p := ell.Standard(10, hashing.XX(1))
	monday, err := ell.New(p)
	if err != nil {
		panic(err)
	}
	tuesday, _ := ell.New(p)
	for key := range uint64(60_000) {
		monday.Add(key)
		tuesday.Add(key + 40_000)
	}
	fmt.Println(monday.Merge(tuesday))
	fmt.Println(monday.SizeBytes(), "bytes")
	fmt.Println("within three standard errors:",
		math.Abs(monday.Estimate()/100_000-1) < 3*ell.MLError(p.T, p.D, 1024, 100_000))
	// Output:
	// <nil>
	// 3584 bytes
	// within three standard errors: true
}

// What the paper prints, and what the chances of values make it.
func ExampleMemoryVariance() {
	fmt.Printf("%.2f printed, %.3f exact\n", ell.PrintedMemoryVariance(2, 20), ell.MemoryVariance(2, 20))
	fmt.Printf("%.2f printed, %.3f exact\n", ell.PrintedMartingaleMemoryVariance(2, 20), ell.MartingaleMemoryVariance(2, 20))
	// Output:
	// 3.67 printed, 3.697 exact
	// 2.83 printed, 2.840 exact
}
