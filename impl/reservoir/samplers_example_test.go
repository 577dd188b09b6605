package reservoir_test

import (
	"fmt"
	"log"

	"github.com/sketchproof/sketchproof/impl/reservoir"
)

// Two shards sample apart, and one fair sample of both is made of theirs.
func ExampleCombine() {
	var parts []reservoir.Part[int]
	for shard, items := range []int{1000, 10} {
		l, err := reservoir.NewL[int](5, uint64(shard))
		if err != nil {
			log.Fatal(err)
		}
		for i := range items {
			l.Add(1000*shard + i)
		}
		parts = append(parts, reservoir.Part[int]{Sample: l.Sample(), Seen: l.Seen()})
	}
	all, err := reservoir.Combine(5, 1, parts...)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all.Sample), "of", all.Seen)
	// Output: 5 of 1010
}

// Passing over what will not get in makes a long stream short.
func ExampleL_Skip() {
	l, err := reservoir.NewL[uint64](10, 1)
	if err != nil {
		log.Fatal(err)
	}
	const n = 1_000_000
	looked := 0
	for l.Seen() < n {
		if err := l.Skip(min(l.Skippable(), n-l.Seen())); err != nil {
			log.Fatal(err)
		}
		if l.Seen() < n {
			l.Add(l.Seen())
			looked++
		}
	}
	fmt.Println(l.Seen(), "items,", looked < 300, "that fewer than 300 were looked at")
	// Output: 1000000 items, true that fewer than 300 were looked at
}
