package ribbon_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/ribbon"
)

func Example() {
	keys := make([]uint64, 100000)
	for i := range keys {
		keys[i] = uint64(i)
	}
	p, err := ribbon.Size(len(keys), 0.01, 64, ribbon.Homogeneous)
	if err != nil {
		panic(err)
	}
	p.Hash = hashing.XX(1)
	f, err := ribbon.New(keys, p)
	if err != nil {
		panic(err)
	}
	fmt.Println(f.Contains(7), f.Contains(1_000_000_007))
	// Any filter of that rate takes 6.64 bits a key, a Bloom filter 9.59.
	fmt.Printf("%.2f bits a key\n", 8*float64(f.SizeBytes())/float64(f.Len()))
	// Output:
	// true false
	// 7.38 bits a key
}

func ExampleFPR() {
	fmt.Printf("%.4f %.4f %.4f\n", ribbon.FPR(6), ribbon.FPR(6.5), ribbon.FPR(7))
	// Output: 0.0156 0.0117 0.0078
}
