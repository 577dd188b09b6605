package cuckoo_test

import (
	"errors"
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func Example() {
	p, err := cuckoo.Size(1000, 0.01, 4)
	if err != nil {
		panic(err)
	}
	p.Hash = hashing.XX(1)
	f, err := cuckoo.New(p)
	if err != nil {
		panic(err)
	}
	for key := range uint64(1000) {
		if err := f.Add(key); err != nil {
			panic(err)
		}
	}
	fmt.Println(f.Contains(7), f.Len(), f.FingerprintBits(), "bits a key")
	fmt.Println(f.Remove(7), f.Len())
	// Output:
	// true 1000 10 bits a key
	// <nil> 999
}

// A full filter refuses a key and keeps all that it has.
func ExampleFilter_Add() {
	f, err := cuckoo.New(cuckoo.Params{Buckets: 2, Slots: 4, FingerprintBits: 16, Hash: hashing.XX(1)})
	if err != nil {
		panic(err)
	}
	for key := range uint64(9) {
		if err := f.Add(key); errors.Is(err, sketchproof.ErrFull) {
			fmt.Println("key", key, "refused,", f.Len(), "held")
		}
	}
	fmt.Println(f.Contains(0), f.Contains(7))
	// Output:
	// key 8 refused, 8 held
	// true true
}

// Semi-sorted buckets take one bit less for each slot at the same rate.
func ExampleSizeSemiSorted() {
	plain, err := cuckoo.Size(100000, 0.001, 4)
	if err != nil {
		panic(err)
	}
	semi, err := cuckoo.SizeSemiSorted(100000, 0.001)
	if err != nil {
		panic(err)
	}
	for _, p := range []cuckoo.Params{plain, semi} {
		p.Hash = hashing.XX(1)
		f, err := cuckoo.New(p)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%.1f bits per key\n", 8*float64(f.SizeBytes())/100000)
	}
	// Output:
	// 13.9 bits per key
	// 12.8 bits per key
}

func ExampleFPR() {
	fmt.Printf("%.4f %%\n", 100*cuckoo.FPR(12, 4, 0.95))
	// Output: 0.1854 %
}
