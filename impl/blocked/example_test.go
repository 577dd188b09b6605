package blocked_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/blocked"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func Example() {
	f, err := blocked.ForRate(1000, 0.01, blocked.Line, hashing.XX3(1))
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
	fmt.Println(f.Blocks(), "lines,", f.K(), "bits a key")
	fmt.Println("7 may be in:", f.Contains(7))
	// Output:
	// 20 lines, 7 bits a key
	// 7 may be in: true
}

// What each kind of block costs at one rate.
func ExampleSize() {
	const n = 1_000_000
	for _, kind := range blocked.Kinds() {
		p, err := blocked.Size(n, 0.01, kind)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v: k=%d, %.2f bits per key\n", kind, p.K, float64(p.Blocks*kind.BlockBits())/n)
	}
	// Output:
	// line: k=6, 9.92 bits per key
	// sectors: k=8, 10.10 bits per key
	// word: k=5, 12.14 bits per key
}
