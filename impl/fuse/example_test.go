package fuse_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/fuse"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func Example() {
	keys := make([]uint64, 1_000_000)
	for i := range keys {
		keys[i] = uint64(i)
	}
	f, err := fuse.New[uint8](keys, fuse.Params{Hash: hashing.XX(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("7 may be in:", f.Contains(7))
	fmt.Printf("%.2f bits per key\n", 8*float64(f.SizeBytes())/float64(f.Len()))
	fmt.Printf("rate by the law: %.4f\n", fuse.FPR(f.FingerprintBits()))
	// Output:
	// 7 may be in: true
	// 9.04 bits per key
	// rate by the law: 0.0039
}

// A rate names a width, and a width is a type.
func ExampleBits() {
	bits, err := fuse.Bits(0.001)
	fmt.Println(bits, err)
	// Output:
	// 16 <nil>
}
