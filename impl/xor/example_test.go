package xor_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/xor"
)

func Example() {
	keys := make([]uint64, 1_000_000)
	for i := range keys {
		keys[i] = uint64(i)
	}
	f, err := xor.New[uint8](keys, xor.Params{Hash: hashing.XX(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("7 may be in:", f.Contains(7))
	fmt.Printf("%.2f bits per key\n", 8*float64(f.SizeBytes())/float64(f.Len()))
	fmt.Printf("rate by the law: %.4f\n", xor.FPR(f.FingerprintBits()))
	// Output:
	// 7 may be in: true
	// 9.84 bits per key
	// rate by the law: 0.0039
}

// A rate names a width, and a width is a type.
func ExampleBits() {
	bits, err := xor.Bits(0.001)
	fmt.Println(bits, err)
	// Output:
	// 16 <nil>
}
