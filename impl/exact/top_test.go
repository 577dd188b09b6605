package exact

import (
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof"
)

func TestTopIsInOrder(t *testing.T) {
	c := NewCounter()
	for key, weight := range map[uint64]uint64{1: 3, 2: 9, 3: 3, 4: 1, 5: 0} {
		c.Add(key, weight)
	}
	c.AddBytes([]byte("text"), 100)
	want := []sketchproof.Heavy{{Key: 2, Count: 9}, {Key: 1, Count: 3}, {Key: 3, Count: 3}, {Key: 4, Count: 1}}
	for n := -1; n < 7; n++ {
		if got := c.Top(n); !slices.Equal(got, want[:min(max(n, 0), 4)]) {
			t.Errorf("top %d: %v", n, got)
		}
	}
}
