package minhash_test

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/minhash"
)

func Example() {
	p := minhash.Params{K: 1024, Hash: hashing.XX(1)}
	monday, err := minhash.New(p)
	if err != nil {
		panic(err)
	}
	tuesday, _ := minhash.New(p)
	for key := range uint64(3000) {
		monday.Add(key)
		tuesday.Add(key + 1000)
	}
	j, err := monday.Similarity(tuesday) // 2000 of 4000 are in both
	fmt.Println("within three standard errors:", math.Abs(j-0.5) < 3*math.Sqrt(minhash.Variance(0.5, 1024)), err)
	// Output: within three standard errors: true <nil>
}

// One hash a key, and merged before empty bins are filled.
func ExampleOnePermutation_Merge() {
	p := minhash.Params{K: 64, Hash: hashing.XX(1)}
	monday, _ := minhash.NewOnePermutation(p)
	tuesday, _ := minhash.NewOnePermutation(p)
	both, _ := minhash.NewOnePermutation(p)
	for key := range uint64(20) {
		monday.Add(key)
		tuesday.Add(key + 10)
		both.Add(key)
		both.Add(key + 10)
	}
	fmt.Println(monday.Merge(tuesday), monday.Equal(both))
	// Output: <nil> true
}

func ExampleSignature_Compress() {
	s, _ := minhash.New(minhash.Params{K: 1024, Hash: hashing.XX(1)})
	s.AddBytes([]byte("a key"))
	c, err := s.Compress(2)
	if err != nil {
		panic(err)
	}
	fmt.Println(s.SizeBytes(), "bytes,", c.SizeBytes(), "compressed")
	fmt.Printf("variance at J = 0.8: %.2f times as much\n", minhash.BBitVariance(0.8, 1024, 2)/minhash.Variance(0.8, 1024))
	// Output:
	// 8192 bytes, 256 compressed
	// variance at J = 0.8: 1.42 times as much
}

// Small sets are told exactly.
func ExampleBottomK() {
	p := minhash.Params{K: 100, Hash: hashing.XX(1)}
	a, _ := minhash.NewBottomK(p)
	b, _ := minhash.NewBottomK(p)
	for key := range uint64(60) {
		a.Add(key)
		b.Add(key + 20)
	}
	fmt.Println(a.Similarity(b)) // 40 of 80
	// Output: 0.5 <nil>
}
