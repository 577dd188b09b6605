package placement

import (
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Look-ups of numeric keys never seen before, on 100 nodes.
func BenchmarkOwner(b *testing.B) {
	const nodes = 100
	names := make([]string, nodes)
	for i := range names {
		names[i] = fmt.Sprintf("node-%03d.example.org", i)
	}
	hash := hashing.XX(1)
	jump, rendezvous := mustJump(b, names...), mustRendezvous(b, names...)
	bounded, err := NewBounded(BoundedParams{Epsilon: 0.25, VirtualNodes: 100, Hash: hash})
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range names {
		if err := bounded.Add(name); err != nil {
			b.Fatal(err)
		}
	}
	for key := range uint64(10000) {
		if _, err := bounded.Place(hashing.Mix(key)); err != nil {
			b.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		owner func(key uint64) (string, error)
	}{
		{"ring=100", mustNew(b, 100, hash, names...).Owner},
		{"jump", jump.Owner},
		{"rendezvous", rendezvous.Owner},
		{"maglev", mustMaglev(b, DefaultTable, names...).Owner},
		{"bounded-not-placed", bounded.Owner},
	} {
		b.Run(c.name, func(b *testing.B) {
			sum, key := 0, uint64(1)
			for b.Loop() {
				key += hashing.Gamma
				node, err := c.owner(key)
				if err != nil {
					b.Fatal(err)
				}
				sum += len(node)
			}
			if sum == 0 {
				b.Fatal("no owner has a name")
			}
		})
	}
}

func BenchmarkJumpHash(b *testing.B) {
	for _, n := range []int{10, 100, 10000} {
		b.Run(fmt.Sprint("n=", n), func(b *testing.B) {
			key, sum := uint64(1), 0
			for b.Loop() {
				key += hashing.Gamma
				sum += JumpHash(hashing.Mix(key), n)
			}
			if sum < 0 {
				b.Fatal("no node has a number below 0")
			}
		})
	}
}

func BenchmarkMaglevFill(b *testing.B) {
	names := make([]string, 100)
	for i := range names {
		names[i] = fmt.Sprint("node", i)
	}
	m := mustMaglev(b, DefaultTable, names...)
	for b.Loop() {
		m.fill()
	}
}
