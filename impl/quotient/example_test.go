package quotient_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/quotient"
)

// Two filters, built apart, become one, which then doubles its table: no key is
// needed again.
func Example() {
	p, err := quotient.Size(1000, 0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Hash = hashing.XX(1)
	a, err := quotient.New(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	b := a.Clone()
	for key := range uint64(500) {
		if err := a.Add(key); err != nil {
			fmt.Println(err)
		}
		if err := b.Add(500 + key); err != nil {
			fmt.Println(err)
		}
	}
	if err := a.Merge(b); err != nil {
		fmt.Println(err)
	}
	fmt.Println(a.Slots(), "slots of", a.RemainderBits(), "bits,", a.Contains(7), a.Contains(507))
	if err := a.Grow(); err != nil {
		fmt.Println(err)
	}
	fmt.Println(a.Slots(), "slots of", a.RemainderBits(), "bits,", a.Contains(7), a.Contains(507))
	// Output:
	// 1053 slots of 7 bits, true true
	// 2106 slots of 6 bits, true true
}

// A counting filter is a multiset.
func ExampleCounting() {
	f, err := quotient.NewCounting(quotient.Params{Slots: 100, RemainderBits: 16, Hash: hashing.XX(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 1000 {
		if err := f.AddBytes([]byte("cat")); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(f.CountBytes([]byte("cat")), "cats in", f.Used(), "slots")
	if err := f.RemoveBytes([]byte("cat")); err != nil {
		fmt.Println(err)
	}
	fmt.Println("one less:", f.CountBytes([]byte("cat")))
	// Output:
	// 1000 cats in 3 slots
	// one less: 999
}
