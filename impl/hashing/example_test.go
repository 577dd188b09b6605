package hashing_test

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A seed is for input that nobody forges: anybody can find keys that collide under
// one that is known. A secret key is for input that somebody may forge.
func Example() {
	seeded := hashing.XX3(42)
	keyed := hashing.Keyed([16]byte{1, 2, 3}) // 16 secret bytes, of crypto/rand

	fmt.Println(seeded, "and", keyed)
	fmt.Println(seeded == hashing.XX3(42), seeded == hashing.XX3(43))
	fmt.Println(hashing.Hasher{}.Check())
	// Output:
	// xxh3 seed 42 and siphash-2-4
	// true false
	// hashing: unknown hash family: Hash is the zero Hasher: XX3(seed) is a function, and Keyed(key) one for keys that may be forged
}
