package hll_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/hll"
)

func Example() {
	s, err := hll.New(hll.Params{Precision: 14, Hash: hashing.XX(1)})
	if err != nil {
		panic(err)
	}
	for key := range uint64(100_000) {
		s.Add(key)
		s.Add(key) // repeats change nothing
	}
	fmt.Println("within three standard errors:",
		s.Estimate() > 100_000*(1-3*hll.StandardError(s.M())) &&
			s.Estimate() < 100_000*(1+3*hll.StandardError(s.M())))
	fmt.Println(s.SizeBytes(), "bytes")
	// Output:
	// within three standard errors: true
	// 16384 bytes
}

// Two sketches merge into the sketch of all keys that either has seen.
func ExampleSketch_Merge() {
	p := hll.Params{Precision: 10, Registers: hll.Packed6, Hash: hashing.XX(1)}
	monday, _ := hll.New(p)
	tuesday, _ := hll.New(p)
	both, _ := hll.New(p)
	for key := range uint64(3000) {
		monday.Add(key)
		tuesday.Add(key + 2000)
		both.Add(key)
		both.Add(key + 2000)
	}
	fmt.Println(monday.Merge(tuesday), monday.Equal(both))
	// Output: <nil> true
}

func ExampleStandardError() {
	for _, p := range []int{10, 14, 16} {
		fmt.Printf("%.2f %%\n", 100*hll.StandardError(1<<p))
	}
	// Output:
	// 3.25 %
	// 0.81 %
	// 0.41 %
}
