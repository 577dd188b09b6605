package placement

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func mustNew(t testing.TB, v int, h hashing.Hasher, nodes ...string) *Ring {
	t.Helper()
	r, err := NewRing(RingParams{VirtualNodes: v, Hash: h})
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range nodes {
		if err := r.Add(node); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func mustOwn(t testing.TB, r *Ring, key string) string {
	t.Helper()
	node, err := r.OwnerBytes([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	return node
}

type printed struct {
	Seed      uint64                    `json:"seed"`
	Loads     map[string]map[string]int `json:"loads"`
	Moved     int                       `json:"moved A-D to A-E at 100"`
	AllToE    bool                      `json:"all moved to E"`
	ModuloOff int                       `json:"moved by modulo 4 to 5"`
}

// The figures printed in "Probabilistic Structures", Consistent Hashing.
func TestPrintedFigures(t *testing.T) {
	data, err := os.ReadFile("testdata/printed.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Ring printed `json:"ring"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	want := file.Ring
	h, err := hashing.New(hashing.SHA256, want.Seed)
	if err != nil {
		t.Fatal(err)
	}
	const keys = 10000
	if len(want.Loads) != 3 {
		t.Fatalf("%d printed loads, want 3", len(want.Loads))
	}
	for v, load := range want.Loads {
		points, err := strconv.Atoi(v)
		if err != nil {
			t.Fatal(err)
		}
		r, got := mustNew(t, points, h, "A", "B", "C", "D"), map[string]int{}
		for i := range keys {
			got[mustOwn(t, r, fmt.Sprintf("key%d", i))]++
		}
		if !maps.Equal(got, load) {
			t.Errorf("%s points: load %v, want %v", v, got, load)
		}
	}
	before := mustNew(t, 100, h, "A", "B", "C", "D")
	after := mustNew(t, 100, h, "A", "B", "C", "D", "E")
	moved, allToE, modulo := 0, true, 0
	for i := range keys {
		key := fmt.Sprintf("key%d", i)
		if now := mustOwn(t, after, key); now != mustOwn(t, before, key) {
			moved++
			allToE = allToE && now == "E"
		}
		if place := h.Bytes([]byte(key)); place%4 != place%5 {
			modulo++
		}
	}
	if moved != want.Moved || allToE != want.AllToE || modulo != want.ModuloOff {
		t.Errorf("moved %d, all to E %t, by modulo %d; want %d, %t, %d",
			moved, allToE, modulo, want.Moved, want.AllToE, want.ModuloOff)
	}
}

func TestRefusals(t *testing.T) {
	for _, v := range []int{0, -1, MaxVirtualNodes + 1} {
		if r, err := NewRing(RingParams{VirtualNodes: v, Hash: hashing.XX(1)}); r != nil || err == nil ||
			!strings.Contains(err.Error(), "must be from 1 to 1048576") {
			t.Errorf("%d virtual nodes: %v", v, err)
		}
	}
	if r, err := NewRing(RingParams{VirtualNodes: 1}); r != nil || !errors.Is(err, hashing.ErrFamily) {
		t.Errorf("no hash: %v", err)
	}
	r := mustNew(t, 3, hashing.XX(1))
	_, e1 := r.OwnerHash(1)
	_, e2 := r.OwnerBytes([]byte("k"))
	_, e3 := r.Owner(1)
	for _, err := range []error{e1, e2, e3} {
		if !errors.Is(err, ErrEmpty) {
			t.Errorf("an empty ring has an owner: %v", err)
		}
	}
	if err := r.Remove("A"); !errors.Is(err, ErrUnknown) {
		t.Errorf("removed a node that is not there: %v", err)
	}
	if err := r.Add("A"); err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(r.Points())
	if err := r.Add("A"); !errors.Is(err, ErrDuplicate) || !slices.Equal(r.Points(), before) || r.Len() != 1 {
		t.Errorf("added a node twice: %v, %d nodes, points %v", err, r.Len(), r.Points())
	}
	if err := r.Remove("A"); err != nil || r.Len() != 0 || len(r.Points()) != 0 {
		t.Errorf("after the last node left: %v, %d nodes, points %v", err, r.Len(), r.Points())
	}
}

func TestOneNodeOwnsEverything(t *testing.T) {
	r := mustNew(t, 1, hashing.XX(1), "only")
	for i := range uint64(100) {
		if node, err := r.Owner(i); node != "only" || err != nil {
			t.Errorf("key %d belongs to %q, %v", i, node, err)
		}
	}
}

// chosenPlaces is a ring with v = 2 whose places are chosen, not hashed.
func chosenPlaces(t *testing.T, places map[string]uint64, nodes ...string) *Ring {
	t.Helper()
	r := mustNew(t, 2, hashing.XX(1))
	r.place = func(text []byte) uint64 {
		p, ok := places[string(text)]
		if !ok {
			t.Fatalf("no place for %q", text)
		}
		return p
	}
	for _, node := range nodes {
		if err := r.Add(node); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// The next point strictly after the key, wrapping; of points in one place the
// first by name, in whatever order the nodes came; and when it leaves, the next.
func TestOwnerAtEveryPlace(t *testing.T) {
	places := map[string]uint64{
		"A#0": 10, "A#1": 20, "B#0": 20, "B#1": 30, "C#0": 20, "C#1": 20,
		"before": 9, "at 10": 10, "at 19": 19, "at 20": 20, "at 30": 30, "last": ^uint64(0), "first": 0,
	}
	want := map[string]string{
		"first": "A", "before": "A", "at 10": "A", "at 19": "A", "at 20": "B", "at 30": "A", "last": "A",
	}
	for _, nodes := range [][]string{
		{"A", "B", "C"}, {"A", "C", "B"}, {"B", "A", "C"}, {"B", "C", "A"}, {"C", "A", "B"}, {"C", "B", "A"},
	} {
		r := chosenPlaces(t, places, nodes...)
		for key, node := range want {
			if got := mustOwn(t, r, key); got != node {
				t.Errorf("%v: %s belongs to %s, want %s", nodes, key, got, node)
			}
		}
		if err := r.Remove("A"); err != nil {
			t.Fatal(err)
		}
		if got := mustOwn(t, r, "at 19"); got != "B" {
			t.Errorf("%v: after A left, place 19 belongs to %s, want B", nodes, got)
		}
		if err := r.Remove("B"); err != nil {
			t.Fatal(err)
		}
		if got := mustOwn(t, r, "at 20"); got != "C" {
			t.Errorf("%v: with C alone, place 20 belongs to %s", nodes, got)
		}
	}
}

func TestKeysOfAllKindsAgree(t *testing.T) {
	h := hashing.XX(5)
	r := mustNew(t, 20, h, "A", "B", "C")
	for i := range uint64(200) {
		text := fmt.Sprintf("key%d", i)
		a, errA := r.OwnerHash(h.Bytes([]byte(text)))
		b, errB := r.OwnerBytes([]byte(text))
		if a != b || errA != nil || errB != nil {
			t.Errorf("%s belongs to %s as hash, %s as bytes", text, a, b)
		}
		want, err := r.OwnerHash(h.Uint64(i))
		if got, err2 := r.Owner(i); got != want || err != nil || err2 != nil {
			t.Errorf("number %d belongs to %s, want %s", i, got, want)
		}
	}
}

// The ring is a function of the set of nodes, and a node that joins or leaves
// moves only its own keys.
func TestOrderDoesNotMatterAndOnlyItsKeysMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-c#0-1]{0,3}`), 1, 6, rapid.ID[string]).Draw(t, "nodes")
		shuffled := rapid.Permutation(names).Draw(t, "order")
		v := rapid.IntRange(1, 5).Draw(t, "points")
		build := func(nodes []string) *Ring {
			r, err := NewRing(RingParams{VirtualNodes: v, Hash: hashing.XX(3)})
			if err != nil {
				t.Fatal(err)
			}
			for _, node := range nodes {
				if err := r.Add(node); err != nil {
					t.Fatal(err)
				}
			}
			return r
		}
		a, b := build(names), build(shuffled)
		if !slices.Equal(a.Points(), b.Points()) || len(a.Points()) != v*len(names) || !slices.IsSortedFunc(a.points, a.order) {
			t.Fatalf("points %v and %v", a.Points(), b.Points())
		}
		const newcomer = "newcomer"
		if err := b.Add(newcomer); err != nil {
			t.Fatal(err)
		}
		for key := range uint64(100) {
			before, _ := a.Owner(key)
			if after, _ := b.Owner(key); after != before && after != newcomer {
				t.Errorf("key %d moved from %s to %s", key, before, after)
			}
		}
		if err := b.Remove(newcomer); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Points(), b.Points()) {
			t.Error("the ring is not what it was before the newcomer")
		}
	})
}

func TestPointsIsACopyAndGeometryIsTold(t *testing.T) {
	r := mustNew(t, 2, hashing.XX(1), "A")
	before := slices.Clone(r.Points())
	r.Points()[0].Node = "B"
	if !slices.Equal(r.Points(), before) {
		t.Error("writing to the copy of the points changed the ring")
	}
	if r.Len() != 1 || r.VirtualNodes() != 2 || r.Hash() != hashing.XX(1) {
		t.Errorf("%d nodes, %d points each, %v", r.Len(), r.VirtualNodes(), r.Hash())
	}
}
