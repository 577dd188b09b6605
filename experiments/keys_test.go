package experiments

import (
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
)

// TestBatchesAreTheSameTrial: whatever takes keys in batches gives the count that it
// gives one by one. The numbers are no multiples of a block.
func TestBatchesAreTheSameTrial(t *testing.T) {
	const added, asked = keyBlock + 77, 20 * keyBlock
	type (
		oneFilter struct{ sketchproof.Filter }
		oneAdder  struct{ sketchproof.Adder }
	)
	batches := 0
	for _, subject := range adapters.Filters {
		build := func() sketchproof.Filter {
			f, err := subject.Build(sketchproof.FilterSpec{Capacity: added, Epsilon: 0.05, Seed: 3})
			if err != nil {
				return nil // it is built from its keys
			}
			return f
		}
		batched, single := build(), build()
		a, ok := batched.(sketchproof.Adder)
		if !ok {
			continue
		}
		if _, ok := batched.(sketchproof.BatchFilter); ok {
			batches++
		}
		if err := keys(5).addTo(a, 3, 3+added); err != nil {
			t.Fatal(err)
		}
		if err := keys(5).addTo(oneAdder{single.(sketchproof.Adder)}, 3, 3+added); err != nil {
			t.Fatal(err)
		}
		if got := keys(5).foundIn(batched, 3, 3+added); got != added {
			t.Errorf("%s: %d of %d added keys found", subject.Name, got, added)
		}
		got, want := keys(5).foundIn(batched, 3+added, asked), keys(5).foundIn(oneFilter{single}, 3+added, asked)
		if got != want {
			t.Errorf("%s: %d found, %d one by one", subject.Name, got, want)
		}
	}
	if batches == 0 {
		t.Error("nothing takes batches")
	}
}
