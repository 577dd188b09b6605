package placement

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func mustBounded(t tester, epsilon float64, v int, nodes ...string) *Bounded {
	t.Helper()
	b, err := NewBounded(BoundedParams{Epsilon: epsilon, VirtualNodes: v, Hash: hashing.XX(3)})
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range nodes {
		if err := b.Add(node); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// kept checks all that is promised of a state: every key in one place, its node
// told alike by all, and no node above the bound.
func kept(t tester, b *Bounded, keys map[uint64]bool) {
	t.Helper()
	if b.Keys() != len(keys) {
		t.Fatalf("%d keys, want %d", b.Keys(), len(keys))
	}
	sum := 0
	for i, list := range b.held {
		sum += len(list)
		for at, hash := range list {
			if b.spots[hash] != (spot{uint32(i), uint32(at)}) {
				t.Fatalf("hash %#x is in spot %v, told in %v", hash, spot{uint32(i), uint32(at)}, b.spots[hash])
			}
		}
		if mean := float64(len(keys)) / float64(len(b.held)); float64(len(list)) > math.Ceil((1+b.params.Epsilon)*mean+1e-9) {
			t.Fatalf("node %d holds %d, mean %v, epsilon %v", i, len(list), mean, b.params.Epsilon)
		}
	}
	if sum != len(keys) {
		t.Fatalf("%d keys are held, want %d", sum, len(keys))
	}
	for key := range keys {
		if _, ok := b.spots[b.params.Hash.Uint64(key)]; !ok {
			t.Fatalf("key %d is lost", key)
		}
	}
}

// Whatever comes, the bound is kept, no key is lost, and bytes hold the state.
func TestBoundedAlwaysKeepsTheBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon := rapid.SampledFrom([]float64{0x1p-32, 0.01, 0.1, 0.25, 1, 3, MaxEpsilon}).Draw(t, "epsilon")
		b := mustBounded(t, epsilon, rapid.IntRange(1, 4).Draw(t, "points"))
		keys, nodes := map[uint64]bool{}, map[string]bool{}
		for range rapid.IntRange(1, 150).Draw(t, "changes") {
			switch what := rapid.IntRange(0, 11).Draw(t, "what"); {
			case what == 0:
				node := rapid.StringMatching(`[a-g]`).Draw(t, "node")
				if err := b.Add(node); (err == nil) == nodes[node] {
					t.Fatal(err)
				}
				nodes[node] = true
			case what == 1:
				node := rapid.StringMatching(`[a-g]`).Draw(t, "node")
				last := len(nodes) == 1 && nodes[node] && len(keys) > 0
				err := b.Remove(node)
				if last != errors.Is(err, ErrLast) || !last && (err == nil) != nodes[node] {
					t.Fatal(err)
				}
				if !last {
					delete(nodes, node)
				}
			case what < 9:
				key := rapid.Uint64Range(0, 60).Draw(t, "key")
				next, err := b.Owner(key)
				if node, err2 := b.Place(key); (err == nil) != (len(nodes) > 0) || node != next || (err2 == nil) != (err == nil) {
					t.Fatalf("placed on %q, %v; before: %q, %v", node, err2, next, err)
				}
				if err == nil {
					keys[key] = true
				}
			default:
				key := rapid.Uint64Range(0, 60).Draw(t, "key")
				if err := b.Release(key); (err == nil) != keys[key] {
					t.Fatal(err)
				}
				delete(keys, key)
			}
			kept(t, b, keys)
		}
		data, err := b.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var c Bounded
		if err := c.UnmarshalBinary(data); err != nil || !c.Equal(b) {
			t.Fatalf("read back: %v", err)
		}
		kept(t, &c, keys)
	})
}

func TestBoundedCapacityIsExact(t *testing.T) {
	for _, c := range []struct {
		epsilon float64
		m, n    int
		want    int
	}{
		{1, 0, 3, 0},
		{1, 1, 1, 2},
		{1, 1, 3, 1},
		{1, 3, 3, 2},
		{1, 4, 3, 3},
		{0.25, 8, 2, 5},
		{0.25, 9, 2, 6},
		{0x1p-32, 10, 5, 3},
		{0.1, 100, 10, 11},
		{0.1, 10, 11, 1},
		{MaxEpsilon, MaxKeys, 1, int(min(uint64(1025*MaxKeys), math.MaxInt))},
	} {
		b := mustBounded(t, c.epsilon, 1)
		if got := b.capacity(c.m, c.n); got != c.want {
			t.Errorf("epsilon %v, %d keys on %d nodes: %d, want %d", c.epsilon, c.m, c.n, got, c.want)
		}
	}
}

// With more room than any node needs, it is a plain ring.
func TestBoundedWithoutBoundIsTheRing(t *testing.T) {
	nodes := []string{"A", "B", "C", "D"}
	b := mustBounded(t, MaxEpsilon, 10, nodes...)
	r := mustNew(t, 10, hashing.XX(3), nodes...)
	for key := range uint64(1000) {
		want, _ := r.Owner(key)
		if got, err := b.Place(key); got != want || err != nil {
			t.Fatalf("key %d on %s, want %s", key, got, want)
		}
	}
	if err := b.Add("E"); err != nil {
		t.Fatal(err)
	}
	if err := r.Add("E"); err != nil {
		t.Fatal(err)
	}
	for key := range uint64(1000) {
		want, _ := r.Owner(key)
		if got, _ := b.Owner(key); got != want {
			t.Fatalf("after E joined: key %d on %s, want %s", key, got, want)
		}
	}
}

// A key goes past full nodes to the next with room, and the order of keys says who
// is first.
func TestBoundedGoesPastFullNodes(t *testing.T) {
	b := mustBounded(t, 0x1p-32, 1)
	places := map[string]uint64{"A#0": 10, "B#0": 20, "C#0": 30}
	b.ring.place = func(text []byte) uint64 { return places[string(text)] }
	for _, node := range []string{"A", "B", "C"} {
		if err := b.Add(node); err != nil {
			t.Fatal(err)
		}
	}
	// The bound is 1, 1, 2 (just above 1), 2: the third goes on to C.
	for i, want := range []string{"A", "B", "A", "B"} {
		if got, err := b.PlaceHash(uint64(i)); got != want || err != nil {
			t.Errorf("key %d on %s, want %s", i, got, want)
		}
	}
	// With three keys the bound stays 2; with two it is 1, and A passes on its last.
	for _, hash := range []uint64{3, 1} {
		if err := b.ReleaseHash(hash); err != nil {
			t.Fatal(err)
		}
	}
	for hash, want := range map[uint64]string{0: "A", 2: "B"} {
		if got, _ := b.OwnerHash(hash); got != want {
			t.Errorf("key %d on %s, want %s", hash, got, want)
		}
	}
}

func TestBoundedRefusals(t *testing.T) {
	for _, e := range []float64{0, -1, 1e-10, math.NaN(), math.Inf(1), 1025} {
		if b, err := NewBounded(BoundedParams{Epsilon: e, VirtualNodes: 1, Hash: hashing.XX(1)}); b != nil || err == nil {
			t.Errorf("epsilon %v: %v", e, err)
		}
	}
	if b, err := NewBounded(BoundedParams{Epsilon: 1, Hash: hashing.XX(1)}); b != nil || err == nil {
		t.Errorf("no points: %v", err)
	}
	b := mustBounded(t, 1, 1)
	if err := b.Release(1); !errors.Is(err, ErrUnknown) {
		t.Errorf("released a key that was not placed: %v", err)
	}
	if _, err := b.Place(1); !errors.Is(err, ErrEmpty) {
		t.Errorf("placed without nodes: %v", err)
	}
	if b.Capacity() != 0 {
		t.Errorf("capacity %d without nodes", b.Capacity())
	}
}
