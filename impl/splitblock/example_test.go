package splitblock_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/splitblock"
)

func Example() {
	f, err := splitblock.ForRate(1000, 0.01, hashing.XX3(1))
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
	fmt.Println(f.Blocks(), "blocks,", f.SizeBytes(), "bytes")
	fmt.Println("7 may be in:", f.Contains(7))
	fmt.Printf("rate by the law: %.4f\n", splitblock.FPR(f.Blocks(), 1000))
	// Output:
	// 42 blocks, 1344 bytes
	// 7 may be in: true
	// rate by the law: 0.0090
}

// The bloom filter of a column chunk as it stands in a Parquet file.
func ExampleReadParquet() {
	file := []byte{
		21, 64, 28, 28, 0, 0, 28, 28, 0, 0, 28, 28, 0, 0, 0,
		200, 1, 80, 20, 64, 68, 8, 109, 6, 37, 4, 67, 144, 80, 96, 32,
		8, 132, 43, 33, 0, 5, 99, 65, 2, 0, 224, 44, 64, 78, 96, 4,
	}
	f, n, err := splitblock.ReadParquet(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n, "bytes,", f.Blocks(), "block")
	fmt.Println("a3 may be in:", f.ContainsBytes([]byte("a3")))
	fmt.Println("b3 may be in:", f.ContainsBytes([]byte("b3")))
	// Output:
	// 47 bytes, 1 block
	// a3 may be in: true
	// b3 may be in: false
}
