package adapters

import (
	"bytes"
	"fmt"
	"slices"
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
