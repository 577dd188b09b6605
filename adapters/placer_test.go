package adapters

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
)

// eachPlacer runs a check for every placer.
func eachPlacer(t *testing.T, check func(t *testing.T, s Placer)) {
	t.Helper()
	for _, s := range Placers {
		t.Run(s.Name, func(t *testing.T) { check(t, s) })
	}
}

func placer(t *testing.T, s Placer, seed uint64, nodes ...string) sketchproof.Placer {
	t.Helper()
	p, err := s.Build(sketchproof.PlacerSpec{Nodes: nodes, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const placed = 3000

// owners are those of the keys number 0 to placed-1.
func owners(t *testing.T, p sketchproof.Placer) []string {
	t.Helper()
	list := make([]string, placed)
	for i := range list {
		var err error
		if list[i], err = p.Owner(key(i)); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func nodeNames(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("node %d", i)
	}
	return list
}

func TestPlacersUseAllNodes(t *testing.T) {
	eachPlacer(t, func(t *testing.T, s Placer) {
		nodes := nodeNames(5)
		load := map[string]int{}
		for _, owner := range owners(t, placer(t, s, 1, nodes...)) {
			load[owner]++
		}
		for _, node := range nodes {
			if load[node] == 0 {
				t.Errorf("%s has no keys", node)
			}
		}
		if len(load) != len(nodes) {
			t.Errorf("owners %v", load)
		}
		if slices.Equal(owners(t, placer(t, s, 1, nodes...)), owners(t, placer(t, s, 2, nodes...))) {
			t.Error("the seed changes nothing")
		}
		for _, law := range s.Laws {
			band := law.Predict(nil, sketchproof.PlacerSpec{Nodes: nodes}, placed)
			if law.Name == "" || law.Source == "" || !(band.Lo <= band.Predicted && band.Predicted <= band.Hi) {
				t.Errorf("law %s predicts %+v", law.Name, band)
			}
		}
	})
}

func TestPlacersDependOnTheSetOfNodes(t *testing.T) {
	eachPlacer(t, func(t *testing.T, s Placer) {
		a, nodes := placer(t, s, 1, nodeNames(5)...), nodeNames(6)
		slices.Reverse(nodes)
		b := placer(t, s, 1, nodes...)
		if strings.HasSuffix(s.Name, "jump") {
			if slices.Equal(owners(t, a), owners(t, b)) {
				t.Error("the order of nodes changes nothing")
			}
			return
		}
		if err := b.Remove("node 5"); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(owners(t, a), owners(t, b)) {
			t.Error("the order of adding and removing matters")
		}
	})
}

// Keys move to a node that joins, and from it when it leaves. Maglev and bounded
// loads with keys move a few others.
func TestOnlyTheNodesOwnKeysMove(t *testing.T) {
	eachPlacer(t, func(t *testing.T, s Placer) {
		p := placer(t, s, 1, nodeNames(5)...)
		before := owners(t, p)
		if err := p.Add("newcomer"); err != nil {
			t.Fatal(err)
		}
		others, moved := 0, 0
		for i, owner := range owners(t, p) {
			switch {
			case owner == "newcomer":
				moved++
			case owner != before[i]:
				others++
			}
		}
		allowed := 0
		if s.Name == "maglev" {
			allowed = placed / 50
		}
		if moved == 0 || others > allowed {
			t.Errorf("%d keys moved to the newcomer, %d elsewhere", moved, others)
		}
		if err := p.Remove("newcomer"); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(owners(t, p), before) {
			t.Error("keys are not where they were before it came")
		}
	})
}

func TestPlacersRefuse(t *testing.T) {
	eachPlacer(t, func(t *testing.T, s Placer) {
		if _, err := s.Build(sketchproof.PlacerSpec{Nodes: []string{"A", "A"}}); err == nil {
			t.Error("built with a node twice")
		}
		p := placer(t, s, 1)
		if node, err := p.Owner(1); err == nil {
			t.Errorf("no nodes, and %q owns a key", node)
		}
		if err := p.Remove("A"); err == nil {
			t.Error("removed a node from none")
		}
		p = placer(t, s, 1, "A", "B")
		before := owners(t, p)
		if p.Add("A") == nil || p.Remove("C") == nil {
			t.Error("added a node twice, or removed one that is not there")
		}
		if !slices.Equal(owners(t, p), before) {
			t.Error("what was refused changed owners")
		}
	})
}

func TestPlacersReadBack(t *testing.T) {
	eachPlacer(t, func(t *testing.T, s Placer) {
		if s.Encode == nil {
			t.Skip("it has no bytes")
		}
		p := placer(t, s, 1, nodeNames(5)...)
		if giver, ok := p.(interface{ Place(uint64) (string, error) }); ok {
			for i := range placed / 2 {
				if _, err := giver.Place(key(i)); err != nil {
					t.Fatal(err)
				}
			}
		}
		data, err := s.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		q, err := s.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		again, err := s.Encode(q)
		if err != nil || !bytes.Equal(again, data) || !slices.Equal(owners(t, p), owners(t, q)) {
			t.Errorf("read back as another, %v", err)
		}
		if _, err := s.Decode(data[:len(data)-1]); err == nil {
			t.Error("cut short, and read")
		}
	})
}
