package bloom_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func Example() {
	f, err := bloom.ForRate(1000, 0.01, bloom.Exact, hashing.XX(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	for key := range uint64(1000) {
		if err := f.Add(key); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(f.M(), "bits,", f.K(), "probes")
	fmt.Println("7 may be in:", f.Contains(7))
	fmt.Printf("rate by the law: %.4f\n", bloom.FPRExact(f.M(), f.K(), 1000))
	// Output:
	// 9595 bits, 7 probes
	// 7 may be in: true
	// rate by the law: 0.0100
}

// A filter for one key at 1 % by the classic formula is far from its promise.
func ExampleSize() {
	for _, rule := range bloom.Roundings() {
		m, k, err := bloom.Size(1, 0.01, rule)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v: m=%d k=%d rate %.4f\n", rule, m, k, bloom.FPRExact(m, k, 1))
	}
	// Output:
	// exact: m=11 k=6 rate 0.0098
	// nearest: m=10 k=7 rate 0.0175
	// floor: m=9 k=6 rate 0.0255
	// ceil: m=10 k=7 rate 0.0175
}
