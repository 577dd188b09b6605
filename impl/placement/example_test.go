package placement_test

import (
	"fmt"
	"log"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/placement"
)

// A fourth server takes over a part of the keys, and no other key moves.
func Example() {
	r, err := placement.NewRing(placement.RingParams{VirtualNodes: 100, Hash: hashing.XX(1)})
	if err != nil {
		log.Fatal(err)
	}
	for _, server := range []string{"A", "B", "C"} {
		if err := r.Add(server); err != nil {
			log.Fatal(err)
		}
	}
	before := make([]string, 1000)
	for key := range before {
		before[key], _ = r.Owner(uint64(key))
	}
	if err := r.Add("D"); err != nil {
		log.Fatal(err)
	}
	elsewhere := 0
	for key, old := range before {
		if now, _ := r.Owner(uint64(key)); now != old && now != "D" {
			elsewhere++
		}
	}
	fmt.Println(elsewhere, "keys moved between old servers")
	// Output: 0 keys moved between old servers
}
