package topk_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/topk"
)

// Three counters find the keys that are more than a third of the stream, and
// say by how much each may be over.
func Example() {
	s, err := topk.NewSpaceSaving(topk.Params{K: 3, Hash: hashing.XX(1)})
	if err != nil {
		log.Fatal(err)
	}
	for _, key := range []uint64{7, 7, 1, 7, 2, 7, 3, 9, 7, 9} {
		s.Add(key, 1)
	}
	for _, h := range s.Top(2) {
		fmt.Printf("key %d: from %d to %d of %d\n", h.Key, h.Count-h.Over, h.Count, s.Total())
	}
	// Output:
	// key 7: from 5 to 5 of 10
	// key 9: from 2 to 3 of 10
}

// The texts of byte strings are kept beside, and those without a counter
// forgotten once there are twice as many as counters.
func ExampleSpaceSaving_Key() {
	s, err := topk.NewSpaceSaving(topk.Params{K: 5, Hash: hashing.XX(1)})
	if err != nil {
		log.Fatal(err)
	}
	texts := map[uint64]string{}
	for _, word := range strings.Fields("a rose is a rose is a rose and a thorn is none") {
		key := s.Key([]byte(word))
		s.Add(key, 1)
		texts[key] = word
		if len(texts) > 2*s.K() {
			for key := range texts {
				if !s.Held(key) {
					delete(texts, key)
				}
			}
		}
	}
	for _, h := range s.Top(3) {
		fmt.Println(texts[h.Key], h.Count)
	}
	// Output:
	// a 4
	// is 3
	// rose 3
}

// Two machines list the heavy keys of their own streams; merged, the bounds are
// those of both streams together.
func ExampleMisraGries_Merge() {
	p := topk.Params{K: 2, Hash: hashing.XX(1)}
	here, err := topk.NewMisraGries(p)
	if err != nil {
		log.Fatal(err)
	}
	there := here.Clone()
	here.Add(1, 10)
	here.Add(2, 4)
	there.Add(1, 20)
	there.Add(3, 5)
	if err := here.Merge(there); err != nil {
		log.Fatal(err)
	}
	h := here.Count(1)
	fmt.Printf("from %d to %d of %d\n", h.Count-h.Over, h.Count, here.Total())
	// Output:
	// from 26 to 30 of 39
}
