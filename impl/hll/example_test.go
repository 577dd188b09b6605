package hll_test

import (
	"fmt"
	"math"

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

// A small set is nearly exact in the sparse form, and small.
func ExampleSketch_Sparse() {
	s, err := hll.New(hll.Params{Precision: 14, Sparse: true, Hash: hashing.XX(1)})
	if err != nil {
		panic(err)
	}
	for _, n := range []uint64{100, 3000, 10000} {
		for key := range n {
			s.Add(key)
		}
		fmt.Printf("%d keys: sparse %v, off by %.1f %%, %d bytes\n",
			n, s.Sparse(), 100*math.Abs(s.Estimate()/float64(n)-1), s.SizeBytes())
	}
	// Output:
	// 100 keys: sparse true, off by 0.0 %, 1024 bytes
	// 3000 keys: sparse true, off by 0.0 %, 16384 bytes
	// 10000 keys: sparse false, off by 0.2 %, 16384 bytes
}

// A sketch with fewer registers is what the same keys would have made of it.
func ExampleSketch_Reduce() {
	p := hll.Params{Precision: 14, Hash: hashing.XX(1)}
	s, _ := hll.New(p)
	p.Precision = 10
	small, _ := hll.New(p)
	for key := range uint64(100_000) {
		s.Add(key)
		small.Add(key)
	}
	reduced, err := s.Reduce(10)
	fmt.Println(reduced.Equal(small), err)
	// Output: true <nil>
}

// A Martingale spreads by 0.83/sqrt(m) where a Sketch spreads by 1.04/sqrt(m).
func ExampleMartingale() {
	s, err := hll.NewMartingale(hll.Params{Precision: 14, Hash: hashing.XX(1)})
	if err != nil {
		panic(err)
	}
	for key := range uint64(100_000) {
		s.Add(key)
		s.Add(key) // repeats change nothing
	}
	e := 3 * hll.MartingaleError(s.M())
	fmt.Println("within three standard errors:", s.Estimate() > 100_000*(1-e) && s.Estimate() < 100_000*(1+e))
	// Output: within three standard errors: true
}
